internal import Cupola

/// All that the rules of a check look at.
struct CheckMaterial: Sendable {
  let set: PhotoSet
  /// Photos that can be used, by name.
  let photos: [CheckedPhoto]
  /// Files that cannot.
  let unusable: [SkippedFile]
  /// Folders with hidden names, relative to the folder of photos.
  let hiddenFolders: [String]
  let campus: Campus?
  /// Labels that perhaps mean a building of the map.
  var doubtful: [LabelMatching.Pair] = []
  /// Pairs of copies, equal files included, by their numbers in `photos`.
  let copies: [NearDuplicates.Pair]
  let validation: QuickCrossValidation?

  /// Photos of real buildings that are labels, by label.
  var buildings: [String: [CheckedPhoto]] {
    Dictionary(
      grouping: photos.filter {
        !Labels.isBackground($0.label) && $0.traits.photo.split != .testUnknown
      }, by: \.label)
  }
}

/// Finds one kind of thing, or few that belong together.
protocol CheckRule: SendableMetatype {
  static func findings(in material: CheckMaterial) -> [CheckFinding]
}

extension CheckRule {
  /// A finding about photos, if there are any.
  static func finding(
    _ kind: CheckFinding.Kind, _ items: [CheckFinding.Item], _ message: (String) -> String,
    advice: String, noun: String = "photo"
  ) -> [CheckFinding] {
    guard !items.isEmpty else { return [] }
    return [
      CheckFinding(
        kind: kind, message: message(FigureText.count(items.count, noun)), advice: advice,
        items: items)
    ]
  }
}
