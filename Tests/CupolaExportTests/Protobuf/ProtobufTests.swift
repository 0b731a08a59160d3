import Cupola
import Testing

@testable import CupolaExport

@Suite("Protobuf") struct ProtobufTests {
  @Test("Fields have the bytes of the encoding guide")
  func knownBytes() {
    // https://protobuf.dev/programming-guides/encoding: 150, "testing", a message, packed numbers.
    #expect(ProtobufWriter { $0.integer(1, 150) }.bytes == [0x08, 0x96, 0x01])
    #expect(
      ProtobufWriter { $0.string(2, "testing") }.bytes
        == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
    #expect(
      ProtobufWriter { $0.message(3) { $0.integer(1, 150) } }.bytes
        == [0x1A, 0x03, 0x08, 0x96, 0x01])
    #expect(
      ProtobufWriter { $0.packed(6, integers: [3, 270, 86_942]) }.bytes
        == [0x32, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05])
    #expect(
      ProtobufWriter { $0.integer(1, -2) }.bytes
        == [0x08, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01])
    #expect(ProtobufWriter { $0.float(1, 1) }.bytes == [0x0D, 0, 0, 0x80, 0x3F])
    #expect(ProtobufWriter { $0.double(1, 1) }.bytes == [0x09, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
  }

  @Test("What is written is read")
  func roundTrip() throws {
    let integers = [0, 1, 127, 128, -1, .max, .min]
    let bytes = ProtobufWriter { writer in
      for value in integers { writer.integer(1, value) }
      writer.packed(2, integers: integers)
      writer.packed(3, floats: [0, -0.5, .infinity])
      writer.float(3, 7)
      writer.string(4, "Größe 🏛️ قاعة")
      writer.bytes(536_870_911, [1, 2, 3])
      writer.message(6) { $0.message(1) { $0.boolean(2, true) } }
      writer.entry(7, "a") { $0.string(2, "b") }
      writer.double(8, 0.1)
    }.bytes
    let reader = try ProtobufReader(bytes)
    #expect(try reader.integers(1) == integers)
    #expect(try reader.integers(2) == integers)
    #expect(try reader.integer(2) == .min)
    #expect(try reader.floats(3) == [0, -0.5, .infinity, 7])
    #expect(try reader.string(4) == "Größe 🏛️ قاعة")
    #expect(try reader.bytes(536_870_911) == [1, 2, 3])
    #expect(try reader.message(6)?.message(1)?.integer(2) == 1)
    #expect(try reader.entries(7)["a"]?.string(2) == "b")
    #expect(reader.values(8) == [.fixed64((0.1).bitPattern)])
    #expect(reader.numbers == [1, 2, 3, 4, 6, 7, 8, 536_870_911])
    #expect(try reader.string(9) == nil)
  }

  @Test("Hostile bytes are refused with a reason")
  func hostile() {
    func fault(_ bytes: [UInt8], limit: Int = 100) -> ProtobufFault? {
      do throws(ProtobufFault) { _ = try ProtobufReader(bytes, limit: limit) } catch {
        return error
      }
      return nil
    }
    #expect(fault([0x08]) == .truncated)
    #expect(fault([0x08, 0x80]) == .truncated)
    #expect(fault([0x12, 0x05, 1, 2]) == .truncated)
    #expect(fault([0x12] + [UInt8](repeating: 0xFF, count: 9) + [0x01]) == .truncated)
    #expect(fault([0x0D, 0, 0, 0]) == .truncated)
    #expect(fault([0x09, 0, 0, 0, 0, 0, 0, 0]) == .truncated)
    #expect(fault([0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x02]) == .badVarint)
    #expect(fault([0x08] + [UInt8](repeating: 0x80, count: 11)) == .badVarint)
    #expect(fault([0x00, 0x01]) == .badTag(0))
    #expect(fault([0x0B]) == .badTag(0x0B))
    #expect(fault([0x0E]) == .badTag(0x0E))
    #expect(fault([0x80, 0x80, 0x80, 0x80, 0x10]) == .badTag(1 << 32))
    #expect(fault([8, 1, 8, 1, 8, 1], limit: 2) == .tooManyFields(limit: 2))
    #expect(fault([8, 1, 8, 1], limit: 2) == nil)
  }

  @Test("A field of another type than expected is refused")
  func wrongTypes() throws {
    let reader = try ProtobufReader(
      ProtobufWriter {
        $0.integer(1, 1)
        $0.bytes(2, [0xFF, 0xFE, 0xFD])
        $0.float(3, 1)
        $0.entry(4, "twice") { $0.integer(2, 1) }
        $0.entry(4, "twice") { $0.integer(2, 2) }
      }.bytes)
    #expect(throws: ProtobufFault.badField(1)) { try reader.string(1) }
    #expect(throws: ProtobufFault.badField(1)) { try reader.floats(1) }
    #expect(throws: ProtobufFault.badText(field: 2)) { try reader.string(2) }
    #expect(throws: ProtobufFault.badField(2)) { try reader.floats(2) }
    #expect(throws: ProtobufFault.truncated) { try reader.integers(2) }
    #expect(throws: ProtobufFault.badField(3)) { try reader.integers(3) }
    #expect(throws: ProtobufFault.badField(4)) { try reader.entries(4) }
  }

  @Test("No random bytes trap, and no damaged message does", arguments: 0..<20 as Range<UInt64>)
  func fuzz(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let sound = ProtobufWriter { writer in
      for field in 1...20 {
        writer.packed(field, integers: [field, -field])
        writer.message(field) { $0.string(1, "name \(field)") }
        writer.float(field, 1)
      }
    }.bytes
    for _ in 0..<200 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      }
      guard let reader = try? ProtobufReader(bytes) else { continue }
      for number in reader.numbers {
        _ = try? reader.integers(number)
        _ = try? reader.floats(number)
        _ = try? reader.strings(number)
        _ = try? reader.messages(number).map(\.fields.count)
        _ = try? reader.entries(number)
      }
    }
  }
}
