import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Writing files") struct WritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: target)
  }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("Follows links and keeps them")
  func links() throws {
    try folder.write([1], to: "there/file")
    try link("link", to: "there/file")
    try link("chain", to: "link")
    try link("new", to: "there/other")
    try FileAccess.write([2], to: folder.path("chain"))
    try FileAccess.write([3], to: folder.path("new"))
    #expect(try folder.bytes("there/file") == [2])
    #expect(try folder.bytes("there/other") == [3])
    for (name, target) in [("link", "there/file"), ("chain", "link"), ("new", "there/other")] {
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(name)) == target)
    }
    #expect(try names() == ["chain", "link", "new", "there"])
    try link("loop", to: "loop")
    #expect(throws: FileError.cannotWrite(path: folder.path("loop"), code: ELOOP)) {
      try FileAccess.write([1], to: folder.path("loop"))
    }
  }

  @Test("Rejects pipes and devices")
  func devices() throws {
    let made = unsafe mkfifo(folder.path("pipe"), 0o600)
    try #require(made == 0)
    try link("null", to: "/dev/null")
    for name in ["pipe", "null"] {
      let error = FileError.notReplaceable(path: folder.path(name))
      #expect(throws: error) { try FileAccess.checkFolder(of: folder.path(name)) }
      #expect(throws: error) { try FileAccess.write([1], to: folder.path(name)) }
    }
    #expect(throws: FileError.cannotWrite(path: folder.path, code: EISDIR)) {
      try FileAccess.checkFolder(of: folder.path)
    }
    #expect(try names() == ["null", "pipe"])
  }

  @Test("Keeps the mode of a replaced file; new files follow the umask")
  func modes() throws {
    try folder.write([1], to: "old")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.path("old"))
    try FileAccess.write([2], to: folder.path("old"))
    #expect(try mode("old") == 0o640)
    try FileAccess.write([2], to: folder.path("new"))
    let usual = unsafe open(folder.path("usual"), O_WRONLY | O_CREAT, 0o666)
    try #require(usual >= 0)
    close(usual)
    #expect(try mode("new") == mode("usual"))
  }

  @Test("Keeps the owner of a replaced file", .enabled(if: geteuid() == 0, "requires root"))
  func owner() throws {
    let path = try folder.write([1], to: "file")
    let given = unsafe chown(path, 4711, 4712)
    try #require(given == 0)
    try FileAccess.write([2], to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.ownerAccountID] as? Int == 4711)
    #expect(attributes[.groupOwnerAccountID] as? Int == 4712)
  }

  @Test("The first write to a folder removes old temporary files")
  func remains() throws {
    let digits = "0123456789abcdef"
    let old = ["m.part-" + digits, "n.part-" + digits]
    let kept = [
      "m.part-" + String(digits.reversed()), "m.part-1a", "m.part-" + digits + "0",
      "m.park-" + digits,
    ]
    for name in old + kept {
      try folder.touch(name)
      guard name != kept[0] else { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: folder.path(name))
    }
    try FileAccess.write([1], to: folder.path("m"))
    #expect(try names() == (kept + ["m"]).sorted())
  }

  private func makeOld(_ names: String...) throws {
    for name in names {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: folder.path(name))
    }
  }

  @Test("Removes temporary files of killed writers after a minute, but no locked files")
  func killedWriters() throws {
    let (dead, used) = ("live-1.jpg.part-0123456789abcdef", "m.part-fedcba9876543210")
    try folder.touch(dead, used)
    try makeOld(dead, used)
    let file = unsafe open(folder.path(used), O_RDONLY)
    defer { close(file) }
    try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
    FileAccess.sweep(folder.path)
    #expect(try names() == [used])
  }

  @Test("A writer's temporary file is not removed while it is used")
  func usedTemporaryFile() throws {
    try FileAccess.write(to: folder.path("m")) { add throws(FileError) in
      try add([1])
      do { try makeOld(try names()[0]) } catch { Issue.record(error) }
      FileAccess.sweep(folder.path)
      try add([2])
    }
    #expect(try folder.bytes("m") == [1, 2])
  }

  @Test("Unsynced writes also remove temporary files of killed writers")
  func caches() throws {
    try folder.touch("a.safetensors.part-0123456789abcdef")
    try makeOld("a.safetensors.part-0123456789abcdef")
    try FileAccess.write([1], to: folder.path("b.safetensors"), synced: false)
    #expect(try names() == ["b.safetensors"])
  }

  @Test("Temporary files of killed writers are removed even if the new file exists")
  func existing() throws {
    try folder.touch("keys", "keys.part-0123456789abcdef")
    try makeOld("keys.part-0123456789abcdef")
    #expect(throws: FileError.self) { try FileAccess.create([1], at: folder.path("keys")) }
    #expect(try names() == ["keys"])
  }

  @Test("Private files appear with their content and replace nothing")
  func privateFiles() throws {
    try FileAccess.createPrivate([1, 2], at: folder.path("keys"))
    #expect(try mode("keys") == 0o600 && folder.bytes("keys") == [1, 2])
    try link("broken", to: "nowhere")
    for name in ["keys", "broken"] {
      let error = FileError.cannotWrite(path: folder.path(name), code: EEXIST)
      #expect(throws: error) { try FileAccess.createPrivate([3], at: folder.path(name)) }
    }
    #expect(throws: FileError.self) {
      try FileAccess.createPrivate([3], at: folder.path("no/keys"))
    }
    #expect(try folder.bytes("keys") == [1, 2] && names() == ["broken", "keys"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path("keys"))
    try FileAccess.write([4], to: folder.path("keys"), isPrivate: true)
    try FileAccess.write([5], to: folder.path("new"), isPrivate: true)
    #expect(try mode("keys") == 0o600 && mode("new") == 0o600)
    #expect(try folder.bytes("keys") == [4])
  }

  @Test("New files are readable and replace nothing")
  func newFiles() throws {
    try FileAccess.create([1, 2], at: folder.path("copy"), synced: false)
    #expect(try mode("copy") & 0o600 == 0o600 && folder.bytes("copy") == [1, 2])
    let error = FileError.cannotWrite(path: folder.path("copy"), code: EEXIST)
    #expect(throws: error) { try FileAccess.create([3], at: folder.path("copy")) }
    #expect(try folder.bytes("copy") == [1, 2] && names() == ["copy"])
  }

  @Test("Writing leaves no open files")
  func descriptors() throws {
    try FileAccess.write([1], to: folder.path("a"))
    try FileAccess.createPrivate([1], at: folder.path("b"))
    try? FileAccess.write(to: folder.path("c")) { _ throws(FileError) in
      throw .cannotWrite(path: "c", code: ENOSPC)
    }
    try FileAccess.write([FileAccess.NewFile("d", [1]), .init("e", [2])], in: folder.path)
    FileAccess.sweep(folder.path)
    #if os(Linux)
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
      #expect(!open.contains { $0.hasPrefix(folder.path) })
    #endif
  }

  @Test("Writes a file with the longest possible name")
  func longName() throws {
    let name = String(repeating: "ü", count: 127) + "x"
    try FileAccess.write([1], to: folder.path(name))
    #expect(try names() == [name])
  }

  @Test("Threads can write the same file")
  func together() async throws {
    let path = folder.path("file")
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          (try? FileAccess.write([UInt8](repeating: UInt8(number), count: 5000), to: path)) != nil
        }
      }
      for await isWritten in group { #expect(isWritten) }
    }
    let bytes = try folder.bytes("file")
    #expect(bytes.count == 5000 && Set(bytes).count == 1)
    #expect(try names() == ["file"])
  }

  // MARK: - Several files

  private let files = [("a", [11]), ("b", [12]), ("c", [13])].map {
    FileAccess.NewFile($0.0, $0.1.map { UInt8($0) })
  }

  @Test("Writes several files and leaves no temporary files")
  func several() throws {
    try folder.write([1], to: "a")
    try folder.write([9], to: "mine")
    try FileAccess.write(files, in: folder.path)
    let all = try folder.contents().mapValues { Array($0) }
    #expect(all == ["a": [11], "b": [12], "c": [13], "mine": [9]])
  }

  @Test("Keeps all files if one cannot be written")
  func severalFailing() throws {
    try folder.write([1], to: "a")
    try folder.touch("d/inner")
    let before = try folder.contents()
    let long = String(repeating: "n", count: 256)
    // Simulates a full disk.
    let full = FileAccess.NewFile("c") { _ throws(FileError) in
      throw FileError.cannotWrite(path: folder.path("c"), code: ENOSPC)
    }
    for (file, code) in [
      (FileAccess.NewFile(long, [1]), ENAMETOOLONG), (full, ENOSPC),
      (FileAccess.NewFile("d", [1]), EISDIR),
    ] {
      let path = folder.path(file.name)
      #expect(throws: FileError.cannotWrite(path: path, code: code)) {
        try FileAccess.write(files + [file], in: folder.path)
      }
      #expect(try folder.contents() == before)
    }
  }
}
