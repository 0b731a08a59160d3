import CupolaGuide

/// A place on the command line: a name, a kind, an identifier, or LAT,LON with a floor behind `@`.
struct RouteEndArgument {
  let text: String

  /// What it means in a guide: several where a kind or a name of several was asked for.
  ///
  /// - Throws: ``GuideError/unknownPlace(_:suggestions:)``.
  func ends(in guide: Guide, where isWanted: (Place) -> Bool = { _ in true }) throws -> [RouteEnd] {
    if let position {
      if guide.isExchanged(position) {
        Console.note(
          "note: \(text) is far from all ways; "
            + "with latitude and longitude exchanged it would be near")
      }
      return [position]
    }
    let meant = guide.places(meantBy: text)
    guard !meant.isEmpty else {
      throw GuideError.unknownPlace(text)
    }
    let wanted = meant.filter(isWanted)
    guard !wanted.isEmpty else { throw GuideError.nothingOpen(text) }
    return wanted.map { .place($0) }
  }

  /// The first of what it means, with a note where it means several.
  ///
  /// - Parameter word: what stands before its name in the note, such as "from".
  /// - Throws: as ``ends(in:where:)``.
  func first(in guide: Guide, _ word: String) throws -> RouteEnd {
    let ends = try ends(in: guide)
    Self.explain(ends[0], of: ends, word)
    return ends[0]
  }

  /// Says which of several places of a name or kind is taken.
  static func explain(_ taken: RouteEnd, of ends: [RouteEnd], _ word: String) {
    guard ends.count > 1, case .place(let place) = taken else { return }
    Console.note("note: \(ends.count) places are called so; \(word) \(place.title) (\(place.id))")
  }

  private var position: RouteEnd? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2,
      let coordinates = Coordinates(argument: String(first)),
      let position = coordinates.position(error: nil)
    else { return nil }
    guard parts.count == 2 else { return .position(position) }
    return Double(parts[1]).map { .position(position, level: $0) }
  }
}
