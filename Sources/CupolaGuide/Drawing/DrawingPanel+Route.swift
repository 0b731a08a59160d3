extension DrawingPanel {
  private var runs: [RouteTrace.Run] { trace?.runs ?? [] }

  /// The parts of a run that are in view.
  private func inView(_ run: RouteTrace.Run) -> [[SIMD2<Double>]] {
    let parts = DrawingClip.line(run.points, to: view.box.grown(by: 20))
    return parts.map(DrawingClip.thinned)
  }

  /// The line on its casing; steps are marked on it, ways inside of buildings are dotted.
  func routePaths() -> String {
    func trace(_ looks: [RouteTrace.Run.Look]) -> String {
      runs.filter { looks.contains($0.look) }.flatMap(inView).map { SVGMarkup.trace($0) }.joined()
    }
    return SVGMarkup.path(trace([.plain, .steps, .indoor]), "way route-edge", width: 10.5)
      + SVGMarkup.path(trace([.indoor]), "way route route-indoor", width: 6.5)
      + SVGMarkup.path(trace([.plain, .steps]), "way route", width: 6.5)
      + SVGMarkup.path(trace([.steps]), "flat route-steps", width: 5)
  }

  /// Points along the line in view, evenly, with the direction there.
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

  /// Keeps labels off the line.
  mutating func takeRoute() {
    for sample in samples(every: 6, [.plain, .steps, .indoor]) {
      routePlaces.take(DrawingBox(sample.point, width: 11, height: 11))
    }
  }

  /// Small arrows on the line, where nothing else is.
  func arrows() -> String {
    let trace = samples(every: 64, [.plain]).filter {
      places.isFree(DrawingBox($0.point, width: 12, height: 12))
    }.map { sample in
      let across = SIMD2(-sample.way.y, sample.way.x)
      let back = sample.point - sample.way * 1.6
      return SVGMarkup.trace([
        back + across * 2.4, sample.point + sample.way * 1.4, back - across * 2.4,
      ])
    }
    return SVGMarkup.path(trace.joined(), "way arrow", width: 1.7)
  }
}
