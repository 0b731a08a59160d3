import Testing

@testable import CupolaTraining

@Suite("Misspelled labels")
struct MisspelledLabelTests {
  private static let known = [
    "hesburgh_library", "main_building", "hall", "building01", "zoo", "b1",
    "11-2", "annex_12",
  ]

  @Test(
    "a typing error or two, another case and other separators are noticed",
    arguments: [
      ("hesburg_library", "hesburgh_library"), ("Hesburgh Library", "hesburgh_library"),
      ("mian_buidling", "main_building"), ("hal", nil), ("halll", "hall"), ("hill", "hall"),
      ("building02", nil), ("bilding01", "building01"), ("zo", nil), ("dining_hall", nil),
      ("main_building_annex", nil), ("hall2", nil), ("", nil), ("Zoo", "zoo"), ("z-oo", "zoo"),
      ("B_1", "b1"), ("1b", nil), ("b2", nil), ("+", nil), ("11 2", "11-2"), ("1-12", nil),
      ("Annex-12", "annex_12"), ("annex_1_2", nil),
    ])
  func likely(label: String, expected: String?) {
    let found = MisspelledLabel.all(of: [label], known: Self.known)
    #expect(found.first?.meant == expected && found.count == (expected == nil ? 0 : 1))
  }

  @Test("a background that frames show is no misspelled building")
  func backgrounds() throws {
    try TrainingError.check(["_hall", "_zoo"], in: "walks", against: Self.known)
    #expect(throws: TrainingError.self) {
      try TrainingError.check(["_hall", "Hall"], in: "walks", against: Self.known)
    }
  }

  @Test("labels that the model has are none, and at most three are told")
  func several() {
    #expect(MisspelledLabel.all(of: Set(Self.known), known: Self.known).isEmpty)
    let many = Set(["halls", "hull", "hell", "mall", "hails"])
    #expect(
      MisspelledLabel.all(of: many, known: ["hall"]).map(\.label) == ["halls", "hell", "hull"])
  }
}
