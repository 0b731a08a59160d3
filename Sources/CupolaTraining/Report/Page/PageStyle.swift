#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Colors of the page for light and dark mode.
// 1. Define the named colors. 2. Compute a color ramp with even steps of lightness, in Oklab (Ottosson 2020).
// Text has a contrast of at least 4.5 on every background (WCAG 2.2, AA).

struct PageStyle: Sendable {
  private let colors: [(name: String, color: SRGB)]
  let ramp: ColorRamp

  /// Colors in light and dark mode: backgrounds and text, the three curves, and the parts of bars and maps.
  private static let hexadecimal: [(name: String, light: UInt32, dark: UInt32)] = [
    ("paper", 0xFDFDFC, 0x14171A), ("panel", 0xF5F6F7, 0x1C2024), ("empty", 0xEFF1F3, 0x1F2429),
    ("ink", 0x1A1E23, 0xE8EBEE), ("muted", 0x545C66, 0xA6AFB9), ("line", 0xD6DADF, 0x353C44),
    ("accent", 0x0B57A4, 0x7DB9FA), ("first", 0x0B61B5, 0x6FB1F5), ("second", 0xC04A0A, 0xF0954F),
    ("third", 0x1F7A55, 0x63C79B), ("good", 0x0B61B5, 0x5AA2EA), ("unsure", 0xE3C567, 0xD9BC5F),
    ("refused", 0xA3ADB8, 0x77828E), ("bad", 0xC04A0A, 0xEE8A43),
  ]

  static let light = PageStyle(
    colors: hexadecimal.map { ($0.name, SRGB(hex: $0.light)) }, ramp: .light)
  static let dark = PageStyle(
    colors: hexadecimal.map { ($0.name, SRGB(hex: $0.dark)) }, ramp: .dark)

  subscript(name: String) -> SRGB { colors.first { $0.name == name }?.color ?? .black }

  static var text: String {
    let rest = String(decoding: PackageResources.report_css, as: UTF8.self)
    return ":root{\(light.variables)}" + light.ramp.style
      + "@media screen and (prefers-color-scheme:dark){:root{\(dark.variables)}"
      + dark.ramp.style + "}\n" + rest
  }

  private var variables: String {
    let grounds = parts.map { ("on-" + $0.name, $0.color.contrastingColor) }
    return (colors + grounds).map { "--\($0.0):\($0.1.text)" }.joined(separator: ";")
  }

  var parts: ArraySlice<(name: String, color: SRGB)> { colors.suffix(4) }
}

struct ColorRamp: Sendable {
  let from: (lightness: Double, chroma: Double)
  let to: (lightness: Double, chroma: Double)
  let hue: Double
  static let light = ColorRamp(from: (0.965, 0.015), to: (0.36, 0.13), hue: 258)
  static let dark = ColorRamp(from: (0.27, 0.03), to: (0.86, 0.09), hue: 250)
  static let steps = 11

  /// The color step for a fraction; only the fraction 0 has step 0.
  static func step(for share: Double) -> Int {
    share <= 0 ? 0 : min(max(Int((share * Double(steps - 1)).rounded()), 1), steps - 1)
  }

  func color(step: Int) -> SRGB {
    let share = Double(step) / Double(Self.steps - 1)
    return SRGB(
      lightness: from.lightness + share * (to.lightness - from.lightness),
      chroma: from.chroma + share * (to.chroma - from.chroma), hue: hue)
  }

  var style: String {
    (0..<Self.steps).map { step in
      let color = color(step: step)
      return ".h\(step){background:\(color.text);color:\(color.contrastingColor.text)}"
    }.joined()
  }
}

/// A gamma-encoded sRGB color, 0...255 per channel.
struct SRGB: Equatable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  static let black = SRGB(red: 0, green: 0, blue: 0)
  static let white = SRGB(red: 255, green: 255, blue: 255)

  var text: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  var luminance: Double {
    func linear(_ value: UInt8) -> Double {
      let share = Double(value) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio between two colors, 1...21 (WCAG 2.2); text requires at least 4.5.
  func contrast(with other: SRGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Black or white, whichever has more contrast with this color.
  var contrastingColor: SRGB { contrast(with: .black) > contrast(with: .white) ? .black : .white }

  private static func encoded(_ linear: Double) -> UInt8 {
    let value = min(max(linear, 0), 1)
    let share = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
    return UInt8((share * 255).rounded())
  }
}

extension SRGB {
  init(hex: UInt32) {
    self.init(
      red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
  }

  /// Converts an Oklab color in polar coordinates to the nearest sRGB color; the hue is in degrees.
  init(lightness: Double, chroma: Double, hue: Double) {
    let a = chroma * cos(hue * .pi / 180)
    let b = chroma * sin(hue * .pi / 180)
    func cubed(_ value: Double) -> Double { value * value * value }
    let long = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let medium = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let short = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
    red = Self.encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
    green = Self.encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
    blue = Self.encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short)
  }
}
