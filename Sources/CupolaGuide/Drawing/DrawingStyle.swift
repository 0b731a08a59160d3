internal import CupolaSupport

// 1. Combine shapes and colors for light and dark mode in one style element.
// 2. Draw the symbol of each kind of mark as a box with a glyph.

/// The styles of drawings in light and dark mode.
///
/// Blue and vermilion can be distinguished with all types of color vision (Okabe and Ito 2008), and color is never the
/// only difference. The contrast of text is at least 4.5, and that of the route at least 3 (WCAG 2.2).
enum DrawingStyle {
  static let root = "cupola-map"

  static let element =
    "<style>\n" + shapes.map { ".\(root) \($0)\n" }.joined()
    + colors.map { ".\(root) \($0.selector) {\($0.light)}\n" }.joined()
    + "@media (prefers-color-scheme: dark) {\n"
    + colors.map { ".\(root) \($0.selector) {\($0.dark)}\n" }.joined() + "}\n</style>\n"

  private static let shapes = [
    "text {font-family: \"Helvetica Neue\", Helvetica, Arial, sans-serif}",
    ".m {text-anchor: middle}", ".e {text-anchor: end}", ".bold {font-weight: 600}",
    ".land {font-style: italic}",
    ".halo {paint-order: stroke; stroke-width: 3px; stroke-linejoin: round}",
    ".way {fill: none; stroke-linejoin: round; stroke-linecap: round}",
    ".flat {fill: none; stroke-linecap: butt}",
    ".path {fill: none; stroke-linejoin: round; stroke-linecap: round}",
    ".dotted {stroke-dasharray: 0.1 4}", ".ladder {stroke-dasharray: 1.6 2}",
    ".zebra {stroke-dasharray: 3 2.4}", ".route-indoor {stroke-dasharray: 0.1 9}",
    ".route-steps {stroke-dasharray: 2 3.4}", ".area {fill-rule: evenodd}",
  ]

  private static let colors: [(selector: String, light: String, dark: String)] = [
    (".sheet", "fill: #ffffff", "fill: #15181c"),
    (".ground", "fill: #f6f3ec", "fill: #1d2126"),
    (".outside", "fill: #e9e5db", "fill: #15181c"),
    (".frame", "fill: none; stroke: #c9c3b6", "fill: none; stroke: #3c434c"),
    (".ink", "fill: #1d1f22", "fill: #e9ebee"),
    (".pale", "fill: #5c5f66", "fill: #a6adb7"),
    (".rule", "fill: none; stroke: #1d1f22", "fill: none; stroke: #e9ebee"),
    (".park", "fill: #d9e9cd", "fill: #22362a"),
    (".water", "fill: #bfdcec", "fill: #17344a"),
    (".open", "fill: #ebe6da; stroke: #dcd5c4", "fill: #2a2e34; stroke: #363b43"),
    (".building", "fill: #e5dccb; stroke: #b8aa90", "fill: #3a4049; stroke: #59616d"),
    (".storey", "fill: #fbf9f4; stroke: #a59b88", "fill: #23272d; stroke: #59616d"),
    (".corridor", "fill: #f2ede1; stroke: #ddd4c1", "fill: #2b3037; stroke: #3a4049"),
    (".room", "fill: #fffefb; stroke: #a59b88", "fill: #343a43; stroke: #6b7480"),
    (".shaft", "fill: #dde3ea; stroke: #8f9cab", "fill: #2c3a49; stroke: #6b7f96"),
    (".closed", "fill: #bbb3a4; stroke: none", "fill: #505863; stroke: none"),
    (".street-edge", "stroke: #c6bdac", "stroke: #0f1216"),
    (".street", "stroke: #ffffff", "stroke: #464e58"),
    (".path", "stroke: #937446", "stroke: #a89268"),
    (".steps", "stroke: #7d5f30", "stroke: #cdb07a"),
    (".crossing", "stroke: #8c8577", "stroke: #d5d9df"),
    (".route-edge", "stroke: #ffffff", "stroke: #0b0e12"),
    (".route", "stroke: #0b57d0", "stroke: #6cb0ff"),
    (".route-steps", "stroke: #ffffff", "stroke: #0b0e12"),
    (".arrow", "stroke: #ffffff", "stroke: #0b0e12"),
    (".number", "fill: #0b57d0; stroke: #ffffff", "fill: #6cb0ff; stroke: #0b0e12"),
    (".digit", "fill: #ffffff", "fill: #0b0e12"),
    (".start", "fill: #ffffff; stroke: #0b57d0", "fill: #0b0e12; stroke: #6cb0ff"),
    (".start-digit", "fill: #0b57d0", "fill: #8fc3ff"),
    (".end", "fill: #b93a00; stroke: #ffffff", "fill: #ff9a5c; stroke: #0b0e12"),
    (".leader", "fill: none; stroke: #0b57d0", "fill: none; stroke: #6cb0ff"),
    (".badge", "fill: #0b57d0; stroke: #ffffff", "fill: #6cb0ff; stroke: #0b0e12"),
    (".badge-ink", "fill: #ffffff; stroke: none", "fill: #0b0e12; stroke: none"),
    (".back", "fill: #ffffff; stroke: #0b57d0", "fill: #0b0e12; stroke: #6cb0ff"),
    (".back-ink", "fill: #0b57d0; stroke: none", "fill: #8fc3ff; stroke: none"),
    (".moving", "fill: #3f4d60", "fill: #c3cfdd"),
    (".offer", "fill: #7a3690", "fill: #dba6ec"),
    (".door", "fill: #8a5a00; stroke: #ffffff", "fill: #ffcf70; stroke: #0b0e12"),
    (".door-leaf", "fill: #8a5a00", "fill: #d6a851"),
    (".sign", "fill: none; stroke: #ffffff", "fill: none; stroke: #15181c"),
    (".sign-full", "fill: #ffffff", "fill: #15181c"),
    (".name", "fill: #3b3428; stroke: #f1ebdf", "fill: #e4e7eb; stroke: #2b3037"),
    (".park-name", "fill: #2f5a2c; stroke: #d9e9cd", "fill: #a5d3a6; stroke: #22362a"),
    (".water-name", "fill: #1f4f70; stroke: #bfdcec", "fill: #9ccbe9; stroke: #17344a"),
    (".way-name", "fill: #55503f; stroke: #ffffff", "fill: #cfd4db; stroke: #1d2126"),
    (".offer-name", "fill: #6a2a80; stroke: #f6f3ec", "fill: #dfb2ee; stroke: #1d2126"),
    (".end-name", "fill: #1d1f22; stroke: #ffffff", "fill: #ffffff; stroke: #0b0e12"),
  ]
}

