import Cupola

@testable import CupolaExport

/// A small graph with every operation in it: from a picture of 8 x 8 pixels to four probabilities.
enum SmallGraph {
  static let labels = [Graph.notACampusBuilding, "library", "Main Hall", "gym"]

  static func make(
    labels: [String] = labels, weights format: WeightFormat = .float32
  ) -> Graph {
    var random = SplitMix64(seed: 1)
    func values(_ count: Int) -> [Float] {
      let numbers = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
      let matrix = Matrix(rows: 1, columns: count, values: numbers)
      return format == .float16 ? matrix.halved.values : numbers
    }
    var builder = GraphBuilder(layout: .channelsFirst)
    let picture = builder.picture(side: 8)
    let (smaller, _) = builder.resized(picture, from: 8, to: 6)
    let mixed = builder.mix(picture, [[[0.25, 0.5, 0.25], [1, -1, 0.125]], [[1, 0, 0]]])
    let reflected = builder.apply(
      .pad(before: [0, 0, 1, 0], after: [0, 0, 0, 2], mode: .reflect), [mixed[0]])
    let pooled = builder.averaged(reflected, side: 3, stride: 2)
    let framed = builder.padded(smaller, before: 1, after: 0, .zero)
    let convolved = builder.apply(
      .convolution(layout: .channelsFirst),
      [framed, builder.constant(values(2 * 3 * 2 * 3), shape: [2, 3, 2, 3], format: format)])
    let gradients = builder.gradients(mixed[1], [[[1, 0], [0, 1]], [[0.5, -0.5], [2, 1]]])
    let parts = ([pooled, convolved] + gradients).map { part in
      builder.reshape(part, [1, part.shape.reduce(1, *)])
    }
    let joined = builder.apply(.unary(.absolute), [builder.concatenate(parts, axis: 1)])
    let roots = builder.apply(.power(0.75), [builder.apply(.squareRoot, joined)])
    let unit = builder.unit(roots)
    let largest = builder.apply(.reduce(.maximum, axis: 1), [unit])
    let best = builder.apply(
      .relu, builder.apply(.minimum, builder.apply(.subtract, unit, 0.01), largest))
    let rows = builder.constant(
      values(labels.count * best.shape[1]), shape: [labels.count, best.shape[1]], format: format)
    let logits = builder.product(best, rows, transposeB: true)
    let biased = builder.apply(
      .add, logits, builder.constant(values(labels.count), shape: [labels.count]))
    _ = builder.apply(.softmax, [biased])
    return Graph(nodes: builder.nodes, labels: labels, layout: .channelsFirst)
  }
}
