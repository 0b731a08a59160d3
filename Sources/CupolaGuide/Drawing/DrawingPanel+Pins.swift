extension MapDrawing {
  /// A numbered place.
  public struct Pin: Equatable, Sendable {
    /// Where it is.
    public var point: RoutePoint
    /// What stands on it.
    public var number: Int
    /// Where it leads, such as `#entry`; `nil` is nowhere.
    public var link: String?

    /// A place with a number.
    public init(_ point: RoutePoint, number: Int, link: String? = nil) {
      (self.point, self.number, self.link) = (point, number, link)
    }
  }
}

extension DrawingPanel {
  /// Pins are left out beyond these.
  private static let mostPins = 2_000

  /// Numbers at their places, or beside them with lines to them.
  mutating func pinNumbers() -> String {
    var svg = ""
    for pin in pins.prefix(Self.mostPins) {
      guard let point = view.point(pin.point), view.box.holds(point),
        let (middle, leader) = place(aNumberAt: point)
      else { continue }
      let number = DrawingPanel.number(pin.number, at: middle, .middle)
      svg += leader + (pin.link.map { SVGMarkup.element("a", ["href": $0], number) } ?? number)
    }
    return svg
  }

  /// Where a number finds room: on its point, or beside it with a line to it.
  mutating func place(aNumberAt point: SIMD2<Double>) -> (middle: SIMD2<Double>, leader: String)? {
    if places.firstFree([DrawingBox(point, width: 19, height: 19)]) != nil { return (point, "") }
    let others = around(point, distances: [4, 12, 22, 34, 50], width: 20, height: 20)
    guard let index = places.firstFree(others) else { return nil }
    let middle = others[index].middle
    return (middle, SVGMarkup.path(SVGMarkup.trace([point, middle]), "leader", width: 1.2))
  }
}
