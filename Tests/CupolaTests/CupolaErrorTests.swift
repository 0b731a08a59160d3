import Testing

@testable import Cupola

@Suite("Error messages") struct CupolaErrorTests {
  static let errors: [CupolaError] =
    [
      .cannotRead(path: "/a/b", code: 2), .cannotWrite(path: "/a/b", code: 13),
      .fileTooLarge(bytes: 70_000_000, limit: 64 << 20), .notJPEG(.png), .damagedJPEG("why"),
      .truncatedJPEG("why"), .pictureTooLarge(width: 3, height: 4, limit: 100_000_000),
      .pictureTooSmall(width: 3, height: 4, needed: 16), .unknownLabel("a\nb"),
      .noOtherLabel("a\u{1B}[2J"),
    ]
    + [
      ModelFault.notSafetensors, .badHeaderSize(9), .badHeader("why"),
      .wrongSize(expected: 9, found: 8), .badOffsets(tensor: "t"), .badShape(tensor: "t"),
      .missing("t"), .wrongFormat("t"), .unknownVersion("9"), .wrongDigest,
      .notFinite(tensor: "t"), .inconsistent("why"),
    ].map(CupolaError.badModel)
    + [
      CampusFault.notGeoJSON("why"), .noBoundary, .emptyPolygon("Hall"),
      .badPosition("Hall", [999, 1]), .swappedCoordinates("Hall", [1, 99]),
      .unclosedRing("Hall", ring: 2), .shortRing("Hall", ring: 2), .probablySwapped,
      .wideRing("Hall", ring: 2), .poleMissing("Hall", ring: 2),
      .unknownGeometry("Hall", type: "Blob"), .fileTooLarge(bytes: 70_000_000, limit: 64 << 20),
      .tooManyPositions(limit: 7),
    ].map(CupolaError.badCampus)
    + [
      .endsEarly, .unexpected(found: "x", wanted: "a value"), .trailingText, .badNumber("1x"),
      .numberOutOfRange("1e999"), .badEscape, .controlCharacter, .duplicateKey("name"), .notUTF8,
      .wideCharacters, .tooDeep(limit: 3), .tooManyValues(limit: 3),
    ].map { .badCampus(.notJSON(JSONFault(kind: $0, line: 3, column: 17))) }

  @Test(
    "Every error is one line that begins and ends in the middle of a sentence", arguments: errors)
  func lines(error: CupolaError) {
    let message = error.message
    #expect(message.count > 10 && !message.contains("\n") && !message.hasSuffix("."))
    #expect("\(error)" == message)
  }

  @Test("No two errors read the same")
  func distinct() { #expect(Set(Self.errors.map(\.message)).count == Self.errors.count) }

  @Test(
    "Messages name what is wrong",
    arguments: [
      (CupolaError.cannotRead(path: "/a/b", code: 2), ["/a/b", "No such file"]),
      (.fileTooLarge(bytes: 70_000_000, limit: 64 << 20), ["70000000", "64 MB"]),
      (.pictureTooLarge(width: 31, height: 47, limit: 100_000_000), ["31x47", "100 megapixels"]),
      (.pictureTooSmall(width: 3, height: 4, needed: 16), ["3x4", "16x16"]),
      (.truncatedJPEG("why"), ["why", "--lenient"]),
      (.badCampus(.swappedCoordinates("Hall", [1, 99])), ["Hall", "99", "longitude first"]),
      (.badCampus(.noBoundary), ["boundary"]),
      (
        .badCampus(.notJSON(JSONFault(kind: .duplicateKey("name"), line: 3, column: 17))),
        ["line 3", "column 17", "\"name\"", "twice"]
      ), (.badModel(.unknownVersion("9")), ["9", "update"]),
    ])
  func facts(error: CupolaError, facts: [String]) {
    for fact in facts { #expect(error.message.contains(fact)) }
  }
}
