internal import CupolaGuide

extension TourStop {
  /// - Throws: ``GuideError/badTour(path:problem:)``.
  init(_ node: TourNode, _ languages: [String]) throws(GuideError) {
    try node.checkMembers([
      "id", "title", "place", "latitude", "longitude", "radius", "beacon", "text", "media",
      "questions", "after",
    ])
    let id = try node.required("id").identifier()
    let title = try node.required("title").localized(languages, mostBytes: Tour.mostTitleBytes)
    let place = try Self.place(node)
    let beacon = try Self.beacon(node["beacon"])
    guard place != nil || beacon != nil else {
      throw node.fault(
        "is nowhere; give it \"place\", \"latitude\" and \"longitude\", or \"beacon\"")
    }
    let radius = try node["radius"]?.number(Self.radii)
    if place == nil, let radius = node["radius"] {
      throw radius.fault("a radius around no place; remove it, or give the stop a place")
    }
    self.init(
      id: id, title: title, place: place, radius: radius ?? Self.usualRadius, beacon: beacon,
      text: try node["text"]?.localized(languages, lines: true),
      media: try Self.media(node["media"], languages),
      questions: try Self.questions(node["questions"], languages),
      after: try Self.after(node["after"]))
  }

  private static func place(_ node: TourNode) throws(GuideError) -> Place? {
    let (latitude, longitude) = (node["latitude"], node["longitude"])
    if let place = node["place"] {
      guard latitude == nil, longitude == nil else {
        throw place.fault("a place and coordinates; keep one of them")
      }
      return .named(try place.text(mostBytes: Tour.mostTitleBytes))
    }
    guard latitude != nil || longitude != nil else { return nil }
    let north = try node.required("latitude").number(-90...90)
    let east = try node.required("longitude").number(-180...180)
    guard let point = MapPoint(latitude: north, longitude: east) else { return nil }
    return .point(latitude: point.latitude, longitude: point.longitude)
  }

  private static func beacon(_ node: TourNode?) throws(GuideError) -> Beacon? {
    guard let node else { return nil }
    try node.checkMembers(["zone", "level"])
    return Beacon(
      zone: try node.required("zone").text(mostBytes: Tour.mostTitleBytes),
      level: try node["level"]?.oneOf("immediate", "near", "far") ?? .near)
  }

  private static func media(
    _ node: TourNode?, _ languages: [String]
  ) throws(GuideError) -> [TourMedia] {
    var media: [TourMedia] = []
    for node in try node?.list(0...Tour.mostParts) ?? [] {
      try node.checkMembers(["path", "kind", "alt"])
      let path = try node.required("path")
      let text = try path.text(mostBytes: TourMedia.mostPathBytes)
      if let problem = TourMedia.problem(ofPath: text) { throw path.fault(problem) }
      media.append(
        TourMedia(
          path: text, kind: try node.required("kind").oneOf("image", "audio", "video"),
          alternative: try node["alt"]?.localized(languages, lines: true)))
    }
    return media
  }

  private static func questions(
    _ node: TourNode?, _ languages: [String]
  ) throws(GuideError) -> [TourQuestion] {
    var questions: [TourQuestion] = []
    for (number, node) in (try node?.list(0...Tour.mostParts) ?? []).enumerated() {
      let question = try TourQuestion(node, languages, number: number + 1)
      guard !questions.contains(where: { $0.id == question.id }) else {
        throw node.fault("another question has the id \"\(question.id)\"; give each its own")
      }
      questions.append(question)
    }
    return questions
  }

  private static func after(_ node: TourNode?) throws(GuideError) -> [String] {
    var after: [String] = []
    for node in try node?.list(0...Tour.mostStops) ?? [] {
      let id = try node.identifier()
      guard !after.contains(id) else { throw node.fault("\(id) stands there twice; remove one") }
      after.append(id)
    }
    return after
  }
}
