internal import CupolaCampus
internal import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Place the ends, maneuver numbers and pins, and reserve the space of the route line.
// 2. Place labels and arrows where there is room, and draw the line.

extension DrawingPanel {
  private var runs: [RouteTrace.Run] { trace?.runs ?? [] }

  private func inView(_ run: RouteTrace.Run) -> [[SIMD2<Double>]] {
    let parts = DrawingClip.line(run.points, to: view.box.grown(by: 20))
    return parts.map(DrawingClip.thinned)
  }

  /// Draws the route line with an outline. Steps are hatched and indoor parts are dotted.
  func routePaths() -> String {
    func trace(_ looks: [RouteTrace.Run.Look]) -> String {
      runs.filter { looks.contains($0.look) }.flatMap(inView).map { SVGMarkup.trace($0) }.joined()
    }
    return SVGMarkup.path(trace([.plain, .steps, .indoor]), "way route-edge", width: 10.5)
      + SVGMarkup.path(trace([.indoor]), "way route route-indoor", width: 6.5)
      + SVGMarkup.path(trace([.plain, .steps]), "way route", width: 6.5)
      + SVGMarkup.path(trace([.steps]), "flat route-steps", width: 5)
  }

  private func samples(
    every step: Double, _ looks: [RouteTrace.Run.Look]
  ) -> [(point: SIMD2<Double>, way: SIMD2<Double>)] {
    var samples: [(point: SIMD2<Double>, way: SIMD2<Double>)] = []
    for run in runs where looks.contains(run.look) {
      for part in inView(run) {
        var next = step / 2
        for (start, end) in zip(part, part.dropFirst()) {
          let way = end - start
          let length = way.length
          while next <= length, length > 0, samples.count < 20_000 {
            samples.append((start + way * (next / length), way / length))
            next += step
          }
          next -= length
        }
      }
    }
    return samples
  }

  mutating func takeRoute() {
    for sample in samples(every: 6, [.plain, .steps, .indoor]) {
      routeSpace.take(DrawingBox(sample.point, width: 11, height: 11))
    }
  }

  func arrows() -> String {
    let trace = samples(every: 64, [.plain]).filter {
      space.isFree(DrawingBox($0.point, width: 12, height: 12))
    }.map { sample in
      let across = SIMD2(-sample.way.y, sample.way.x)
      let back = sample.point - sample.way * 1.6
      return SVGMarkup.trace([
        back + across * 2.4, sample.point + sample.way * 1.4, back - across * 2.4,
      ])
    }
    return SVGMarkup.path(trace.joined(), "way arrow", width: 1.7)
  }

  func around(
    _ point: SIMD2<Double>, distances: [Double], width: Double, height: Double
  ) -> [DrawingBox] {
    distances.flatMap { distance in
      (0..<12).map { turn in
        let angle = Double(turn) * .pi / 6 - .pi / 3
        let reach = SIMD2(distance + width / 2, distance + height / 2)
        return DrawingBox(
          point + reach * SIMD2(cos(angle), sin(angle)), width: width, height: height)
      }
    }
  }

  func firstClear(_ boxes: [DrawingBox]) -> DrawingBox? {
    boxes.first { space.isFree($0) && routeSpace.isFree($0) }
  }

  mutating func numbers() -> String {
    var svg = ""
    for stop in trace?.stops ?? [] where stop.role == .middle && view.box.contains(stop.point) {
      guard let number = stop.number, let (middle, leader) = place(aNumberAt: stop.point)
      else { continue }
      svg += leader
      svg += DrawingPanel.number(number, at: middle, .middle)
    }
    return svg
  }

  static func number(
    _ number: Int?, at middle: SIMD2<Double>, _ role: RouteTrace.Stop.Role
  ) -> String {
    let text = number.map(String.init) ?? ""
    let size = text.count > 2 ? 8.5 : 11.0
    let baseline = middle + SIMD2(0, size * 0.36)
    let circle =
      switch role {
      case .start: "start"
      case .middle: "number"
      case .end: "end"
      }
    let ring = SVGMarkup.element(
      "circle",
      [
        "class": circle, "cx": DrawingText.number(middle.x), "cy": DrawingText.number(middle.y),
        "r": "9", "stroke-width": role == .start ? "2.5" : "1.5",
      ])
    guard !text.isEmpty else { return ring }
    let style = role == .start ? "start-digit" : "digit"
    return ring + SVGMarkup.text(text, at: baseline, size: size, "m bold \(style)")
  }

