public import CupolaGuide
internal import CupolaSupport

extension Tour {
  /// Reads a tour.
  ///
  /// - Parameters:
  ///   - bytes: a JSON text.
  ///   - path: what errors call it.
  /// - Throws: ``GuideError/badTour(path:problem:)``, which names the place in the file;
  ///   ``GuideError/newerFormat(_:)``.
  public init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node = try TourNode(
      json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    try node.checkMembers([
      "format", "id", "title", "languages", "order", "passkey", "from", "until", "stops",
    ])
    let languages = try Self.languages(node.required("languages"))
    let from = try node["from"]?.date()
    let until = try node["until"]?.date()
    if let from, let until, until < from {
      throw try node.required("until").fault("is before \"from\"; exchange them")
    }
    let order: Order = try node.required("order").oneOf("fixed", "free")
    let id = try node.required("id").identifier()
    let title = try node.required("title").localized(languages, mostBytes: Self.mostTitleBytes)
    let needsPasskey = try node["passkey"]?.boolean() ?? false
    let list = try node.required("stops")
    var stops: [TourStop] = []
    for stop in try list.list(1...Self.mostStops) { stops.append(try TourStop(stop, languages)) }
    try TourConditions(stops, order).check(list)
    self.init(
      id: id, title: title, languages: languages, order: order, stops: stops, from: from,
      until: until, needsPasskey: needsPasskey)
  }

  /// Reads the file of a tour.
  ///
  /// - Throws: as ``init(json:path:)``; ``GuideError/file(_:)``.
  public init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  private static func languages(_ node: TourNode) throws(GuideError) -> [String] {
    var languages: [String] = []
    for element in try node.list(1...mostLanguages) {
      guard case .string(let language) = element.value, isLanguage(language) else {
        throw element.fault("no language; write it like en or pt-BR")
      }
      guard !languages.contains(language) else {
        throw element.fault("\(language) stands there twice; remove one")
      }
      languages.append(language)
    }
    return languages
  }

  /// By the outline of BCP 47: two or three letters, then parts of letters and digits.
  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count), text.utf8.count <= 35,
      first.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }
}
