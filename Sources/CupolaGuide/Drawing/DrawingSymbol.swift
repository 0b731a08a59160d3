/// The signs of marks, drawn by paths: no font has them everywhere.
enum DrawingSymbol {
  /// Half of the side of a sign's square, pixels.
  static func radius(_ kind: MapDrawing.Mark.Kind) -> Double {
    switch kind {
    case .entrance: 4.5
    case .door: 2
    default: 8
    }
  }

  /// What a sign means, for the key.
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
