import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where files are written, and what becomes of what stood there.
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

  @Test("A link stays, and what it leads to is replaced, or made")
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

  @Test("Pipes and devices are refused before work begins, and stay")
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

  @Test("What is replaced leaves its mode; a new file has what the umask leaves")
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

  @Test("What is replaced leaves its owner", .enabled(if: geteuid() == 0, "only root gives away"))
  func owner() throws {
    let path = try folder.write([1], to: "file")
    let given = unsafe chown(path, 4711, 4712)
    try #require(given == 0)
    try FileAccess.write([2], to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.ownerAccountID] as? Int == 4711)
    #expect(attributes[.groupOwnerAccountID] as? Int == 4712)
  }

  @Test(
    "What killed writers left goes at the next write of that file; what lives or is another's stays"
  )
  func remains() throws {
    try folder.touch(
      "m.part-1a2b", "m.part-ff", "m.part-old", "n.part-1a", "m.part-", "m.part-0123456789abcdef0")
    let living = unsafe open(folder.path("m.part-ff"), O_RDONLY)
    try #require(living >= 0)
    defer { close(living) }
    try #require(flock(living, LOCK_EX) == 0)
    try FileAccess.write([1], to: folder.path("m"))
    let kept = ["m", "m.part-", "m.part-0123456789abcdef0", "m.part-ff", "m.part-old", "n.part-1a"]
    #expect(try names() == kept)
    // A slow writer lives: age tells only where files cannot be locked.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -4000)],
      ofItemAtPath: folder.path("m.part-ff"))
    try FileAccess.write([2], to: folder.path("m"))
    #expect(try names() == kept)
  }

  @Test(
    "A name that leaves no room for more is written too, and what killed writers of it left goes")
  func longName() throws {
    let name = String(repeating: "ü", count: 127) + "x"
    try folder.touch(String(repeating: "ü", count: 116) + ".part-1a")
    try FileAccess.write([1], to: folder.path(name))
    #expect(try names() == [name])
  }

  @Test("What changed before all time is older than anything, and goes")
  func oldest() throws {
    // Disks cut the time off; where files lie in memory it stays.
    let place = Directory.isDirectory("/dev/shm") ? "/dev/shm" : folder.path
    let path = "\(place)/cupola-test-\(UInt64.random(in: 0 ... .max))"
    let part = path + ".part-1a"
    defer { for name in [path, part] { Directory.remove(name) } }
    try FileAccess.append([1], to: part)
    let time = timespec(tv_sec: .min, tv_nsec: 0)
    // A system without such times has nothing to go wrong.
    guard unsafe utimensat(AT_FDCWD, part, [time, time], 0) == 0 else { return }
    try FileAccess.write([2], to: path)
    #expect(try FileAccess.read(path) == [2])
    #expect(!Directory.exists(part))
  }

  @Test("Writers of one file do not take each other's part for a dead one")
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
}
