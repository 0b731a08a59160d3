import Testing

@testable import CupolaGuide

@Suite("ByteWriter and ByteReader") struct ByteCodingTests {
  @Test("Numbers come back, with the fewest bytes")
  func numbers() throws {
    let counts = [0, 1, 127, 128, 16_383, 16_384, 1 << 31, 1 << 40, .max]
    let integers = [
      0, 1, -1, 63, -64, 64, -65, 8_191, -8_192, 1 << 40, -(1 << 40), 1 << 61, -(1 << 61),
    ]
    var writer = ByteWriter()
    for count in counts { writer.write(count: count) }
    for integer in integers { writer.write(integer) }
    var reader = ByteReader(writer.bytes)
    for count in counts { #expect(try reader.count(limit: .max) == count) }
    for integer in integers { #expect(try reader.integer() == integer) }
    #expect(reader.isAtEnd)
    for (number, size) in [(63, 1), (-64, 1), (64, 2), (-8_192, 2), (8_192, 3)] {
      var writer = ByteWriter()
      writer.write(number)
      #expect(writer.bytes.count == size)
    }
  }

  @Test("Texts and floats come back, nothing as something other than an empty text")
  func texts() throws {
    let texts = ["", "a", "Café", "🏛️ a\u{0}b", String(repeating: "x", count: 1_000)]
    let floats: [Float] = [
      0, -0.0, 1.5, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
    ]
    var writer = ByteWriter()
    for text in texts {
      writer.write(text)
      writer.write(optional: text)
    }
    writer.write(optional: nil)
    for float in floats { writer.write(float) }
    var reader = ByteReader(writer.bytes)
    for text in texts {
      #expect(try reader.text() == text)
      #expect(try reader.optionalText() == text)
    }
    #expect(try reader.optionalText() == nil)
    for float in floats { #expect(try reader.float().bitPattern == float.bitPattern) }
    #expect(reader.isAtEnd)
  }

  @Test("What ends early, or never, is an error")
  func malformed() {
    func fault(_ bytes: [UInt8], _ read: (inout ByteReader) throws(ByteReader.Fault) -> Void)
      -> ByteReader.Fault?
    {
      var reader = ByteReader(bytes)
      do throws(ByteReader.Fault) { try read(&reader) } catch { return error }
      return nil
    }
    #expect(fault([]) { r throws(ByteReader.Fault) in _ = try r.byte() } == .endsEarly)
    #expect(fault([0x80]) { r throws(ByteReader.Fault) in _ = try r.count() } == .endsEarly)
    #expect(fault([1, 2, 3]) { r throws(ByteReader.Fault) in _ = try r.float() } == .endsEarly)
    #expect(fault([5, 65]) { r throws(ByteReader.Fault) in _ = try r.text() } == .endsEarly)
    #expect(fault([1]) { r throws(ByteReader.Fault) in _ = try r.optionalText() } == .endsEarly)
    let endless = [UInt8](repeating: 0xFF, count: 20)
    #expect(
      fault(endless) { r throws(ByteReader.Fault) in _ = try r.count(limit: .max) }
        == .badValue("a number without end"))
    #expect(
      fault([0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) { r throws(ByteReader.Fault) in _ = try r.count() }
        == .badValue("4294967295 is too many"))
    // As many as there is room for, and no more.
    #expect(
      fault([2, 0, 0, 0, 0]) { r throws(ByteReader.Fault) in _ = try r.length(bytesEach: 2) } == nil
    )
    #expect(
      fault([3, 0, 0, 0, 0]) { r throws(ByteReader.Fault) in _ = try r.length(bytesEach: 2) }
        == .endsEarly)
  }

  @Test("Text that is no UTF-8 is read with marks in place of what is wrong")
  func notUTF8() throws {
    var reader = ByteReader([3, 0x41, 0xFF, 0x42])
    #expect(try reader.text() == "A\u{FFFD}B")
  }
}
