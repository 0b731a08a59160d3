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
    #expect(
      ProtobufWriter { $0.packed(1, floats: [1, -2]) }.bytes
        == [0x0A, 0x08, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
    #expect(
      ProtobufWriter { $0.entry(7, "a") { $0.string(2, "b") } }.bytes
        == [0x3A, 0x06, 0x0A, 0x01, 0x61, 0x12, 0x01, 0x62])
    #expect(
      ProtobufWriter { $0.bytes(536_870_911, [1]) }.bytes == [
        0xFA, 0xFF, 0xFF, 0xFF, 0x0F, 0x01, 1,
      ]
    )
  }
}