/// The symbols of marks, drawn as paths because no font contains all of them.
enum DrawingSymbol {
  static func radius(_ kind: MapDrawing.Mark.Kind) -> Double {
    switch kind {
    case .entrance: 4.5
    case .door: 2
    default: 8
    }
  }

  static func meaning(_ kind: MapDrawing.Mark.Kind) -> String {
    switch kind {
    case .stop: "bus stop"
    case .food: "food and drink"
    case .place: "place"
    default: "\(kind)"
    }
  }

  static func svg(
    _ kind: MapDrawing.Mark.Kind, at middle: SIMD2<Double>, title: String? = nil
  ) -> String {
    let place = "translate(\(DrawingText.number(middle.x)) \(DrawingText.number(middle.y)))"
    return SVGMarkup.element(
      "g", ["transform": place], (title.map(SVGMarkup.title) ?? "") + shape(kind))
  }

  private static func shape(_ kind: MapDrawing.Mark.Kind) -> String {
    switch kind {
    case .entrance: return "<path class=\"door\" d=\"M0 -5L5 4H-5Z\"/>"
    case .door: return "<rect class=\"door-leaf\" x=\"-2\" y=\"-2\" width=\"4\" height=\"4\"/>"
    default: break
    }
    let color =
      switch kind {
      case .elevator, .stairs, .escalator, .stop, .parking: "moving"
      default: "offer"
      }
    return "<rect class=\"\(color)\" x=\"-8\" y=\"-8\" width=\"16\" height=\"16\" rx=\"3\"/>"
      + glyph(kind)
  }

  private static func glyph(_ kind: MapDrawing.Mark.Kind) -> String {
    switch kind {
    case .elevator: full("M-4 -1.2L0 -6L4 -1.2ZM-4 1.2L0 6L4 1.2Z")
    case .stairs: stroked("M-5.5 5H-2.5V2H0.5V-1H3.5V-4H6")
    case .escalator: stroked("M-6 5H-3L3 -1H6M-3 0L2 -5M-1.2 -5H2V-1.8")
    case .toilets:
      full("M-4.6 -4.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M-5 -2.4H-1.2V2H-2V6H-4.2V2H-5Z")
        + full("M1.6 -4.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M2.2 -2.4H4L5.8 2.6H4.2V6H2V2.6H0.4Z")
    case .information:
      full(
        "M-1.5 -4.3a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0"
          + "M-2.2 -1.6H1.4V4H2.4V5.6H-2.4V4H-1.4V0H-2.2Z"
      )
    case .stop:
      full("M-5 -5.5H5V4H4V6H2V4H-2V6H-4V4H-5ZM-3.6 -4V-0.6H3.6V-4Z", isEvenOdd: true)
    case .food:
      full("M-5 -4H3V1.5A2.5 2.5 0 0 1 0.5 4H-2.5A2.5 2.5 0 0 1 -5 1.5Z")
        + stroked("M3 -2.6H4A1.7 1.7 0 0 1 4 0.8H3M-5 6H3")
    case .shop: full("M-5 -2H5L4.3 6H-4.3Z") + stroked("M-2.4 -2V-3.4A2.4 2.4 0 0 1 2.4 -3.4V-2")
    case .parking: stroked("M-2 5.5V-4.8H0.9A2.9 2.9 0 0 1 0.9 1H-2")
    default: full("M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0")
    }
  }

  private static func full(_ trace: String, isEvenOdd: Bool = false) -> String {
    "<path class=\"sign-full\"\(isEvenOdd ? " fill-rule=\"evenodd\"" : "") d=\"\(trace)\"/>"
  }

  private static func stroked(_ trace: String) -> String {
    "<path class=\"sign\" stroke-width=\"1.6\" d=\"\(trace)\"/>"
  }
}
