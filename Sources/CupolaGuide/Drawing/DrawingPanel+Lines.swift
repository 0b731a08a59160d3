extension DrawingPanel {
  /// A way in pixels, cut to the view.
  struct DrawnLine {
    let kind: WayKind
    let parts: [[SIMD2<Double>]]
    let length: Double
    let label: String?
  }

  func drawnLines() -> [DrawnLine] {
    let edge = view.box.grown(by: 20)
    let lines = ground.lines.compactMap { drawn($0, edge) }
    let longest = lines.indices.sorted { (lines[$1].length, $0) < (lines[$0].length, $1) }
    let kept = Self.affordable(longest.prefix(Self.mostLines)) { lines[$0].parts }
    return kept.sorted().map { lines[$0] }
  }

  /// Those that have ``mostPoints`` together at most; what would be too much is passed over.
  static func affordable(
    _ indices: some Sequence<Int>, parts: (Int) -> [[SIMD2<Double>]]
  ) -> [Int] {
    var points = mostPoints
    return indices.filter { index in
      let count = parts(index).reduce(0) { $0 + $1.count }
      guard count <= points else { return false }
      points -= count
      return true
    }
  }

  private func drawn(_ line: MapDrawing.Line, _ edge: DrawingBox) -> DrawnLine? {
    let outdoors = line.levels.isEmpty && ![.corridor, .room].contains(line.kind)
    guard line.kind != .elevator, shows(line.levels, outdoors: outdoors) else { return nil }
    let points = DrawingClip.thinned(view.points(line.points))
    let parts = DrawingClip.line(points, to: edge)
    let length = parts.reduce(0) { $0 + Self.length($1) }
    guard length >= 1 else { return nil }
    let label = line.label.map { DrawingText.plain($0) }
    return DrawnLine(
      kind: line.kind, parts: parts, length: length,
      label: label?.isEmpty == false ? label : nil)
  }

  static func length(_ points: [SIMD2<Double>]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
  }

  /// Pixels for meters, within what is neither too thin nor too thick to see.
  private func thick(_ meters: Double, _ limits: ClosedRange<Double>) -> Double {
    min(max(meters * view.scale, limits.lowerBound), limits.upperBound)
  }

  /// All ways of a kind at once, so that crossings look joined.
  func linePaths(_ lines: [DrawnLine]) -> String {
    func trace(_ kinds: Set<WayKind>) -> String {
      lines.filter { kinds.contains($0.kind) }.flatMap(\.parts).map { SVGMarkup.trace($0) }
        .joined()
    }
    let street = thick(6, 2...13)
    let streets = trace([.street])
    let path = thick(1.2, 0.8...2.4)
    let wide = thick(2.4, 2.5...8)
    let steps = trace([.steps, .escalator])
    return SVGMarkup.path(streets, "way street-edge", width: street + 2)
      + SVGMarkup.path(streets, "way street", width: street)
      + SVGMarkup.path(trace([.path, .area]), "path", width: path)
      + SVGMarkup.path(trace([.link, .corridor, .room]), "path dotted", width: path)
      + SVGMarkup.path(trace([.crossing]), "flat zebra crossing", width: wide)
      + SVGMarkup.path(steps, "flat ladder steps", width: wide)
  }
}
