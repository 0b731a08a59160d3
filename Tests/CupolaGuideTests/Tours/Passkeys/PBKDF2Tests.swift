import Testing

@testable import CupolaGuide

/// The bytes of hexadecimal digits.
private func bytes(_ digits: String) -> [UInt8] {
  let digits = digits.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

@Suite("HMAC and PBKDF2")
struct PBKDF2Tests {
  @Test("HMAC-SHA-256 is that of RFC 4231")
  func hmac() {
    let cases: [(key: [UInt8], message: [UInt8], code: String)] = [
      (
        [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        Array(1...25), [UInt8](repeating: 0xCD, count: 50),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        Array(
          ("This is a test using a larger than block-size key and a larger than block-size data. "
            + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ]
    for one in cases {
      #expect(HMAC(key: one.key).code(of: one.message) == bytes(one.code))
    }
  }

  @Test("PBKDF2-HMAC-SHA-256 is that of RFC 7914, section 11")
  func pbkdf2() {
    #expect(
      PBKDF2.key(password: Array("passwd".utf8), salt: Array("salt".utf8), iterations: 1, count: 64)
        == bytes(
          """
          55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc
          49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783
          """))
    #expect(
      PBKDF2.key(
        password: Array("Password".utf8), salt: Array("NaCl".utf8), iterations: 80_000, count: 64)
        == bytes(
          """
          4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56
          a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d
          """))
  }

  @Test("the time of an iteration is printed")
  func time() {
    let clock = ContinuousClock()
    let time = clock.measure {
      _ = PBKDF2.key(password: Array("x".utf8), salt: Array("salt".utf8), iterations: 10_000)
    }
    print("PBKDF2: 10,000 iterations in \(time)")
    #expect(time < .seconds(5))
  }
}
