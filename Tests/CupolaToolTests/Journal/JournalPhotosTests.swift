import CupolaTestSupport
import Testing

@Suite("cupola journal photos") struct JournalPhotosTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for number in 1...3 {
      try folder.write(try TinyCampus.jpeg(.arch, seed: UInt64(number)), to: "\(number).jpg")
      let added = try run("add", "visit", "--photo", "\(number).jpg", "--device", "phone")
      expectSuccess(added)
      let id = added.stdout.split(separator: "\n").joined()
      expectSuccess(try run("confirm", "visit", id, "arch", "--device", "phone"))
    }
  }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["journal"] + arguments, in: folder)
  }

  @Test("A folder that cannot be written is told once, by its own name")
  func unwritable() throws {
    try folder.touch("file", "photos/arch")
    for (output, name) in [("file", "file"), ("photos", "photos/arch")] {
      expectFailure(
        try run("photos", "visit", "-o", output), 73,
        "cupola: \(name): cannot write it: Not a directory; name another folder")
    }
    #expect(
      try run("photos", "visit", "-o", "new").stdout.hasPrefix("3 photos copied, 0 there already"))
  }

  @Test("A label that can name no folder of photos is told with what to do; others are copied")
  func identifier() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 4), to: "4.jpg")
    let added = try run("add", "visit", "--photo", "4.jpg", "--device", "phone")
    let id = added.stdout.split(separator: "\n").joined()
    expectSuccess(try run("confirm", "visit", id, "way/101", "--device", "phone"))
    let photos = try run("photos", "visit", "-o", "photos")
    expectFailure(
      photos, 1, "\"way/101\" cannot be the name of a folder; confirm what the map calls",
      "cupola journal confirm visit \(id) NAME")
    #expect(photos.stdout.hasPrefix("3 photos copied"))
    expectSuccess(try run("confirm", "visit", id, "_unfamiliar", "--device", "phone"))
    expectFailure(
      try run("photos", "visit", "-o", "photos"), 1, "Cupola keeps the label \"_unfamiliar\"")
    expectSuccess(try run("confirm", "visit", id, "Old Arch", "--device", "phone"))
    expectSuccess(try run("photos", "visit", "-o", "photos"))
    #expect(try folder.contents().keys.contains { $0.hasPrefix("photos/Old Arch/journal-") })
  }
}
