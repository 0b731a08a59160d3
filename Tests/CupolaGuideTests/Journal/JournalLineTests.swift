import CupolaTestSupport
import CupolaSupport
import Cupola
import CupolaCampus
import Testing

@testable import CupolaGuide
@testable import CupolaJournal

@Suite("Journal lines") struct JournalLineTests {
  private static func text(_ generator: inout SplitMix64) -> String {
    let pieces = [
      "a", "Ä", "\"", "\\", "\n", "\u{0}", "🏛", "\u{2028}", "old_library", " ", "</script>",
    ]
    return (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &generator)]
    }.joined()
  }

  private static func media(_ generator: inout SplitMix64, _ ending: String) throws -> JournalMedia
  {
    let digest = SHA256.hexadecimal(of: [UInt8.random(in: 0...255, using: &generator)])
    return try #require(JournalMedia(digest: digest, fileExtension: ending))
  }

  private static func content(_ generator: inout SplitMix64) throws -> JournalContent {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .favorite
    case 1:
      return .seen(
        JournalSighting(
          label: text(&generator), confidence: .random(in: 0...1, using: &generator),
          photo: Bool.random(using: &generator) ? try media(&generator, "heic") : nil))
    case 2:
      return .question(
        JournalQuestion(
          text: text(&generator), email: Bool.random(using: &generator) ? "ä@b.example" : nil))
    default:
      return .note(
        JournalNote(
          title: text(&generator), text: text(&generator),
          rating: Bool.random(using: &generator) ? .random(in: 1...5, using: &generator) : nil,
          voice: Bool.random(using: &generator) ? try media(&generator, "m4a") : nil,
          photos: try (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            try media(&generator, "jpg")
          }))
    }
  }

  static func operation(_ generator: inout SplitMix64) throws -> JournalOperation {
    let number = Int.random(in: 1...1_000_000, using: &generator)
    let device = ["phone", "tablet-2"][Int.random(in: 0...1, using: &generator)]
    let id = try #require(JournalID(device: device, number: number))
    let position = Position(
      latitude: .random(in: -90...90, using: &generator),
      longitude: Double(Int.random(in: -180...180, using: &generator)),
      horizontalError: Bool.random(using: &generator) ? .random(in: 0...99, using: &generator) : nil
    )
    let entry = JournalEntry(
      id: id, time: Double(Int.random(in: 0...2_000_000_000, using: &generator)) / 8,
      position: Bool.random(using: &generator) ? position : nil,
      building: Bool.random(using: &generator) ? text(&generator) : nil,
      place: Bool.random(using: &generator) ? text(&generator) : nil,
      confirmedLabel: Bool.random(using: &generator) ? text(&generator) : nil,
      content: try content(&generator))
    let clock = HybridClock(
      milliseconds: .random(in: 0...(1 << 46), using: &generator),
      tick: .random(in: 0...9, using: &generator))
    return JournalOperation(
      stamp: JournalStamp(clock: clock, device: "phone", number: number), id: id,
      entry: Int.random(in: 0..<8, using: &generator) == 0 ? nil : entry)
  }

  @Test("Operations round-trip through lines")
  func roundTrip() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<Verification.count(800, of: 5000) {
      let operation = try Self.operation(&generator)
      guard case .object(let members) = try JSONReader.value(of: operation.line) else { continue }
      #expect(try JournalFields(members).operation(of: "phone") == operation)
    }
  }
}
