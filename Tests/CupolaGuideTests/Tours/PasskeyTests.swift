import CupolaCampus
import CupolaSupport
import Cupola
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Passkeys")
struct PasskeyTests {
  private func made(_ count: Int = 3, expiry: Double? = nil, seed: UInt64 = 1) -> (
    set: PasskeySet, codes: [String]
  ) {
    var random = SplitMix64(seed: seed)
    return PasskeySet.make(count: count, tour: "campus", expiry: expiry, using: &random)
  }

  private func isOpened(_ set: inout PasskeySet, _ code: String, at time: Double) -> Bool {
    do throws(GuideError) {
      try set.redeem(code, at: time)
      return true
    } catch {
      #expect(error == .passkeyRefused)
      return false
    }
  }

  @Test("Codes are unique and have three groups of five clear characters")
  func codes() {
    let (set, codes) = made(1000)
    #expect(set.count == 1000 && set.unused == 1000 && Set(codes).count == 1000)
    for code in codes {
      #expect(code.split(separator: "-").map(\.count) == [5, 5, 5])
      #expect(code.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ-".contains($0) })
    }
    // Chi-squared test with 434 degrees of freedom, for 32 characters at 14 positions.
    var chi2 = 0.0
    for place in 0..<14 {
      var counts: [Character: Int] = [:]
      for code in codes { counts[Array(code.filter { $0 != "-" })[place], default: 0] += 1 }
      chi2 += counts.values.reduce(0) { $0 + (Double($1) - 31.25) * (Double($1) - 31.25) / 31.25 }
    }
    #expect((320.0...560.0).contains(chi2))
    #expect(made().codes == made().codes && made().codes != made(seed: 2).codes)
  }

  @Test("The check character detects wrong and swapped characters")
  func check() throws {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    for code in made(20).codes {
      let characters = Array(code.filter { $0 != "-" })
      #expect(PasskeyCode(code)?.text == code)
      for place in characters.indices {
        for other in alphabet where other != characters[place] {
          var wrong = characters
          wrong[place] = other
          #expect(PasskeyCode(String(wrong)) == nil)
        }
        for second in characters.indices where characters[second] != characters[place] {
          var wrong = characters
          wrong.swapAt(place, second)
          #expect(PasskeyCode(String(wrong)) == nil)
        }
      }
    }
  }

  @Test("Accepts lowercase, spaces, and I, L and O for 1 and 0")
  func typedVariants() throws {
    let code = try #require(made(500).codes.first { $0.contains("1") && $0.contains("0") })
    let meant = PasskeyCode(code)
    for typed in [
      code.lowercased(), code.filter { $0 != "-" }, " " + code.replacing("-", with: " ") + " ",
      code.replacing("1", with: "I"), code.replacing("1", with: "l"),
      code.replacing("0", with: "o"),
    ] { #expect(PasskeyCode(typed) == meant) }
    for none in [
      "", "-", code + "0", String(code.dropLast()), code.replacing("1", with: "U"),
      "é" + code, String(repeating: "-", count: 200) + code, code + "\u{0}",
    ] { #expect(PasskeyCode(none) == nil) }
  }

  @Test("A key works once; wrong, used and expired keys throw one error")
  func redeemsOnce() {
    var (set, codes) = made(expiry: 1000)
    #expect(isOpened(&set, codes[0], at: 1))
    #expect(set.unused == 2)
    #expect(!isOpened(&set, codes[0], at: 2))
    #expect(!isOpened(&set, made(seed: 9).codes[0], at: 3))
    #expect(!isOpened(&set, "hello", at: 4))
    #expect(!isOpened(&set, codes[1], at: .nan))
    #expect(isOpened(&set, codes[1].lowercased(), at: 999))
    #expect(!isOpened(&set, codes[2], at: 1000))
    #expect(set.unused == 1)
  }

  @Test("The hash is SHA-256 of the salt and the code's values")
  func hashes() throws {
    let code = try #require(PasskeyCode("00000-00000-00000"))
    let salt = [UInt8](0..<16)
    // Computed with Python's hashlib.
    #expect(
      Hex.text(code.hash(salt))
        == "53cdc32715511a40b881e9681375b675011ad8e86d15b08857d10aa1fad0cbba")
    let (set, codes) = made()
    #expect(set.keys.map(\.hash) == codes.compactMap { PasskeyCode($0)?.hash(set.salt) })
  }

  @Test("Rejects a file of the earlier version and asks for new passkeys")
  func earlierVersion() {
    let text = String(decoding: made().set.json, as: UTF8.self)
      .replacing("cupola.passkeys/2", with: "cupola.passkeys/1")
    let error = #expect(throws: GuideError.self) {
      try PasskeySet(json: Array(text.utf8), path: "keys.json")
    }
    guard case .badFile("keys.json", let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.contains("create and distribute new passkeys"))
  }

