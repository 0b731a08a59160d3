/// What photos that trained the model do to the figures.
public struct LeakReport: Sendable {
  /// Photos that trained the model, their copies and crops, of all that were asked about.
  public let counts: [TrainingOverlap.Kind: Int]
  /// Photos of known buildings without any of these, named right by the picture alone.
  public let free: Share
  /// Photos of known buildings that are such.
  public let leaking: Share
  /// By how much the leaking ones are named better; `nil` where either are none.
  let difference: NewcombeInterval?

  /// `nil` when there are no leaks among the photos.
  init?(_ evaluation: Evaluation) {
    counts = Dictionary(grouping: evaluation.all.compactMap(\.facts.leak), by: \.self)
      .mapValues(\.count)
    guard !counts.isEmpty else { return nil }
    free = Share(of: evaluation.known.filter { $0.facts.leak == nil }, where: \.isRight)
    leaking = Share(of: evaluation.known.filter { $0.facts.leak != nil }, where: \.isRight)
    difference = NewcombeInterval(leaking, minus: free)
  }

  /// All but the shares, which are figures.
  var json: JSONObject {
    [
      "same": count(.same), "copies": count(.copy), "crops": count(.crop),
      "photos_leak_free": free.photos, "photos_leaking": leaking.photos,
    ]
  }

  private func count(_ kind: TrainingOverlap.Kind) -> Int { counts[kind] ?? 0 }
}

extension LeakReport {
  /// How many there are among all photos, in one sentence.
  func sentence(asked: Int) -> String {
    "\(count(.same)) of \(FigureText.count(asked, "photo")) trained the model, \(count(.copy)) more "
      + "are copies and \(count(.crop)) crops of such photos"
  }

  /// The figures with and without leaks, a line each.
  func text(asked: Int) -> String {
    func row(_ title: String, _ share: Share) -> (String, String) {
      guard share.photos > 0 else { return (title, "no photos") }
      return (
        title,
        "\(FigureText.percent(share.accuracy)) of \(share.photos) (95 % interval "
          + share.interval.ends.map(FigureText.percent).joined(separator: " to ") + ")"
      )
    }
    var rows = [row("top-1 without leaks", free), row("top-1 of the leaks", leaking)]
    if let difference {
      func points(_ share: Double) -> String { FigureText.decimal(100 * share, digits: 1) }
      let ends = "\(points(difference.lower)) to \(points(difference.upper))"
      rows.append(
        (
          "leaks less the others",
          "\(points(difference.difference)) points (95 % interval \(ends))"
        ))
    }
    return "LEAKS: \(sentence(asked: asked)); all figures above count them\n"
      + TextColumns.facts(rows, width: 28)
  }
}
