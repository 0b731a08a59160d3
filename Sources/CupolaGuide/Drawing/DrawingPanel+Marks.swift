extension DrawingPanel {
  private struct DrawnMark {
    let kind: MapDrawing.Mark.Kind
    let point: SIMD2<Double>
    let label: String?
  }

  /// What is in view, the kinds that people need most first; stairs and elevators that are areas
  /// have a sign, too.
  private func drawnMarks(
    _ kinds: Set<MapDrawing.Mark.Kind>, _ areas: [DrawnArea]
  ) -> [DrawnMark] {
    var marks: [DrawnMark] = []
    for mark in ground.marks where kinds.contains(mark.kind) {
      guard shows(mark.levels, outdoors: mark.kind != .door), isLarge(enoughFor: mark.kind),
        let point = view.point(mark.point), view.box.holds(point)
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

  /// Whether a sign says more than it hides.
  private func isLarge(enoughFor kind: MapDrawing.Mark.Kind) -> Bool {
    switch kind {
    case .door: view.scale >= 4
    case .entrance: view.scale >= 0.9
    default: view.scale >= 0.6
    }
  }

  /// Signs of some kinds where there is room for them.
  mutating func marks(_ kinds: Set<MapDrawing.Mark.Kind>, _ areas: [DrawnArea]) -> String {
    var svg = ""
    for mark in drawnMarks(kinds, areas) {
      let side = DrawingSymbol.radius(mark.kind) * 2
      let box = DrawingBox(mark.point, width: side, height: side)
      if mark.kind != .door, places.firstFree([box]) == nil { continue }
      signs.insert(mark.kind)
      signPlaces.insert(mark.point)
      svg += DrawingSymbol.svg(mark.kind, at: mark.point, title: mark.label)
    }
    return svg
  }

  /// Names of points of interest, beside their signs.
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
      let wide = lines.reduce(0) { max($0, DrawingText.width($1, size: 11)) }
      let tall = Double(lines.count) * 12.6 + 2
      let boxes = [SIMD2(1.0, 0.0), [-1, 0], [0, 1], [0, -1]].map { side in
        let reach = SIMD2(11 + wide / 2, 10 + tall / 2)
        return DrawingBox(mark.point + reach * side, width: wide, height: tall)
      }
      guard let free = firstClear(boxes) else { continue }
      places.take(free)
      names.insert(label)
      svg += SVGMarkup.text(lines: lines, at: free.middle, size: 11, "m halo offer-name")
    }
    return svg
  }
}
