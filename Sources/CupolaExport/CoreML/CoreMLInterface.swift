/// What apps see of the model: a picture in, a label and its probabilities out.
struct CoreMLInterface: Equatable {
  /// Side of the square picture in pixels.
  let side: Int
  /// Core ML's number for the channels red, green, blue.
  private static let rgb = 20

  init(graph: Graph) { side = graph.nodes[0].shape[1] }

  // MARK: - Writing

  func write(to description: inout ProtobufWriter) {
    description.message(1) { input in
      input.string(1, CoreMLPackage.Name.image)
      input.string(2, "An upright photo, squashed to \(side) x \(side) pixels (scale to fill).")
      input.message(3) { type in
        type.message(4) { image in
          image.integer(1, side)
          image.integer(2, side)
          image.integer(3, Self.rgb)
        }
      }
    }
    description.message(10) { output in
      output.string(1, CoreMLPackage.Name.label)
      output.string(2, "The most probable label.")
      output.message(3) { $0.message(3) { _ in } }
    }
    description.message(10) { output in
      output.string(1, CoreMLPackage.Name.probabilities)
      output.string(2, "The probability of every label.")
      output.message(3) { $0.message(6) { $0.message(2) { _ in } } }
    }
    description.string(11, CoreMLPackage.Name.label)
    description.string(12, CoreMLPackage.Name.probabilities)
  }

  // MARK: - Reading

  /// Reads and checks a model description.
  init(_ description: CoreMLMessage) throws(CoreMLFault) {
    try description.allow([1, 10, 11, 12, 100])
    let input = try Self.types(description, 1, "inputs", [CoreMLPackage.Name.image])[0]
    guard let image = try input.message(4), input.numbers == [4] else {
      throw description.fault("the input is no picture")
    }
    try image.allow([1, 2, 3])
    guard let width = try image.integer(1), try image.integer(2) == width,
      (1...4096).contains(width)
    else { throw description.fault("the input picture is no square of 1 to 4096 pixels") }
    guard try image.integer(3) == Self.rgb else {
      throw description.fault("the input picture is not RGB")
    }
    side = width
    let names = [CoreMLPackage.Name.label, CoreMLPackage.Name.probabilities]
    let outputs = try Self.types(description, 10, "outputs", names)
    guard outputs[0].numbers == [3] else {
      throw description.fault("the output \(names[0]) is no text")
    }
    guard let dictionary = try outputs[1].message(6), dictionary.numbers == [2] else {
      throw description.fault("the output \(names[1]) is no dictionary by labels")
    }
    for (number, what, name) in [
      (11, "predictedFeatureName", names[0]), (12, "predictedProbabilitiesName", names[1]),
    ] {
      let found = try description.string(number) ?? ""
      guard found == name else {
        throw description.fault("its \(what) is \"\(found)\" and not \"\(name)\"")
      }
    }
  }

  /// The types of the inputs or outputs, which must have these names.
  private static func types(
    _ description: CoreMLMessage, _ number: Int, _ what: String, _ names: [String]
  ) throws(CoreMLFault) -> [CoreMLMessage] {
    var found: [String] = []
    var types: [CoreMLMessage] = []
    for feature in try description.messages(number) {
      try feature.allow([1, 2, 3])
      found.append(try feature.string(1) ?? "")
      if let type = try feature.message(3) { types.append(type) }
    }
    guard found == names, types.count == names.count else {
      throw description.fault("its \(what) are \(found) and not \(names)")
    }
    return types
  }
}
