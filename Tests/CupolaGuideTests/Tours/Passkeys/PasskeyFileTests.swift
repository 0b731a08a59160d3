import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide

@Suite("Files of passkeys")
struct PasskeyFileTests {
  private func made(_ count: Int) -> (set: PasskeySet, codes: [String]) {
    var random = SplitMix64(seed: 1)
    return PasskeySet.make(count: count, tour: "campus", expiry: nil, 2, using: &random)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test("only its owner reads it, and it is never replaced")
  func mode() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("keys.json")
    let (set, codes) = made(2)
    try set.create(path: path)
    #expect(try mode(path) == 0o600)
    #expect(throws: GuideError.self) { try set.create(path: path) }
    // Whoever opened it to others by mistake.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try PasskeySet.redeem(codes[0], at: 1, file: path).unused == 1)
    #expect(try mode(path) == 0o600)
    #expect(throws: GuideError.passkeyRefused) {
      try PasskeySet.redeem(codes[0], at: 2, file: path)
    }
    let read = try PasskeySet(path: path)
    #expect(read.tries.count == 1 && read.unused == 1)
    try PasskeySet.forgive(file: path)
    #expect(try PasskeySet(path: path).tries.count == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys.json"])
    #expect(throws: GuideError.self) { try set.create(path: folder.path("no/keys.json")) }
    #expect(throws: GuideError.self) {
      try PasskeySet.redeem("x", at: 0, file: folder.path("none"))
    }
  }

  @Test("a code that is malformed leaves the file as it is")
  func malformed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("keys.json")
    try made(2).set.create(path: path)
    let before = try folder.bytes("keys.json")
    #expect(throws: GuideError.passkeyRefused) { try PasskeySet.redeem("hello", at: 2, file: path) }
    #expect(try folder.bytes("keys.json") == before)
  }

  @Test("of many at once one redeems a key")
  func threads() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("keys.json")
    let (set, codes) = made(5)
    try set.create(path: path)
    let opened = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for number in 0..<40 {
        let code = codes[number % 5]
        group.addTask {
          (try? PasskeySet.redeem(code, at: Double(number), origin: "\(number)", file: path)) != nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(opened.count { $0 } == 5)
    let read = try PasskeySet(path: path)
    #expect(read.unused == 0 && read.tries.count == 35)
  }

  private static let childPath = ProcessInfo.processInfo.environment["CUPOLA_PASSKEY_FILE"]

  @Test("(what the other processes of the next test do)", .enabled(if: childPath != nil))
  func redeemInChild() throws {
    let path = try #require(Self.childPath)
    let (_, codes) = made(30)
    var opened = 0
    // All begin together, as soon as the last is there.
    print("READY")
    fflush(nil)
    _ = FileHandle.standardInput.readDataToEndOfFile()
    for (number, code) in codes.enumerated() {
      do throws(GuideError) {
        try PasskeySet.redeem(code, at: Double(number), file: path)
        opened += 1
      } catch { #expect(error == .passkeyRefused) }
      usleep(.random(in: 0...3000))
    }
    print("OPENED \(opened).")
  }

  #if os(Linux)
    @Test("of three processes one redeems a key", .enabled(if: childPath == nil))
    func processes() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("keys.json")
      try made(30).set.create(path: path)
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let children = try (0..<3).map { _ in
        let child = Process()
        child.executableURL = URL(filePath: program)
        child.arguments = ["--testing-library", "swift-testing", "--filter", "redeemInChild"]
        child.environment = ProcessInfo.processInfo.environment.merging(
          ["CUPOLA_PASSKEY_FILE": path]
        ) { $1 }
        let (pipe, start) = (Pipe(), Pipe())
        child.standardOutput = pipe
        child.standardInput = start
        child.standardError = FileHandle.nullDevice
        try child.run()
        return (child, pipe, start)
      }
      for (_, pipe, _) in children {
        var text = ""
        while !text.contains("READY") {
          let part = pipe.fileHandleForReading.availableData
          try #require(!part.isEmpty)
          text += String(decoding: part, as: UTF8.self)
        }
      }
      for (_, _, start) in children { try start.fileHandleForWriting.close() }
      var counts: [Int] = []
      for (child, pipe, _) in children {
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let count = text.firstMatch(of: /OPENED (\d+)\./).flatMap { Int($0.output.1) }
        counts.append(try #require(count, "\(text)"))
      }
      print("three processes redeemed \(counts)")
      #expect(counts.reduce(0, +) == 30)
      #expect(try PasskeySet(path: path).unused == 0)
      #expect(try PasskeySet(path: path).tries.count == 60)
    }
  #endif
}
