import Cupola

@testable import CupolaExport

/// A small graph with all operations: from an 8 x 8 picture to four probabilities.
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
    let logits = builder.product(best, rows, transposeB: true, half: true)
    let biased = builder.apply(
      .add, logits, builder.constant(values(labels.count), shape: [labels.count]))
    _ = builder.apply(.softmax, [biased])
    return Graph(nodes: builder.nodes, labels: labels, layout: .channelsFirst)
  }
}

/// A small graph with channels last and all operations.
struct SmallTFLiteGraph {
  private var nodes: [Graph.Node] = []

  static func graph(
    labels: [String] = ["not_a_campus_building", "hall", "tower"], weights: WeightFormat = .float32
  ) -> Graph {
    var builder = SmallTFLiteGraph()
    builder.addPicture()
    return Graph(
      nodes: builder.finish(labels: labels.count, weights), labels: labels, layout: .channelsLast)
  }

  @discardableResult
  private mutating func add(
    _ name: String, _ operation: GraphOperation, _ inputs: [Int], _ shape: [Int]
  ) -> Int {
    nodes.append(Graph.Node(name: name, operation: operation, inputs: inputs, shape: shape))
    return nodes.count - 1
  }

  /// Distinct values between -1 and 1.
  private mutating func constant(
    _ name: String, _ shape: [Int], scale: Float = 1, format: WeightFormat = .float32
  ) -> Int {
    let values = (0..<shape.reduce(1, *)).map { index in
      scale * (Float((index * 37 + 11) % 101) / 50 - 1)
    }
    let rows = shape.first ?? 1
    let matrix = Matrix(rows: rows, columns: values.count / rows, values: values)
    let rounded = LinearClassifier(weights: matrix, biases: [Float](repeating: 0, count: rows))
      .rounded(to: format).weights.values
    let tensor = GraphTensor(shape: shape, values: rounded)
    return add(name, .constant(tensor, format: format), [], shape)
  }

  /// From 1 x 8 x 8 x 3 to 1 x 4 x 4 x 2.
  private mutating func addPicture() {
    let input = add("image", .input, [], [1, 8, 8, 3])
    let floats = add("floats", .toFloat, [input], [1, 8, 8, 3])
    let scale = add(
      "scale", .constant(GraphTensor(shape: [], values: [1 / 255]), format: .float32), [], [])
    let scaled = add("scaled", .elementwise(.multiply), [floats, scale], [1, 8, 8, 3])
    let padded = add(
      "reflected", .pad(before: [0, 1, 1, 0], after: [0, 1, 1, 0], mode: .reflect), [scaled],
      [1, 10, 10, 3])
    let mixing = constant("mixing", [2, 3, 3, 3])
    let mixed = add(
      "mixed", .convolution(layout: .channelsLast), [padded, mixing], [1, 8, 8, 2])
    let halved = add(
      "halved", .averagePool(layout: .channelsLast, side: 2, stride: 2), [mixed], [1, 4, 4, 2])
    let spread = add(
      "spread", .averagePool(layout: .channelsLast, side: 5, stride: 1), [mixed], [1, 4, 4, 2])
    add("joined", .concatenate(axis: 3), [halved, spread], [1, 4, 4, 4])
  }

  private mutating func finish(labels: Int, _ weights: WeightFormat) -> [Graph.Node] {
    let joined = nodes.count - 1
    let cut = add(
      "cut", .slice(starts: [0, 0, 0, 0], ends: [1, 4, 4, 4], steps: [1, 2, 1, 1]), [joined],
      [1, 2, 4, 4])
    let part = add(
      "part", .slice(starts: [0, 0, 1, 0], ends: [1, 2, 4, 4], steps: [1, 1, 1, 1]), [cut],
      [1, 2, 3, 4])
    let turned = add("turned", .transpose([0, 2, 1, 3]), [part], [1, 3, 2, 4])
    let matrix = add("matrix", .reshape([6, 4]), [turned], [6, 4])
    let zeros = add(
      "zeros", .pad(before: [0, 1], after: [0, 1], mode: .zero), [matrix], [6, 6])
    let size = add("size", .unary(.absolute), [zeros], [6, 6])
    let root = add("root", .unary(.squareRoot), [size], [6, 6])
    let positive = add("positive", .unary(.relu), [zeros], [6, 6])
    let low = add("low", .elementwise(.minimum), [root, positive], [6, 6])
    let high = add("high", .elementwise(.maximum), [root, positive], [6, 6])
    let difference = add("difference", .elementwise(.subtract), [high, low], [6, 6])
    let power = add("power", .power(0.75), [difference], [6, 6])
    let sums = add("sums", .reduce(.sum, axis: 1), [power], [6, 1])
    let largest = add("largest", .reduce(.maximum, axis: 1), [power], [6, 1])
    let one = add(
      "one", .constant(GraphTensor(shape: [1, 1], values: [1]), format: .float32), [], [1, 1])
    let both = add("both", .elementwise(.add), [sums, largest], [6, 1])
    let above = add("above", .elementwise(.add), [both, one], [6, 1])
    let shares = add("shares", .elementwise(.divide), [power, above], [6, 6])
    let basis = constant("basis", [6, 5])
    let projected = add(
      "projected", .product(transposeA: false, transposeB: false, half: false), [shares, basis],
      [6, 5])
    let left = constant("left", [4, 6])
    let mixedRows = add(
      "mixed_rows", .product(transposeA: false, transposeB: false, half: false), [left, projected],
      [4, 5])
    let gram = add(
      "gram", .product(transposeA: true, transposeB: false, half: false), [mixedRows, mixedRows],
      [5, 5])
    let features = add("features", .reshape([1, 25]), [gram], [1, 25])
    let rows = constant("weights", [labels, 25], scale: 0.1, format: weights)
    let biases = constant("biases", [labels])
    let logits = add(
      "logits", .product(transposeA: false, transposeB: true, half: true), [features, rows],
      [1, labels])
    let shifted = add("shifted", .elementwise(.add), [logits, biases], [1, labels])
    add("probabilities", .softmax, [shifted], [1, labels])
    return nodes
  }
}
