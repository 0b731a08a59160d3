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
}
