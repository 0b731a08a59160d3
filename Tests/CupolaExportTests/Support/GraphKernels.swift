import Cupola

@testable import CupolaExport

/// Matrix products over the last two axes; other axes broadcast.
struct GraphProduct {
  private let shapes: (a: [Int], b: [Int])
  private let transposes: (a: Bool, b: Bool)

  init(_ a: [Int], _ b: [Int], _ transposeA: Bool, _ transposeB: Bool) {
    shapes = (a, b)
    transposes = (transposeA, transposeB)
  }

  func values(_ a: [Float], _ b: [Float], shape: [Int]) -> [Float] {
    let batch = Array(shape.dropLast(2))
    let count = batch.reduce(1, *)
    let places = (matrices(shapes.a, batch), matrices(shapes.b, batch))
    var result: [Float] = []
    result.reserveCapacity(shape.reduce(1, *))
    for index in 0..<count {
      let left = matrix(a, shapes.a, places.0[index])
      let right = matrix(b, shapes.b, places.1[index])
      result +=
        BLAS.product(left, right, transposeA: transposes.a, transposeB: transposes.b).values
    }
    return result
  }

  /// For every matrix of the result, the index of an input's matrix.
  private func matrices(_ shape: [Int], _ batch: [Int]) -> [Int] {
    let own = Array(shape.dropLast(2))
    let numbers = (0..<own.reduce(1, *)).map(Float.init)
    guard !batch.isEmpty else { return [0] }
    return StridedView(own).broadcast(to: batch).values(of: numbers).map { Int($0) }
  }

  private func matrix(_ values: [Float], _ shape: [Int], _ index: Int) -> Matrix {
    let (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
    let start = index * rows * columns
    return Matrix(
      rows: rows, columns: columns, values: Array(values[start..<start + rows * columns]))
  }
}

/// Convolutions and means of a picture.
struct GraphConvolution {
  let layout: GraphLayout

  func convolved(
    _ picture: [Float], _ shape: [Int], kernel: [Float], _ kernelShape: [Int], output: [Int]
  ) -> [Float] {
    let (source, target) = (Planes(picture, shape, layout), planes(output))
    let kernels = Planes(kernel, kernelShape, layout)
    let taps = kernels.height * kernels.width
    var result: [Float] = []
    for filter in 0..<output[layout.channelAxis] {
      var plane = [Float](repeating: 0, count: target[2] * target[3])
      for channel in 0..<source.channels {
        let start = (filter * source.channels + channel) * taps
        for tap in 0..<taps where kernels.values[start + tap] != 0 {
          source.add(
            channel, times: kernels.values[start + tap], down: tap / kernels.width,
            right: tap % kernels.width, stride: 1, to: &plane, columns: target[3])
        }
      }
      result += plane
    }
    return moved(result, target)
  }

  func averaged(
    _ picture: [Float], _ shape: [Int], side: Int, stride: Int, output: [Int]
  ) -> [Float] {
    let (source, target) = (Planes(picture, shape, layout), planes(output))
    let scale = 1 / Float(side * side)
    var result: [Float] = []
    for channel in 0..<source.channels {
      var plane = [Float](repeating: 0, count: target[2] * target[3])
      for tap in 0..<side * side {
        source.add(
          channel, times: 1, down: tap / side, right: tap % side, stride: stride, to: &plane,
          columns: target[3])
      }
      result += plane.map { $0 * scale }
    }
    return moved(result, target)
  }

  private func planes(_ shape: [Int]) -> [Int] {
    layout == .channelsFirst ? shape : [0, 3, 1, 2].map { shape[$0] }
  }

  /// Converts planes to the layout.
  private func moved(_ values: [Float], _ shape: [Int]) -> [Float] {
    layout == .channelsFirst
      ? values : StridedView(shape).permuted([0, 2, 3, 1]).values(of: values)
  }

  /// Converts a picture or kernels to channels first.
  private struct Planes {
    let values: [Float]
    let channels: Int
    let height: Int
    let width: Int

    init(_ values: [Float], _ shape: [Int], _ layout: GraphLayout) {
      let view =
        layout == .channelsFirst ? StridedView(shape) : StridedView(shape).permuted([0, 3, 1, 2])
      self.values = view.values(of: values)
      (channels, height, width) = (view.shape[1], view.shape[2], view.shape[3])
    }

    /// Adds a shifted plane to the target, which it covers completely.
    func add(
      _ channel: Int, times weight: Float, down: Int, right: Int, stride: Int,
      to plane: inout [Float], columns: Int
    ) {
      let source = values.span.extracting(channel * height * width..<(channel + 1) * height * width)
      var target = plane.mutableSpan
      for row in 0..<target.count / columns {
        let start = (row * stride + down) * width + right
        for column in 0..<columns {
          target[row * columns + column] += weight * source[start + column * stride]
        }
      }
    }
  }
}
