// 1. Project, thin out and clip areas and lines, keeping the largest within a maximum number of points.
// 2. Draw them in the order of their kinds, and add signs and names where there is room.

extension DrawingPanel {
  struct DrawnArea {
    let kind: MapDrawing.Area.Kind
    let rings: [[SIMD2<Double>]]
    let box: DrawingBox
    let size: Double
    let label: String?
  }

  func drawnAreas() -> [DrawnArea] {
    let edge = view.box.grown(by: 10)
    let areas = ground.areas.compactMap { drawn($0, edge) }
    let largest = areas.indices.sorted {
      (areas[$1].size, $0) < (areas[$0].size, $1)
    }
    let kept = Self.affordable(largest.prefix(Self.mostAreas)) { areas[$0].rings }
    return kept.map { areas[$0] }.enumerated().sorted {
      ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset)
    }.map(\.element)
  }

  private func drawn(_ area: MapDrawing.Area, _ edge: DrawingBox) -> DrawnArea? {
    let outdoors =
      switch area.kind {
      case .park, .water, .area, .building: true
      default: false
      }
    let fromAbove = area.kind == .building && scope == .outdoors
    guard fromAbove || shows(area.levels, outdoors: outdoors) else { return nil }
    let rings = area.rings.compactMap { ring -> [SIMD2<Double>]? in
      let cut = DrawingClip.ring(DrawingClip.thinned(view.points(ring)), to: edge)
      return cut.isEmpty ? nil : cut
    }
    guard let outer = rings.first, let box = DrawingBox(outer) else { return nil }
    let size = Self.size(outer) - rings.dropFirst().reduce(0) { $0 + Self.size($1) }
    guard size >= 1 else { return nil }
    return DrawnArea(
      kind: area.kind, rings: rings, box: box, size: size, label: DrawingText.label(area.label))
  }

  private static func size(_ ring: [SIMD2<Double>]) -> Double {
    guard var last = ring.last else { return 0 }
    var twice = 0.0
    for point in ring {
      twice += last.x * point.y - point.x * last.y
      last = point
    }
    return abs(twice) / 2
  }

  func areaPaths(_ areas: [DrawnArea]) -> String {
    areas.map { area in
      let trace = area.rings.map { SVGMarkup.trace($0, isClosed: true) }.joined()
      return SVGMarkup.path(
        trace, "area " + style(area), area.label.map(SVGMarkup.title) ?? "")
    }.joined()
  }

  private func style(_ area: DrawnArea) -> String {
    switch area.kind {
    case .park: "park"
    case .water: "water"
    case .area: "open"
    case .building: scope == .outdoors ? "building" : "storey"
    case .corridor: "corridor"
    case .room: "room"
    case .stairs, .elevator: "shaft"
    case .closed: "closed"
    }
  }

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
    return DrawnLine(
      kind: line.kind, parts: parts, length: length, label: DrawingText.label(line.label))
  }

  static func length(_ points: [SIMD2<Double>]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
  }

  private func thick(_ meters: Double, _ limits: ClosedRange<Double>) -> Double {
    min(max(meters * view.scale, limits.lowerBound), limits.upperBound)
  }

  /// Draws all lines of a kind in one path, so that crossings look connected.
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

  private struct DrawnMark {
    let kind: MapDrawing.Mark.Kind
    let point: SIMD2<Double>
    let label: String?
  }

  /// Returns the visible marks, most useful kinds first. Stairs and elevators drawn as areas also get a mark.
  private func drawnMarks(
    _ kinds: Set<MapDrawing.Mark.Kind>, _ areas: [DrawnArea]
  ) -> [DrawnMark] {
    var marks: [DrawnMark] = []
    for mark in ground.marks where kinds.contains(mark.kind) {
      guard shows(mark.levels, outdoors: mark.kind != .door), isLarge(enoughFor: mark.kind),
        let point = view.point(mark.point), view.box.contains(point)
      else { continue }
      let label = mark.label.map { DrawingText.plain($0) }
      marks.append(DrawnMark(kind: mark.kind, point: point, label: label))
    }
    for area in areas where area.size > 60 {
      let kind: MapDrawing.Mark.Kind
      switch area.kind {
      case .stairs: kind = .stairs
      case .elevator: kind = .elevator
      default: continue
      }
      marks.append(DrawnMark(kind: kind, point: area.box.middle, label: area.label))
    }
    return Array(
      marks.enumerated().sorted {
        ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset)
      }.map(\.element).prefix(Self.mostMarks))
  }

  private func isLarge(enoughFor kind: MapDrawing.Mark.Kind) -> Bool {
    switch kind {
    case .door: view.scale >= 4
    case .entrance: view.scale >= 0.9
    default: view.scale >= 0.6
    }
  }

  mutating func marks(_ kinds: Set<MapDrawing.Mark.Kind>, _ areas: [DrawnArea]) -> String {
    var svg = ""
    for mark in drawnMarks(kinds, areas) {
      let side = DrawingSymbol.radius(mark.kind) * 2
      let box = DrawingBox(mark.point, width: side, height: side)
      if mark.kind != .door, space.firstFree([box]) == nil { continue }
      signs.insert(mark.kind)
      signPlaces.insert(mark.point)
      svg += DrawingSymbol.svg(mark.kind, at: mark.point, title: mark.label)
    }
    return svg
  }

  mutating func markLabels() -> String {
    var svg = ""
    let kinds = Set(MapDrawing.Mark.Kind.allCases).subtracting([
      .entrance, .door, .elevator, .stairs, .escalator, .toilets, .parking,
    ])
    for mark in drawnMarks(kinds, []) {
      guard let label = mark.label, !label.isEmpty, view.scale >= 1, !names.contains(label),
        signPlaces.contains(mark.point)
      else {
        continue
      }
      let lines = DrawingText.name(label, size: 11)
      let wide = DrawingText.width(lines, size: 11)
      let tall = Double(lines.count) * 12.6 + 2
      let boxes = [SIMD2(1.0, 0.0), [-1, 0], [0, 1], [0, -1]].map { side in
        let reach = SIMD2(11 + wide / 2, 10 + tall / 2)
        return DrawingBox(mark.point + reach * side, width: wide, height: tall)
      }
      guard let free = firstClear(boxes) else { continue }
      space.take(free)
      names.insert(label)
      svg += SVGMarkup.text(lines: lines, at: free.middle, size: 11, "m halo offer-name")
    }
    return svg
  }
}
