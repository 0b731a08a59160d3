import Cupola
import Testing

@testable import CupolaGuide

@Suite("Passkeys")
struct PasskeyTests {
  /// Keys whose derivation takes no time.
  private func made(_ count: Int = 3, expiry: Double? = nil, seed: UInt64 = 1) -> (
    set: PasskeySet, codes: [String]
  ) {
    var random = SplitMix64(seed: seed)
    return PasskeySet.make(count: count, tour: "campus", expiry: expiry, 2, using: &random)
  }

  private func isOpened(
    _ set: inout PasskeySet, _ code: String, at time: Double, origin: String? = nil
  ) -> Bool {
    do throws(GuideError) {
      try set.redeem(code, at: time, origin: origin)
      return true
    } catch {
      #expect(error == .passkeyRefused)
      #expect(error.message == GuideError.passkeyRefused.message)
      return false
    }
  }

  @Test("codes are three groups of five, of letters that nobody confuses, and never the same")
  func codes() {
    let (set, codes) = made(1000)
    #expect(set.count == 1000 && set.unused == 1000 && Set(codes).count == 1000)
    for code in codes {
      #expect(code.split(separator: "-").map(\.count) == [5, 5, 5])
      #expect(code.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ-".contains($0) })
    }
    // Each of 32 characters at each of 14 places about 1000/32 times: chi-squared of 434 degrees of freedom.
    var chi2 = 0.0
    for place in 0..<14 {
      var counts: [Character: Int] = [:]
      for code in codes { counts[Array(code.filter { $0 != "-" })[place], default: 0] += 1 }
      chi2 += counts.values.reduce(0) { $0 + (Double($1) - 31.25) * (Double($1) - 31.25) / 31.25 }
    }
    #expect((320.0...560.0).contains(chi2))
    #expect(made().codes == made().codes && made().codes != made(seed: 2).codes)
  }

  @Test("the check character finds every wrong character and every two exchanged ones")
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

  @Test("small letters, blanks, and I, L and O for 1 and 0 are what was meant")
  func typed() throws {
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

  @Test("a key opens once; wrong, used, expired and malformed ones are refused alike")
  func once() {
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

  @Test("after 1,000 wrong tries nothing opens any more, until they are forgiven")
  func tooOften() {
    var (set, codes) = made()
    let wrong = made(1000, seed: 3).codes
    var time = 0.0
    for (number, code) in wrong.enumerated() {
      time += 100
      #expect(!isOpened(&set, code, at: time, origin: "phone \(number)"))
    }
    #expect(set.tries.count == PasskeySet.mostTries && set.origins.count == 1000)
    #expect(!isOpened(&set, codes[0], at: time + 1e6))
    set.forgive()
    #expect(isOpened(&set, codes[0], at: time + 1e6))
  }

  @Test("whoever is wrong waits longer and longer; others do not")
  func delays() {
    var (set, codes) = made()
    let wrong = made(100, seed: 3).codes
    var time = 0.0
    for code in wrong.prefix(5) { #expect(!isOpened(&set, code, at: time, origin: "a")) }
    // Five tries, then a second.
    #expect(!isOpened(&set, codes[0], at: time + 0.9, origin: "a"))
    #expect(set.tries.count == 5)
    #expect(isOpened(&set, codes[0], at: time + 1, origin: "a"))
    time += 1
    for code in wrong[5..<10] {
      #expect(!isOpened(&set, code, at: time, origin: "a"))
      time += PasskeySet.delay(ofOriginAfter: set.tries.count)
    }
    #expect(PasskeySet.delay(ofOriginAfter: 10) == 32)
    #expect(!isOpened(&set, codes[1], at: time - 1, origin: "a"))
    #expect(isOpened(&set, codes[1], at: time - 1, origin: "b"))
    // An origin that never gives up is refused for good.
    for code in wrong[10..<60] {
      time += 4000
      _ = isOpened(&set, code, at: time, origin: "a")
    }
    #expect(set.tries.count == PasskeySet.mostTriesOfOrigin)
    #expect(!isOpened(&set, codes[2], at: time + 1e9, origin: "a"))
    #expect(isOpened(&set, codes[2], at: time + 1e9, origin: "c"))
  }

  @Test("a clock that was set back does not delay for ever")
  func clock() {
    var (set, codes) = made()
    for code in made(6, seed: 3).codes { _ = isOpened(&set, code, at: 1e9, origin: "a") }
    #expect(!isOpened(&set, codes[0], at: 1000, origin: "a"))
    #expect(isOpened(&set, codes[0], at: 1002, origin: "a"))
  }

  @Test("the file holds no code, is read as the same, and whatever is cut from it is refused")
  func file() throws {
    var (set, codes) = made(expiry: 1e9)
    _ = isOpened(&set, codes[0], at: 5.25)
    _ = isOpened(&set, made(seed: 4).codes[0], at: 6, origin: "192.0.2.7")
    let json = set.json
    let text = String(decoding: json, as: UTF8.self)
    for code in codes {
      #expect(!text.contains(code) && !text.contains(code.filter { $0 != "-" }))
    }
    #expect(!text.contains("192.0.2.7"))
    #expect(try PasskeySet(json: json, path: "") == set)
    #expect(try PasskeySet(json: json, path: "").json == json)
    for count in 0..<(json.count - 1) {
      #expect(throws: GuideError.self) { try PasskeySet(json: Array(json[..<count]), path: "") }
    }
    var random = SplitMix64(seed: 5)
    for _ in 0..<3000 {
      var changed = json
      changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
        in: 32...126, using: &random)
      guard var read = try? PasskeySet(json: changed, path: "") else { continue }
      // Not with as many iterations as may stand there now.
      try? read.redeem(isCode: true, hash: [1], at: 7, origin: "x")
    }
  }

  @Test("the time of a try is printed, the same for all; keys come from the system's random bytes")
  func time() {
    var (set, codes) = PasskeySet.make(count: 2, tour: "campus")
    #expect(set.iterations == PasskeySet.usualIterations)
    let clock = ContinuousClock()
    let times = ["nonsense", PasskeySet.make(count: 1, tour: "x").codes[0], codes[0], codes[0]]
      .map { code in clock.measure { try? set.redeem(code, at: 1) } }
    print("passkeys: malformed, wrong, right, used: \(times)")
    #expect(set.unused == 1)
    if let slow = times.max(), let quick = times.min() { #expect(quick * 20 > slow) }
  }
}
