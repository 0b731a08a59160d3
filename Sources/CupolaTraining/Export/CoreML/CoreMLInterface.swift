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
  init(_ description: ProtobufReader) throws(CoreMLFault) {
    try description.allow([1, 10, 11, 12, 100], "the description")
    let input = try Self.features(description, 1, [CoreMLPackage.Name.image])[0]
    guard let image = try CoreMLFault.model(in: "the input", { try input.message(4) }),
      input.numbers == [4]
    else { throw CoreMLFault.badModel("the input is no picture") }
    try image.allow([1, 2, 3], "the input")
    let numbers = try CoreMLFault.model(in: "the input") {
      [try image.integer(1), try image.integer(2), try image.integer(3)]
    }
    guard let width = numbers[0], width == numbers[1], (1...4096).contains(width) else {
      throw CoreMLFault.badModel("the input picture is no square of 1 to 4096 pixels")
    }
    guard numbers[2] == Self.rgb else {
      throw CoreMLFault.badModel("the input picture is not RGB")
    }
    side = width
    try Self.checkOutputs(description)
  }

  private static func checkOutputs(_ description: ProtobufReader) throws(CoreMLFault) {
    let names = [CoreMLPackage.Name.label, CoreMLPackage.Name.probabilities]
    let outputs = try features(description, 10, names)
    guard outputs[0].numbers == [3] else {
      throw CoreMLFault.badModel("the output \(names[0]) is no text")
    }
    let dictionary = try CoreMLFault.model(in: names[1]) { try outputs[1].message(6) }
    guard outputs[1].numbers == [6], dictionary?.numbers == [2] else {
      throw CoreMLFault.badModel("the output \(names[1]) is no dictionary of labels")
    }
    for (field, what, name) in [
      (11, "predictedFeatureName", names[0]), (12, "predictedProbabilitiesName", names[1]),
    ] {
      let found = try CoreMLFault.model(in: what) { try description.string(field) } ?? ""
      guard found == name else {
        throw CoreMLFault.badModel("\(what) is \"\(found)\" and not \"\(name)\"")
      }
    }
  }

  /// The types of the inputs or outputs, which must have these names.
  private static func features(
    _ description: ProtobufReader, _ field: Int, _ names: [String]
  ) throws(CoreMLFault) -> [ProtobufReader] {
    let features = try CoreMLFault.model(in: "the interface") { try description.messages(field) }
    var found: [String] = []
    var types: [ProtobufReader] = []
    for feature in features {
      try feature.allow([1, 2, 3], "the interface")
      found.append(try CoreMLFault.model(in: "the interface") { try feature.string(1) } ?? "")
      let type = try CoreMLFault.model(in: "the interface") { try feature.message(3) }
      if let type { types.append(type) }
    }
    guard found == names, types.count == names.count else {
      throw CoreMLFault.badModel(
        "\(field == 1 ? "inputs" : "outputs") are \(found) and not \(names)")
    }
    return types
  }
}

extension CoreMLFault {
  /// Runs a reader of protocol buffers, and says where its fault was found.
  static func model<Result>(
    in place: String, _ body: () throws(ProtobufFault) -> Result
  ) throws(CoreMLFault) -> Result {
    do throws(ProtobufFault) { return try body() } catch {
      throw CoreMLFault.badModel("\(place): \(error.message)")
    }
  }
}

extension ProtobufReader {
  /// Refuses fields that Core ML knows but this reader does not expect, or that nobody knows.
  func allow(_ numbers: Set<Int>, _ place: String) throws(CoreMLFault) {
    if let unknown = self.numbers.first(where: { !numbers.contains($0) }) {
      throw CoreMLFault.badModel("\(place) has the field \(unknown), which does not belong there")
    }
  }
}
