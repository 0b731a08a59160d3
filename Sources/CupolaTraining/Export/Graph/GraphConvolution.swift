/// Convolutions of a picture, tap by tap.
struct GraphConvolution {
  let layout: GraphLayout
  let stride: Int
  /// Top, left, bottom, right.
  let padding: [Int]
  let isDepthwise: Bool

  /// The convolved picture, of the shape given.
  func values(
    _ picture: [Float], _ shape: [Int], kernel: [Float], _ kernelShape: [Int], output: [Int]
  ) -> [Float] {
    guard layout == .channelsLast else {
      return planes(picture, shape, kernel: kernel, kernelShape, output: output)
    }
    // Depthwise 1 x h x w x C is C x 1 x h x w with channels first, else D x h x w x C is D x C x h x w.
    let toPlanes = [0, 3, 1, 2]
    let kernelToPlanes = isDepthwise ? [3, 0, 1, 2] : toPlanes
    func moved(_ values: [Float], _ shape: [Int], _ permutation: [Int]) -> ([Float], [Int]) {
      let view = StridedView(shape).permuted(permutation)
      return (view.values(of: values), view.shape)
    }
    let (planes, planesShape) = moved(picture, shape, toPlanes)
    let (kernels, kernelsShape) = moved(kernel, kernelShape, kernelToPlanes)
    let target = toPlanes.map { output[$0] }
    let result = self.planes(planes, planesShape, kernel: kernels, kernelsShape, output: target)
    return moved(result, target, [0, 2, 3, 1]).0
  }

  /// The same with channels first.
  private func planes(
    _ picture: [Float], _ shape: [Int], kernel: [Float], _ kernelShape: [Int], output: [Int]
  ) -> [Float] {
    let (height, width) = (shape[2], shape[3])
    let (rows, columns) = (output[2], output[3])
    let inputs = kernelShape[1]
    var result: [Float] = []
    for filter in 0..<output[1] {
      var plane = [Float](repeating: 0, count: rows * columns)
      for input in 0..<inputs {
        let channel = isDepthwise ? filter : input
        let source = picture[channel * height * width..<(channel + 1) * height * width]
        let taps = kernelShape[2] * kernelShape[3]
        let start = (filter * inputs + input) * taps
        for tap in 0..<taps where kernel[start + tap] != 0 {
          Self.add(
            source.span, height, width, times: kernel[start + tap],
            down: tap / kernelShape[3] - padding[0], right: tap % kernelShape[3] - padding[1],
            stride, to: &plane, columns)
        }
      }
      result += plane
    }
    return result
  }

  /// Adds a plane that is moved by a tap's place, where it covers the target.
  private static func add(
    _ source: Span<Float>, _ height: Int, _ width: Int, times weight: Float, down: Int, right: Int,
    _ stride: Int, to plane: inout [Float], _ columns: Int
  ) {
    var target = plane.mutableSpan
    for row in 0..<target.count / columns {
      let y = row * stride + down
      guard y >= 0, y < height else { continue }
      let from = right < 0 ? (-right + stride - 1) / stride : 0
      let to = min(columns, width - right <= 0 ? 0 : (width - right - 1) / stride + 1)
      guard from < to else { continue }
      for column in from..<to {
        target[row * columns + column] += weight * source[y * width + column * stride + right]
      }
    }
  }
}
