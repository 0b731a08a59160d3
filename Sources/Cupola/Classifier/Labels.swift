/// The names of the classes, in the order of the classifier's rows.
///
/// Names that begin with `_` are background: things that are no building of the campus.
public struct Labels: Equatable, Sendable {
  /// All names, each once.
  public let names: [String]
  /// Where the buildings stand in `names`.
  public let buildings: [Int]
  /// Where the backgrounds stand in `names`.
  public let backgrounds: [Int]
  /// Where ``unfamiliar`` stands in `names`, if it does.
  package let unfamiliar: Int?

  /// Names in the order of the classifier's rows.
  package init(_ names: [String]) {
    self.names = names
    buildings = names.indices.filter { !Labels.isBackground(names[$0]) }
    backgrounds = names.indices.filter { Labels.isBackground(names[$0]) }
    unfamiliar = names.firstIndex(of: Labels.unfamiliar)
  }

  /// The backgrounds but for ``unfamiliar``: what trained.
  package var trainedBackgrounds: [Int] { backgrounds.filter { $0 != unfamiliar } }

  /// How probable it is that a picture shows anything but what is ``unfamiliar``.
  ///
  /// The sum of all else: what is left of 1 would be rounding where hardly anything is.
  func familiarity(of probabilities: [Double]) -> Double {
    guard let unfamiliar else { return 1 }
    return probabilities.indices.reduce(0) { $1 == unfamiliar ? $0 : $0 + probabilities[$1] }
  }

  /// How probable each label is in a picture of anything familiar: held-out photos of what trained tell
  /// that, and no photo of anything else is among them. What is ``unfamiliar`` keeps its own.
  func amongFamiliar(_ probabilities: [Double]) -> [Double] {
    let familiar = familiarity(of: probabilities)
    return probabilities.indices.map {
      if $0 == unfamiliar { return probabilities[$0] }
      return familiar > 0 ? probabilities[$0] / familiar : 0
    }
  }

  /// The label of what looks like none of the buildings: it has no photos, and the same logit for
  /// every picture, so that the best building must be that much like itself.
  public static let unfamiliar = "_unfamiliar"

  /// Whether a name stands for things that are no building of the campus.
  public static func isBackground(_ name: String) -> Bool { name.hasPrefix("_") }
}
