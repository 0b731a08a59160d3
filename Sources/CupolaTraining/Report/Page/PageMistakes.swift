#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola

// The most confident mistakes.
// 1. Sort wrong names first, followed by unsure and rejected photos whose first guess was wrong.
// 2. Show each with its image, the evidence, the answer and its position on a map.
// 3. Draw the fence, footprints and camera without map tiles or a network connection (CampusSketch).

struct PageMistakes {
  private let evaluation: Evaluation
  private let names: BuildingNames
  private let recognizer: Recognizer
  private let pictures: ReportPictures
  private let trained: Set<String>
  private static let most = 12

  init(_ report: EvaluationReport, _ recognizer: Recognizer, _ pictures: ReportPictures) {
    evaluation = report.evaluation
    trained = Set(evaluation.confusion.labels)
    names = report.names
    self.recognizer = recognizer
    self.pictures = pictures
  }

  var ranked: [Evaluation.Answer] {
    let verdicts: [Recognition.Verdict] = [.building, .mappedBuilding]
    let named = evaluation.all.filter { answer in
      isKnown(answer)
        ? verdicts.contains(answer.verdict) && !answer.isRightWithPlace
        : answer.verdict == .building
    }.sorted { $0.probabilityWithPlace > $1.probabilityWithPlace }
    let keptBack = evaluation.known.filter {
      !verdicts.contains($0.verdict) && $0.answered != $0.photo.label
    }
    .sorted { $0.probabilityWithPlace > $1.probabilityWithPlace }
    return named + keptBack
  }

  private func isKnown(_ answer: Evaluation.Answer) -> Bool {
    answer.photo.split != .testUnknown && trained.contains(answer.photo.label)
  }

  var section: ReportPage.View {
    get async {
      let all = ranked
      func section(_ intro: String, _ more: ReportPage.View = [:]) -> ReportPage.View {
        ReportPage.section(
          "mistakes", name: "Mistakes", heading: "Mistakes", intro: intro, more)
      }
      guard !all.isEmpty else {
        return section(
          "None: every name that the model gave was right, and so was every first guess.")
      }
      let shown = Array(all.prefix(Self.most))
      let embedded = await pictures.embedded(shown.map(\.photo), size: .large)
      let drawings = await pictures.drawings(shown)
      let sketch = recognizer.model.campus.flatMap(CampusSketch.init)
      let maps = shown.map { map(of: $0, sketch) }
      let hasMap = maps.contains { $0 != nil }
      let definition = sketch.flatMap { sketch in
        hasMap
          ? SVG.element(
            "svg", [("class", "definitions"), ("aria-hidden", "true")], sketch.definition) : nil
      }
      return section(
        note(shown: shown.count, of: all.count),
        [
          "hasMistakes": true, "hasMap": hasMap, "mapDefinition": definition ?? "",
          "mistakes": shown.indices.map {
            view(of: shown[$0], embedded[$0], drawings[$0], map: maps[$0])
          },
        ])
    }
  }

  private func note(shown: Int, of all: Int) -> String {
    let kinds =
      "Photos that got a wrong name, followed by unsure and rejected photos whose first guess was wrong. In both "
      + "groups, photos with a more probable wrong building come first. "
      + "Check whether the photo, its label or the model is wrong."
    return shown < all ? "The first \(shown) of \(all). \(kinds)" : kinds
  }

  private func view(
    of answer: Evaluation.Answer, _ picture: ReportPictures.Embedded?,
    _ drawing: (picture: ReportPictures.Embedded, caption: String)?, map: String?
  ) -> ReportPage.View {
    var view: ReportPage.View = ["heading": heading(of: answer), "facts": facts(of: answer)]
    if let map { view["map"] = map }
    if let drawing {
      view["overlay"] = drawing.picture.source
      view["overlayWidth"] = "\(drawing.picture.width)"
      view["overlayHeight"] = "\(drawing.picture.height)"
      view["overlayNote"] = drawing.caption
    }
    return view.merging(picture?.view(alt: "Photo of \(truth(of: answer))") ?? [:]) { $1 }
  }

  private func heading(of answer: Evaluation.Answer) -> String {
    let truth = truth(of: answer)
    if answer.verdict == .building { return "\(truth), mistaken for \(answered(answer))" }
    return "\(truth): \(said(of: answer)); first guess: \(answered(answer))"
  }

  private func truth(of answer: Evaluation.Answer) -> String {
    let label = answer.photo.label
    if Labels.isBackground(label) { return "No building" }
    return isKnown(answer) ? names[label] : "\(names[label]) (not in the model)"
  }

  private func facts(of answer: Evaluation.Answer) -> [ReportPage.View] {
    let facts: [(String, String?)] = [
      ("answer", answer.facts.answer),
      ("distance", answer.facts.distance.map { "\(FigureText.decimal($0, digits: 0)) m" }),
      ("session", answer.photo.namedSession),
      ("day", answer.photo.namedSession == nil ? answer.day : nil),
      ("file", answer.photo.name),
    ]
    return facts.compactMap { name, value in value.map { ["name": name, "value": $0] } }
  }

  private func said(of answer: Evaluation.Answer) -> String {
    switch answer.verdict {
    case .building: "named \(answered(answer))"
    case .mappedBuilding: "probably \(answered(answer)), from the position only"
    case .notOnCampus: "Not on Campus"
    case .notACampusBuilding: "Not a Campus Building"
    case .unsure: "Unsure"
    }
  }

