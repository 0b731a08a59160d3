import Testing

@testable import Cupola

@Suite("Error messages") struct CupolaErrorTests {
  static let errors: [CupolaError] =
    [
      .file(.cannotRead(path: "/a/b", code: 2)), .file(.cannotWrite(path: "/a/b", code: 13)),
      .file(.tooLarge(bytes: 70_000_000, limit: 64 << 20)), .unsupportedFormat(.png),
      .damagedPhoto(.jpeg, "why"), .truncatedPhoto(.jpeg, "why"),
      .pictureTooLarge(width: 3, height: 4, limit: 100_000_000),
      .pictureTooSmall(width: 3, height: 4, needed: 16), .unknownLabel("a\nb"),
      .noOtherLabel("a\u{1B}[2J"),
    ]
    + [
      ModelFault.notSafetensors, .badHeaderSize(9), .headerTooLarge(bytes: 9, limit: 8),
      .badHeader("why"),
      .wrongSize(expected: 9, found: 8), .badOffsets(tensor: "t"), .badShape(tensor: "t"),
      .missing("t"), .wrongFormat("t"), .unknownVersion("9"), .wrongDigest,
      .notFinite(tensor: "t"), .inconsistent("why"),
    ].map(CupolaError.badModel)
    + [.badCampus(.noBoundary)]

  @Test(
    "Every message is one line without a final period", arguments: errors)
  func lines(error: CupolaError) {
    let message = error.message
    #expect(message.count > 10 && !message.contains("\n") && !message.hasSuffix("."))
    #expect("\(error)" == message)
  }

  @Test("All error messages differ")
  func distinct() { #expect(Set(Self.errors.map(\.message)).count == Self.errors.count) }

  @Test(
    "Messages name the cause",
    arguments: [
      (CupolaError.file(.cannotRead(path: "/a/b", code: 2)), ["/a/b", "No such file"]),
      (.file(.tooLarge(bytes: 70_000_000, limit: 64 << 20)), ["70000000", "64 MB"]),
      (.pictureTooLarge(width: 31, height: 47, limit: 100_000_000), ["31x47", "100 megapixels"]),
      (.pictureTooSmall(width: 3, height: 4, needed: 16), ["3x4", "16x16"]),
      (.truncatedPhoto(.jpeg, "why"), ["why", "--lenient"]),
      (.badCampus(.noBoundary), ["not a usable map", "boundary"]),
      (.badModel(.unknownVersion("9")), ["9", "update"]),
    ])
  func facts(error: CupolaError, facts: [String]) {
    for fact in facts { #expect(error.message.contains(fact)) }
  }
}