  mutating func ends() -> String {
    var svg = ""
    for stop in trace?.stops ?? [] where stop.role != .middle && view.box.contains(stop.point) {
      let (x, y) = (DrawingText.number(stop.point.x), DrawingText.number(stop.point.y))
      guard stop.role == .end else {
        space.take(DrawingBox(stop.point, width: 22, height: 22))
        svg += DrawingPanel.number(stop.number, at: stop.point, .start)
        continue
      }
      let middle = stop.point - SIMD2(0, 22)
      space.take(DrawingBox(middle, width: 26, height: 26))
      space.take(DrawingBox(stop.point, width: 8, height: 20))
      svg += SVGMarkup.element(
        "path",
        [
          "class": "end", "stroke-width": "1.5",
          "d": "M\(x) \(y)c-2.5 -6 -12 -12 -12 -22a12 12 0 0 1 24 0c0 10 -9.5 16 -12 22Z",
        ])
      if let number = stop.number {
        svg += SVGMarkup.text(
          String(number), at: middle + SIMD2(0, 4.3), size: 12, "m bold digit")
      } else {
        svg += SVGMarkup.circle(middle, radius: 4, "sheet")
      }
    }
    return svg
  }

  mutating func endNames() -> String {
    var svg = ""
    for stop in trace?.stops ?? [] where stop.role != .middle && view.box.contains(stop.point) {
      let name = stop.role == .start ? trace?.origin : trace?.destination
      guard let name, !name.isEmpty else { continue }
      let lines = DrawingText.name(name, size: 13)
      let wide = DrawingText.width(lines, size: 13.6)
      let tall = Double(lines.count) * 15 + 2
      let middle = stop.role == .end ? stop.point - SIMD2(0, 20) : stop.point
      let free = around(middle, distances: [14, 24], width: wide, height: tall)
        .sorted { abs($0.middle.y - middle.y) < abs($1.middle.y - middle.y) }
      guard let box = firstClear(free) ?? free.first(where: space.isFree) else { continue }
      space.take(box)
      names.insert(name)
      svg += SVGMarkup.text(lines: lines, at: box.middle, size: 13, "m bold halo end-name")
    }
    return svg
  }

  mutating func changes() -> String {
    var svg = ""
    for change in trace?.changes ?? [] where view.box.contains(change.point) {
      let text = DrawingText.shortened(DrawingText.plain(change.text), width: 160, size: 12)
      let wide = DrawingText.width(text, size: 12.6) + 26
      let boxes = around(change.point, distances: [13, 24, 40], width: wide, height: 21)
      guard let box = firstClear(boxes) ?? boxes.first(where: space.isFree) else { continue }
      space.take(box)
      let (shape, ink) = change.isDeparture ? ("badge", "badge-ink") : ("back", "back-ink")
      let tip = SIMD2(box.left + 11, box.middle.y + (change.isUp ? -5.5 : 5.5))
      let turn = change.isUp ? 1.0 : -1.0
      let arrow = SVGMarkup.shape(
        [
          (0, 0), (4.5, 5 * turn), (1.2, 5 * turn), (1.2, 11 * turn), (-1.2, 11 * turn),
          (-1.2, 5 * turn), (-4.5, 5 * turn),
        ], at: tip, ink)
      if !box.grown(by: 14).contains(change.point) {
        svg += SVGMarkup.path(SVGMarkup.trace([change.point, box.middle]), "leader", width: 1.5)
      }
      svg += SVGMarkup.rectangle(box, radius: 10.5, shape) + arrow
      svg += SVGMarkup.text(
        text, at: SIMD2(box.left + 20, box.middle.y + 4.3), size: 12, "bold \(ink)")
    }
    return svg
  }

  private static let mostPins = 2_000

  mutating func pinNumbers() -> String {
    var svg = ""
    for pin in pins.prefix(Self.mostPins) {
      guard let point = view.point(pin.point), view.box.contains(point),
        let (middle, leader) = place(aNumberAt: point)
      else { continue }
      let number = DrawingPanel.number(pin.number, at: middle, .middle)
      svg += leader + (pin.link.map { SVGMarkup.element("a", ["href": $0], number) } ?? number)
    }
    return svg
  }

  mutating func place(aNumberAt point: SIMD2<Double>) -> (middle: SIMD2<Double>, leader: String)? {
    if space.firstFree([DrawingBox(point, width: 19, height: 19)]) != nil { return (point, "") }
    let others = around(point, distances: [4, 12, 22, 34, 50], width: 20, height: 20)
    guard let index = space.firstFree(others) else { return nil }
    let middle = others[index].middle
    return (middle, SVGMarkup.path(SVGMarkup.trace([point, middle]), "leader", width: 1.2))
  }
}