  private func answered(_ answer: Evaluation.Answer) -> String {
    answer.answered.map { names[$0] } ?? "nothing"
  }

  private func map(of answer: Evaluation.Answer, _ sketch: CampusSketch?) -> String? {
    let heading = answer.facts.position.flatMap { position in
      answer.facts.heading?.trueNorth(at: position, year: MagneticField.defaultYear).degrees
    }
    return sketch?.svg(
      at: answer.facts.position, heading: heading, truth: answer.photo.label,
      answer: answer.answered)
  }
}

struct CampusSketch {
  let campus: Campus
  private let plane: Plane

  static let groundName = "campus-ground"
  private static let side = 240.0

  init?(_ campus: Campus) {
    let fence = campus.geofence.polygons.flatMap(\.rings)
    let buildings = campus.buildings.flatMap { $0.footprint.flatMap(\.rings) }
    let points = campus.buildings.compactMap(\.position).map {
      Polygon.Vertex(longitude: $0.longitude, latitude: $0.latitude)
    }
    // Fit the map to the buildings, because a distant fence would make them too small.
    let corners = buildings.joined() + points
    guard let plane = Plane(corners.isEmpty ? Array(fence.joined()) : Array(corners)) else {
      return nil
    }
    self.campus = campus
    self.plane = plane
  }

  var ground: String {
    campus.geofence.polygons.map { area($0, "map-fence") }.joined()
      + campus.buildings.map { shape($0, "map-footprint") }.joined()
  }

  var definition: String {
    SVG.element("symbol", [("id", Self.groundName), ("overflow", "visible")], ground)
  }

  /// The camera, the true building and the answered building; `nil` without a position.
  func svg(at position: Position?, heading: Double?, truth: String, answer: String?) -> String? {
    guard let position else { return nil }
    let (x, y) = plane.point(longitude: position.longitude, latitude: position.latitude)
    var drawing = SVG.element("use", [("href", "#" + Self.groundName)])
    if let answer, answer != truth, let building = campus.building(labeled: answer) {
      drawing += shape(building, "map-answered")
    }
    if let building = campus.building(labeled: truth) {
      drawing += shape(building, "map-true")
    }
    if let heading {
      // Draw the field of view as a wedge of 60 degrees.
      let ends = [heading - 30, heading + 30].map { degrees -> (x: Double, y: Double) in
        let angle = degrees * .pi / 180
        return (x + 34 * sin(angle), y - 34 * cos(angle))
      }
      drawing += SVG.path([(x, y)] + ends, closed: true, "map-view")
    }
    drawing += SVG.circle(x, y, radius: 5, "map-camera")
    let isInside = (0...Self.side).contains(x) && (0...Self.side).contains(y)
    let label =
      "Map: camera position, \(truth)"
      + (answer.map { $0 == truth ? "" : " and the answer \($0)" } ?? "")
      + (isInside ? "" : "; the position is beyond the edge of the map")
    return SVG.picture(width: Self.side, height: Self.side, label: label, drawing)
  }

  private func shape(_ building: Building, _ style: String) -> String {
    if building.footprint.isEmpty {
      guard let position = building.position else { return "" }
      let (x, y) = plane.point(longitude: position.longitude, latitude: position.latitude)
      return SVG.rectangle(
        x: x - 5, y: y - 5, width: 10, height: 10, style, title: building.name)
    }
    return building.footprint.map { area($0, style, title: building.name) }.joined()
  }

  private func area(_ polygon: Polygon, _ style: String, title: String? = nil) -> String {
    let rings = polygon.rings.map { ring in
      SVG.trace(
        ring.dropLast().map { plane.point(longitude: $0.longitude, latitude: $0.latitude) },
        closed: true)
    }
    return SVG.element(
      "path", [("d", rings.joined()), ("class", style), ("fill-rule", "evenodd")],
      title.map { SVG.title($0) } ?? "")
  }

  /// A local planar projection of the Earth, north up, with a margin around the given points.
  private struct Plane {
    private let west: Double
    private let north: Double
    private let perDegreeNorth: Double
    private let perDegreeEast: Double
    private let origin: Double

    init?(_ corners: [Polygon.Vertex]) {
      guard let first = corners.first else { return nil }
      // Use the shorter way across the antimeridian.
      let east = corners.map { Degrees.turn(from: first.longitude, to: $0.longitude) }
      let latitudes = corners.map(\.latitude)
      let (low, high) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
      let (left, right) = (east.min() ?? 0, east.max() ?? 0)
      let shrink = max(cos((low + high) / 2 * .pi / 180), 0.01)
      // The span is at least about 100 m, even for a single point.
      let span = max(high - low, (right - left) * shrink, 1e-3)
      perDegreeNorth = CampusSketch.side * 0.84 / span
      perDegreeEast = perDegreeNorth * shrink
      origin = first.longitude
      west = (left + right) / 2 - CampusSketch.side / 2 / perDegreeEast
      north = (low + high) / 2 + CampusSketch.side / 2 / perDegreeNorth
    }

    func point(longitude: Double, latitude: Double) -> (x: Double, y: Double) {
      (
        (Degrees.turn(from: origin, to: longitude) - west) * perDegreeEast,
        (north - latitude) * perDegreeNorth
      )
    }
  }
}
