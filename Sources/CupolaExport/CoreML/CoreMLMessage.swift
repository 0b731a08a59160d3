/// A message of a Core ML model, which says in its faults where it stands.
struct CoreMLMessage {
  /// What it belongs to, in words for people.
  var place: String
  private let reader: ProtobufReader

  /// Reads a message.
  ///
  /// - Throws: ``CoreMLFault/badModel(_:)``, as all functions below.
  init(_ bytes: [UInt8], place: String) throws(CoreMLFault) {
    do throws(ProtobufFault) { reader = try ProtobufReader(bytes) } catch {
      throw CoreMLFault.badModel("\(place): \(error.message)")
    }
    self.place = place
  }

  private init(_ reader: ProtobufReader, place: String) {
    (self.reader, self.place) = (reader, place)
  }

  /// The numbers of its fields, ascending.
  var numbers: [Int] { reader.numbers }

  func integer(_ number: Int) throws(CoreMLFault) -> Int? { try integers(number).last }

  func integers(_ number: Int) throws(CoreMLFault) -> [Int] {
    try read { reader throws(ProtobufFault) in try reader.integers(number) }
  }

  func floats(_ number: Int) throws(CoreMLFault) -> [Float] {
    try read { reader throws(ProtobufFault) in try reader.floats(number) }
  }

  func string(_ number: Int) throws(CoreMLFault) -> String? { try strings(number).last }

  func strings(_ number: Int) throws(CoreMLFault) -> [String] {
    try read { reader throws(ProtobufFault) in try reader.strings(number) }
  }

  func message(_ number: Int) throws(CoreMLFault) -> CoreMLMessage? {
    let message = try read { reader throws(ProtobufFault) in try reader.message(number) }
    return message.map { CoreMLMessage($0, place: place) }
  }

  func messages(_ number: Int) throws(CoreMLFault) -> [CoreMLMessage] {
    let messages = try read { reader throws(ProtobufFault) in try reader.messages(number) }
    return messages.map { CoreMLMessage($0, place: place) }
  }

  /// The values of a map whose values are messages, in the order of the keys.
  func entries(_ number: Int) throws(CoreMLFault) -> [(key: String, value: CoreMLMessage)] {
    let entries = try read { reader throws(ProtobufFault) in try reader.entries(number) }
    var result: [(key: String, value: CoreMLMessage)] = []
    for (key, reader) in entries.sorted(by: { $0.key < $1.key }) {
      let entry = CoreMLMessage(reader, place: place)
      try entry.allow([1, 2])
      guard let value = try entry.message(2) else { throw entry.fault("\(key) is empty") }
      result.append((key, value))
    }
    return result
  }

  /// The values of a map whose values are texts.
  func texts(_ number: Int) throws(CoreMLFault) -> [String: String] {
    let entries = try read { reader throws(ProtobufFault) in try reader.entries(number) }
    var result: [String: String] = [:]
    for (key, reader) in entries {
      result[key] = try CoreMLMessage(reader, place: place).string(2) ?? ""
    }
    return result
  }

  /// Refuses fields that Core ML knows but exports do not have, or that nobody knows.
  func allow(_ numbers: Set<Int>) throws(CoreMLFault) {
    guard let unknown = self.numbers.first(where: { !numbers.contains($0) }) else { return }
    throw fault("field \(unknown) does not belong there")
  }

  /// What is wrong with it.
  func fault(_ what: String) -> CoreMLFault { .badModel("\(place): \(what)") }

  private func read<Value>(
    _ body: (ProtobufReader) throws(ProtobufFault) -> Value
  ) throws(CoreMLFault) -> Value {
    do throws(ProtobufFault) { return try body(reader) } catch { throw fault(error.message) }
  }
}
