import Testing

@testable import Cupola

@Suite("Color profiles") struct ColorProfileTests {
  private static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
  }

  /// A profile with one power curve and three colorants.
  private static func profile(
    colorants: [[Double]] = displayP3, curve: [UInt8]? = nil, space: String = "RGB "
  ) -> [UInt8] {
    // The power 2.2.
    let curve = curve ?? Array("para".utf8) + words([0, 0, 144_179])
    var tags: [(String, [UInt8])] = zip(["r", "g", "b"], colorants).map { channel, color in
      let values = words([0] + color.map { Int(($0 * 65_536).rounded()) })
      return (channel + "XYZ", Array("XYZ ".utf8) + values)
    }
    tags += ["r", "g", "b"].map { ($0 + "TRC", curve) }
    var table = words([tags.count])
    var body: [UInt8] = []
    for (name, data) in tags {
      table += Array(name.utf8) + words([132 + 12 * tags.count + body.count, data.count])
      body += data
    }
    let start = [UInt8](repeating: 0, count: 16) + Array((space + "XYZ ").utf8)
    return start + [UInt8](repeating: 0, count: 104) + table + body
  }

  private static let displayP3 = [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ]
  private static let sRGB = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]
  private static let curveOfSRGB: [UInt8] =
    Array("para".utf8) + words([0, 3 << 16])
    + words(
      [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map { Int(($0 * 65_536).rounded()) })

  private static func pixel(_ samples: [UInt8]) -> RGBImage {
    RGBImage(width: 1, height: 1, pixels: samples)
  }

  @Test("Colors of Display P3 become those of sRGB")
  func wide() throws {
    let profile = try #require(ColorProfile(icc: Self.profile(curve: Self.curveOfSRGB)))
    // Grays stay; colors grow, as far as sRGB goes. Values by CSS Color 4's matrices.
    for gray in [UInt8(0), 37, 128, 255] {
      let found = profile.toSRGB(Self.pixel([gray, gray, gray])).pixels
      #expect(found.allSatisfy { abs(Int($0) - Int(gray)) <= 1 })
    }
    #expect(profile.toSRGB(Self.pixel([255, 0, 0])).pixels == [255, 0, 0])
    let found = profile.toSRGB(Self.pixel([180, 100, 60])).pixels
    #expect(zip(found, [193, 95, 49] as [UInt8]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    #expect(ColorProfile.displayP3.toSRGB(Self.pixel([180, 100, 60])).pixels == found)
  }

  @Test("The profile of sRGB changes nothing, and is none")
  func same() {
    #expect(
      ColorProfile(icc: Self.profile(colorants: Self.sRGB, curve: Self.curveOfSRGB)) == nil)
  }

  @Test("Curves are powers, tables or nothing")
  func curves() throws {
    let table: [UInt8] =
      Array("curv".utf8) + Self.words([0, 3]) + [0, 0, 0x40, 0, 0xFF, 0xFF, 0, 0]
    let power: [UInt8] = Array("curv".utf8) + Self.words([0, 1]) + [2, 0x33, 0, 0]
    let none: [UInt8] = Array("curv".utf8) + Self.words([0, 0])
    for curve in [table, power, none] {
      let profile = try #require(
        ColorProfile(icc: Self.profile(colorants: Self.displayP3, curve: curve)))
      #expect(profile.toSRGB(Self.pixel([0, 0, 0])).pixels == [0, 0, 0])
      #expect(profile.toSRGB(Self.pixel([255, 255, 255])).pixels.allSatisfy { $0 >= 254 })
    }
    // Half of a sample is half of the light, which is the sample 188 of sRGB.
    let linear = try #require(ColorProfile(icc: Self.profile(colorants: Self.sRGB, curve: none)))
    #expect(abs(Int(linear.toSRGB(Self.pixel([128, 128, 128])).pixels[0]) - 188) <= 1)
  }

  @Test("What is no profile of RGB is none, and no damage crashes")
  func damaged() {
    #expect(ColorProfile(icc: []) == nil)
    #expect(ColorProfile(icc: Self.profile(space: "CMYK")) == nil)
    let whole = Self.profile()
    for count in 0..<whole.count { _ = ColorProfile(icc: Array(whole.prefix(count))) }
    var generator = SplitMix64(seed: 1)
    for _ in 0..<5000 {
      var spoilt = whole
      spoilt[Int(generator.next() % UInt64(whole.count))] = UInt8(generator.next() & 255)
      _ = ColorProfile(icc: spoilt)?.toSRGB(Self.pixel([1, 2, 3]))
    }
  }
}
