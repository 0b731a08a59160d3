internal import Cupola

/// Which kinds of pictures of no buildings are missing, as far as names of folders tell.
///
/// Visitors point at all of them, and a kind that did not train is given a building's name several times as
/// often as one that did.
enum BackgroundKindRule: CheckRule {
  private struct Kind {
    let title: String
    /// A folder to make of them.
    let example: String
    /// What words in names of folders begin with.
    let words: [String]
  }

  private static let kinds = [
    Kind(
      title: "streets, cars and grounds", example: "_street",
      words: [
        "street", "road", "path", "car", "vehicle", "traffic", "parking", "context", "square",
        "ground", "lawn",
      ]),
    Kind(
      title: "rooms from inside", example: "_indoor",
      words: ["indoor", "interior", "inside", "room", "corridor", "office", "lab"]),
    Kind(
      title: "trees, hills, water and sky", example: "_landscape",
      words: [
        "tree", "forest", "wood", "garden", "landscape", "nature", "hill", "mountain", "sea",
        "water", "lake", "beach", "sky", "field", "plant",
      ]),
    Kind(
      title: "people", example: "_people",
      words: ["people", "person", "face", "crowd", "portrait", "selfie", "student", "visitor"]),
    Kind(
      title: "things close by", example: "_object",
      words: ["object", "thing", "food", "sign", "desk", "table", "animal", "statue", "screen"]),
  ]

  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let backgrounds = material.set.photos.filter { Labels.isBackground($0.label) }
    guard !backgrounds.isEmpty else { return [] }
    let named = Set(backgrounds.flatMap { words(of: $0, in: material.set) })
    let missing = kinds.filter { kind in
      !named.contains { word in kind.words.contains { word.hasPrefix($0) } }
    }
    return finding(
      .missingKinds,
      missing.map { CheckFinding.Item($0.title, "a folder such as \($0.example)") },
      { "\($0) of pictures of no buildings that no folder is named after" },
      advice:
        "visitors point at these too; such pictures get a name more often if none like them trains",
      noun: "kind")
  }

  /// Those of the label and of the folders below the one that was named, in lowercase.
  private static func words(of photo: LabeledPhoto, in set: PhotoSet) -> [String] {
    let root = set.joinedRoots.first { photo.name.hasPrefix($0 + "/") }
    let name = photo.name.dropFirst(root?.count ?? 0)
    let folders = name.split(separator: "/").dropLast().joined(separator: " ")
    return (photo.label + " " + folders).lowercased().split { !$0.isLetter }.map(String.init)
  }
}
