import Testing

@testable import CupolaCampus

@Suite("Messages about maps") struct CampusErrorMessageTests {
  static let errors: [CampusError] =
    [
      CampusError.notGeoJSON("why"), .noBoundary, .emptyPolygon("Hall"),
      .badPosition("Hall", [999, 1]), .swappedCoordinates("Hall", [1, 99]),
      .unclosedRing("Hall", ring: 2), .shortRing("Hall", ring: 2), .probablySwapped,
      .wideRing("Hall", ring: 2), .poleMissing("Hall", ring: 2),
      .unknownGeometry("Hall", type: "Blob"), .fileTooLarge(bytes: 70_000_000, limit: 64 << 20),
      .tooManyPositions(limit: 7),
    ]
    + [
      JSONFault.Kind.endsEarly, .unexpected(found: "x", wanted: "a value"), .trailingText,
      .badNumber("1x"),
      .numberOutOfRange("1e999"), .badEscape, .controlCharacter, .duplicateKey("name"), .notUTF8,
      .wideCharacters, .tooDeep(limit: 3), .tooManyValues(limit: 3),
    ].map { CampusError.notJSON(JSONFault(kind: $0, line: 3, column: 17)) }

  @Test(
    "Every error is one line that begins and ends in the middle of a sentence", arguments: errors)
  func lines(error: CampusError) {
    let message = error.message
    #expect(message.count > 10 && !message.contains("\n") && !message.hasSuffix("."))
    #expect("\(error)" == "not a usable map: " + message)
  }

  @Test("No two errors read the same")
  func distinct() { #expect(Set(Self.errors.map(\.message)).count == Self.errors.count) }

  @Test(
    "Messages name what is wrong",
    arguments: [
      (CampusError.swappedCoordinates("Hall", [1, 99]), ["Hall", "99", "longitude first"]),
      (.noBoundary, ["boundary"]),
      (
        .notJSON(JSONFault(kind: .duplicateKey("name"), line: 3, column: 17)),
        ["line 3", "column 17", "\"name\"", "twice"]
      ),
    ])
  func facts(error: CampusError, facts: [String]) {
    for fact in facts { #expect(error.message.contains(fact)) }
  }
}