  @Test("The file holds no codes and round-trips; truncated files throw")
  func file() throws {
    var (set, codes) = made(expiry: 1e9)
    _ = isOpened(&set, codes[0], at: 5.25)
    let json = set.json
    let text = String(decoding: json, as: UTF8.self)
    for code in codes {
      #expect(!text.contains(code) && !text.contains(code.filter { $0 != "-" }))
    }
    #expect(try PasskeySet(json: json, path: "") == set)
    #expect(try PasskeySet(json: json, path: "").json == json)
    for count in 0..<(json.count - 1) {
      #expect(throws: GuideError.self) { try PasskeySet(json: Array(json[..<count]), path: "") }
    }
    var random = SplitMix64(seed: 5)
    for _ in 0..<Verification.count(500, of: 3000) {
      var changed = json
      changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
        in: 32...126, using: &random)
      guard var read = try? PasskeySet(json: changed, path: "") else { continue }
      try? read.redeem(codes[1], at: 7)
    }
  }
}

@Suite("Passkey files")
struct PasskeyFileTests {
  private func made(_ count: Int) -> (set: PasskeySet, codes: [String]) {
    var random = SplitMix64(seed: 1)
    return PasskeySet.make(count: count, tour: "campus", using: &random)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test("Only the owner can read the file, and it is never replaced")
  func mode() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("keys.json")
    let (set, codes) = made(2)
    try set.create(path: path)
    #expect(try mode(path) == 0o600)
    #expect(throws: GuideError.self) { try set.create(path: path) }
    // The file has been made readable for others by mistake.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try PasskeySet.redeem(codes[0], at: 1, file: path).unused == 1)
    #expect(try mode(path) == 0o600)
    #expect(throws: GuideError.passkeyRefused) {
      try PasskeySet.redeem(codes[0], at: 2, file: path)
    }
    #expect(try PasskeySet(path: path).unused == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys.json"])
    #expect(throws: GuideError.self) { try set.create(path: folder.path("no/keys.json")) }
    #expect(throws: GuideError.self) {
      try PasskeySet.redeem("x", at: 0, file: folder.path("none"))
    }
  }

  @Test("A rejected code leaves the file unchanged")
  func malformed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("keys.json")
    try made(2).set.create(path: path)
    let before = try folder.bytes("keys.json")
    var random = SplitMix64(seed: 2)
    for code in ["hello", PasskeyCode(using: &random).text] {
      #expect(throws: GuideError.passkeyRefused) { try PasskeySet.redeem(code, at: 2, file: path) }
    }
    #expect(try folder.bytes("keys.json") == before)
  }

  @Test("Concurrent tasks redeem each key once")
  func threads() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("keys.json")
    let (set, codes) = made(5)
    try set.create(path: path)
    let opened = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for number in 0..<40 {
        let code = codes[number % 5]
        group.addTask {
          (try? PasskeySet.redeem(code, at: Double(number), file: path)) != nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(opened.count { $0 } == 5)
    #expect(try PasskeySet(path: path).unused == 0)
  }

  private static let childPath = ProcessInfo.processInfo.environment["CUPOLA_PASSKEY_FILE"]

  @Test("Redeems keys in a child process of the next test", .enabled(if: childPath != nil))
  func redeemInChild() throws {
    let path = try #require(Self.childPath)
    let (_, codes) = made(30)
    var opened = 0
    // All processes start together, when the last one is ready.
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
    @Test("Three processes redeem each key once", .enabled(if: childPath == nil))
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
      #expect(counts.reduce(0, +) == 30)
      #expect(try PasskeySet(path: path).unused == 0)
    }
  #endif
}
