/// The colours of the page, by day and by night, and the style that uses them.
///
/// Told apart by lightness as well as by hue: blue and orange for the colour-blind, and plain text on
/// every ground with a contrast of 4.5 or more (WCAG 2.2, AA).
struct PageStyle: Sendable {
  let paper, panel, empty, ink, muted, line, accent: SRGB
  /// The curves.
  let first, second, third: SRGB
  /// Parts of bars and of the map.
  let good, unsure, refused, bad: SRGB
  let ramp: ColourRamp

  static let light = PageStyle(
    paper: SRGB(hex: 0xFDFDFC), panel: SRGB(hex: 0xF5F6F7), empty: SRGB(hex: 0xEFF1F3),
    ink: SRGB(hex: 0x1A1E23), muted: SRGB(hex: 0x545C66), line: SRGB(hex: 0xD6DADF),
    accent: SRGB(hex: 0x0B57A4), first: SRGB(hex: 0x0B61B5), second: SRGB(hex: 0xC04A0A),
    third: SRGB(hex: 0x1F7A55), good: SRGB(hex: 0x0B61B5), unsure: SRGB(hex: 0xE3C567),
    refused: SRGB(hex: 0xA3ADB8), bad: SRGB(hex: 0xC04A0A), ramp: .light)

  static let dark = PageStyle(
    paper: SRGB(hex: 0x14171A), panel: SRGB(hex: 0x1C2024), empty: SRGB(hex: 0x1F2429),
    ink: SRGB(hex: 0xE8EBEE), muted: SRGB(hex: 0xA6AFB9), line: SRGB(hex: 0x353C44),
    accent: SRGB(hex: 0x7DB9FA), first: SRGB(hex: 0x6FB1F5), second: SRGB(hex: 0xF0954F),
    third: SRGB(hex: 0x63C79B), good: SRGB(hex: 0x5AA2EA), unsure: SRGB(hex: 0xD9BC5F),
    refused: SRGB(hex: 0x77828E), bad: SRGB(hex: 0xEE8A43), ramp: .dark)

  /// The whole style of the page.
  static var text: String {
    let rest = String(decoding: PackageResources.report_css, as: UTF8.self)
    return ":root{\(light.variables)}" + light.ramp.style
      + "@media screen and (prefers-color-scheme:dark){:root{\(dark.variables)}"
      + dark.ramp.style + "}\n" + rest
  }

  private var variables: String {
    var values = [
      ("paper", paper), ("panel", panel), ("empty", empty), ("ink", ink), ("muted", muted),
      ("line", line), ("accent", accent), ("first", first), ("second", second), ("third", third),
    ]
    for (name, colour) in parts {
      values.append((name, colour))
      values.append(("on-" + name, colour.plainest))
    }
    return values.map { "--\($0.0):\($0.1.text)" }.joined(separator: ";")
  }

  /// What text stands on, in the colour that is plainest there.
  var parts: [(name: String, colour: SRGB)] {
    [("good", good), ("unsure", unsure), ("refused", refused), ("bad", bad)]
  }
}

extension SRGB {
  /// From `0xRRGGBB`.
  init(hex: UInt32) {
    self.init(
      red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
  }
}
