internal import CupolaCampus
internal import CupolaSupport

extension Timetable {
  /// The stops that somebody means who types a text: the one of that identifier, those with that number on the sign,
  /// else those of that very name, else those with all words in their names. A station stands for its platforms.
  ///
  /// - Returns: in the feed's order; small errors in typing, none of them in numbers, count only where nothing fits without.
  public func stops(meantBy text: String) -> [TransitStop] {
    if let stop = stop(text) { return [stop] }
    let boarding = stops.filter { $0.kind == .stop || $0.kind == .station }
    let coded = boarding.filter { $0.code == text }
    if !coded.isEmpty { return coded }
    var folding = Folding()
    let wanted = folding.words(of: text)
    guard !wanted.isEmpty else { return [] }
    let words = boarding.map { folding.words(of: $0.name) }
    func fitting(_ fits: ([[UInt32]]) -> Bool) -> [TransitStop] {
      let found = zip(boarding, words).filter { _, words in fits(words) }.map(\.0)
      // Whoever names the station means its platforms.
      let stations = Set(found.filter { $0.kind == .station }.map(\.id))
      return found.filter { !($0.station.map(stations.contains) ?? false) }
    }
    // Gate 1 is not Gate 10.
    let called = fitting { $0 == wanted }
    if !called.isEmpty { return called }
    let exact = fitting { words in
      wanted.allSatisfy { typed in words.contains { $0.starts(with: typed) } }
    }
    if !exact.isEmpty { return exact }
    var errors = TypingErrors()
    return fitting { words in
      wanted.allSatisfy { typed in
        let limit = TypingErrors.forgiven(in: typed)
        return words.contains {
          $0.starts(with: typed)
            || limit > 0 && errors.count(typed: typed, word: $0, limit: limit).beginning != nil
        }
      }
    }
  }
}
