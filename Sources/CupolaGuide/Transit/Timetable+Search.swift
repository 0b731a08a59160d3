internal import CupolaCampus

extension Timetable {
  /// The stops that somebody means who types a text: the one of that identifier, those with that number on the sign,
  /// else those with all words in their names. A station stands for its platforms.
  ///
  /// - Returns: in the feed's order; small errors in typing count only where nothing fits without.
  public func stops(meantBy text: String) -> [TransitStop] {
    if let stop = stop(text) { return [stop] }
    let boarding = stops.filter { $0.kind == .stop || $0.kind == .station }
    let coded = boarding.filter { $0.code == text }
    if !coded.isEmpty { return coded }
    var folding = Folding()
    let wanted = folding.words(of: text)
    guard !wanted.isEmpty else { return [] }
    let words = boarding.map { folding.words(of: $0.name) }
    func fitting(_ fits: ([UInt32], [UInt32]) -> Bool) -> [TransitStop] {
      let found = zip(boarding, words).filter { _, words in
        wanted.allSatisfy { one in words.contains { fits(one, $0) } }
      }.map(\.0)
      // Whoever names the station means its platforms.
      let stations = Set(found.filter { $0.kind == .station }.map(\.id))
      return found.filter { !($0.station.map(stations.contains) ?? false) }
    }
    let exact = fitting { typed, word in word.starts(with: typed) }
    if !exact.isEmpty { return exact }
    var errors = TypingErrors()
    return fitting {
      errors.count(typed: $0, word: $1, limit: $0.count < 5 ? 1 : 2).beginning != nil
    }
  }
}
