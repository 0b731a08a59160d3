import Testing

@testable import Cupola

@Suite("Orientation") struct OrientationTests {
  /// The stored position of upright pixel (x, y), as the EXIF standard defines orientations.
  static func stored(_ orientation: Orientation, _ x: Int, _ y: Int, _ image: RGBImage) -> (
    Int, Int
  ) {
    let (right, bottom) = (image.width - 1, image.height - 1)
    return switch orientation {
    case .up: (x, y)
    case .upMirrored: (right - x, y)
    case .down: (right - x, bottom - y)
    case .downMirrored: (x, bottom - y)
    case .leftMirrored: (y, x)
    case .right: (y, bottom - x)
    case .rightMirrored: (right - y, bottom - x)
    case .left: (right - y, x)
    }
  }

  @Test("Every orientation matches another decoder", arguments: 1...8)
  func fixtures(value: Int) throws {
    let name = "orientation-\(value)"
    let picture = try PhotoDecoder().open(Fixtures.jpeg(name)).image()
    #expect(picture == (try Fixtures.expectedPicture(name)))
    let metadata = try PhotoDecoder().open(Fixtures.jpeg(name)).metadata
    #expect(metadata.orientation.rawValue == value && metadata.faults == [])
  }

  @Test("Every pixel moves as the standard defines", arguments: Orientation.allCases)
  func pixels(orientation: Orientation) {
    for (width, height) in [(5, 3), (1, 1), (6, 1), (1, 6)] {
      let picture = RGBImage.random(width, height, seed: 21)
      let upright = picture.upright(from: orientation)
      #expect(upright.width == (orientation.swapsSides ? height : width))
      #expect(upright.width * upright.height == width * height)
      for y in 0..<upright.height {
        for x in 0..<upright.width {
          let (column, row) = Self.stored(orientation, x, y, picture)
          #expect(upright[x, y] == picture[column, row])
        }
      }
    }
  }
}

@Suite("Sample conversion") struct SampleConversionTests {
  @Test("The fourth sample and incomplete pixels are dropped")
  func padded() {
    #expect(SampleConversion.rgb(paddedRGB: [1, 2, 3, 255, 4, 5, 6, 0, 7]) == [1, 2, 3, 4, 5, 6])
    #expect(SampleConversion.rgb(paddedRGB: []) == [])
  }

  @Test("Inks are multiplied by black and rounded to nearest")
  func inverted() {
    for ink in 0...255 {
      let black = (ink * 89 + 31) % 256
      let samples = [UInt8(ink), 255, 0, UInt8(black)]
      let expected = (Double(ink * black) / 255).rounded()
      #expect(
        SampleConversion.rgb(cmyk: samples, inverted: true) == [UInt8(expected), UInt8(black), 0])
    }
  }

  @Test("Samples that are not inverted are complemented")
  func plain() {
    let samples: [UInt8] = [0, 10, 200, 0, 30, 60, 90, 120]
    let opposite = samples.map { 255 - $0 }
    #expect(
      SampleConversion.rgb(cmyk: samples, inverted: false)
        == SampleConversion.rgb(cmyk: opposite, inverted: true))
    #expect(SampleConversion.rgb(cmyk: [0, 0, 0, 0], inverted: false) == [255, 255, 255])
  }

  @Test("A CMYK file without Adobe's marker is not inverted")
  func withoutMarker() throws {
    let photo = try Fixtures.jpeg("cmyk")
    let adobe = try #require(
      photo.indices.first { photo[$0...].starts(with: [0xFF, 0xEE, 0, 14]) })
    let plain = Array(photo[..<adobe] + photo[(adobe + 16)...])
    let (one, other) = (
      try PhotoDecoder().open(photo).image(), try PhotoDecoder().open(plain).image()
    )
    // The first pixel has no black ink, so both readings differ.
    #expect(one[0, 0] != other[0, 0] && one.pixels.count == other.pixels.count)
  }
}

@Suite("Color profiles") struct ColorProfileTests {
  private static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
  }

  private static func profile(
    colorants: [[Double]] = displayP3, curve: [UInt8]? = nil, space: String = "RGB "
  ) -> [UInt8] {
    // Gamma 2.2.
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

  @Test("Display P3 is converted to sRGB")
  func wide() throws {
    let profile = try #require(ColorProfile(icc: Self.profile(curve: Self.curveOfSRGB)))
    // Grays are unchanged; colors gain saturation up to the sRGB gamut. Values from the matrices of CSS Color 4.
    for gray in [UInt8(0), 37, 128, 255] {
      let found = profile.toSRGB(Self.pixel([gray, gray, gray])).pixels
      #expect(found.allSatisfy { abs(Int($0) - Int(gray)) <= 1 })
    }
    #expect(profile.toSRGB(Self.pixel([255, 0, 0])).pixels == [255, 0, 0])
    let found = profile.toSRGB(Self.pixel([180, 100, 60])).pixels
    #expect(zip(found, [193, 95, 49] as [UInt8]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    #expect(ColorProfile.displayP3.toSRGB(Self.pixel([180, 100, 60])).pixels == found)
  }

  @Test("An sRGB profile needs no conversion")
  func same() {
    #expect(
      ColorProfile(icc: Self.profile(colorants: Self.sRGB, curve: Self.curveOfSRGB)) == nil)
  }

  @Test("Curves are gamma values, tables or linear")
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
    // Half of the linear light is the sRGB sample 188.
    let linear = try #require(ColorProfile(icc: Self.profile(colorants: Self.sRGB, curve: none)))
    #expect(abs(Int(linear.toSRGB(Self.pixel([128, 128, 128])).pixels[0]) - 188) <= 1)
  }

  @Test("Invalid or damaged profiles are ignored without a crash")
  func damaged() {
    #expect(ColorProfile(icc: []) == nil)
    #expect(ColorProfile(icc: Self.profile(space: "CMYK")) == nil)
    let whole = Self.profile()
    for count in 0..<whole.count { _ = ColorProfile(icc: Array(whole.prefix(count))) }
    var generator = SplitMix64(seed: 1)
    for _ in 0..<500 {
      var damaged = whole
      damaged[Int(generator.next() % UInt64(whole.count))] = UInt8(generator.next() & 255)
      _ = ColorProfile(icc: damaged)?.toSRGB(Self.pixel([1, 2, 3]))
    }
  }
}
