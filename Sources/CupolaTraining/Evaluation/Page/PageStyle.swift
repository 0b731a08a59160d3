/// The colors of the page, by day and by night, and the style that uses them.
///
/// Told apart by lightness as well as by hue: blue and orange for the color-blind, and plain text on
/// every ground with a contrast of 4.5 or more (WCAG 2.2, AA).
struct PageStyle: Sendable {
  private let colors: [(name: String, color: SRGB)]
  let ramp: ColorRamp

  /// Every color by day and by night: grounds and text, the three curves, and parts of bars and of the
  /// map.
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

  /// A color by its name; black where there is none.
  subscript(name: String) -> SRGB { colors.first { $0.name == name }?.color ?? .black }

  /// The whole style of the page.
  static var text: String {
    let rest = String(decoding: PackageResources.report_css, as: UTF8.self)
    return ":root{\(light.variables)}" + light.ramp.style
      + "@media screen and (prefers-color-scheme:dark){:root{\(dark.variables)}"
      + dark.ramp.style + "}\n" + rest
  }

  private var variables: String {
    let grounds = parts.map { ("on-" + $0.name, $0.color.plainest) }
    return (colors + grounds).map { "--\($0.0):\($0.1.text)" }.joined(separator: ";")
  }

  /// What text stands on, in the color that is plainest there.
  var parts: ArraySlice<(name: String, color: SRGB)> { colors.suffix(4) }
}

extension SRGB {
  /// From `0xRRGGBB`.
  init(hex: UInt32) {
    self.init(
      red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
  }
}
