internal import Cupola

// 1. Recognize the folders that divide photos into splits (`Split.init(folder:)`, `PhotoSet.parts`).
// 2. Recognize a folder that is one level too high, or that has no label folders (`LayoutFault`, `LayoutRule`).

extension Split {
  /// Returns the split that a folder name stands for, including the names that Keras, fastai and Roboflow use, and
  /// names such as `Training Set`, `test-images` or `1_train`.
  package init?(folder name: String) {
    let words = name.lowercased().split { !$0.isLetter }.filter { !Self.collections.contains($0) }
    switch words.joined(separator: "_") {
    case "train", "training", "trainset": self = .train
    case "val", "valid", "validation", "dev", "valset": self = .val
    case "test", "testing", "testset", "eval", "evaluation", "holdout": self = .test
    case "test_unknown": self = .testUnknown
    default: return nil
    }
  }

  private static let collections: Set<Substring> = [
    "data", "dataset", "images", "photos", "set", "split",
  ]
}

extension PhotoSet {
  /// Returns the split folders among the entries of a folder; empty if it has label folders.
  ///
  /// `train` is always a split folder. Other names can be labels, so these folders must have subfolders and no photos.
  /// Names other than Cupola's own count if the folder has two splits, or nothing else.
  static func parts(
    among entries: [Directory.Entry], in root: String, _ listing: PhotoListing
  ) -> [String: Split] {
    let folders = entries.filter(\.isDirectory)
    var named: [String: Split] = [:]
    for entry in folders { named[entry.name] = Split(folder: entry.name) }
    let shaped = named.filter { name, _ in
      name == Split.train.rawValue || holdsOnlyFolders(root + "/" + name, listing)
    }
    let isDivided =
      shaped.keys.contains { Split(rawValue: $0) != nil } || Set(shaped.values).count > 1
      || !shaped.isEmpty && shaped.count == folders.count
    // In a divided folder, the other split folders need only the name of a split.
    return isDivided ? named : [:]
  }

  private static func holdsOnlyFolders(_ path: String, _ listing: PhotoListing) -> Bool {
    let inner = (try? listing.entries(of: path)) ?? []
    return inner.contains(where: \.isDirectory)
      && !inner.contains { !$0.isDirectory && looksLikePhoto($0.name) }
  }
}

/// A photo folder whose subfolders are probably not the labels.
package enum LayoutFault: Equatable, Sendable {
  /// Every label folder contains only folders, such as this one.
  case tooHigh(label: String, inner: String, isOnly: Bool)
  /// Most photos are directly in the folder.
  case flat(photos: Int)

  package var message: String {
    switch self {
    case .tooHigh(let label, let inner, _):
      "every label folder contains only folders, such as \(label)/\(inner)"
    case .flat(let photos):
      FigureText.count(photos, "photo")
        + " directly in the photo folder, not in a folder of a building"
    }
  }

  package var advice: String {
    switch self {
    case .tooHigh(label: let label, inner: _, isOnly: true):
      "if the inner folders are the buildings, use the photo folder \(label) instead"
    case .tooHigh:
      "if the inner folders are the buildings, move them one level up, and join those with the same name"
    case .flat: "move the photos of each building into a folder with its name"
    }
  }
}

extension PhotoSet {
  package var layoutFault: LayoutFault? {
    let stray = skipped.count { $0.reason == .outsideLabelFolder && !$0.name.contains("/") }
    if stray > photos.count { return .flat(photos: stray) }
    guard !photos.contains(where: \.isListed) else { return nil }
    // The label folder is the last of these; the others are folders of splits.
    let depth = isDivided ? 2 : 1
    let folders = photos.filter { !Labels.isBackground($0.label) && $0.split != .testUnknown }
      .map { Array($0.name.split(separator: "/").dropLast()) }
    guard let first = folders.first, folders.allSatisfy({ $0.count > depth }),
      !folders.allSatisfy({ Self.isSession($0[depth]) })
    else { return nil }
    return .tooHigh(
      label: first.prefix(depth).joined(separator: "/"), inner: String(first[depth]),
      isOnly: folders.allSatisfy { $0.prefix(depth) == first.prefix(depth) })
  }

  /// The error of a folder without photos in label folders.
  package func noPhotos(in path: String) -> TrainingError {
    if let fault = layoutFault {
      return .nothingFound("\(path): \(fault.message); \(fault.advice)")
    }
    if let cloud = skipped.first(where: { $0.reason == .notDownloaded }) {
      return .nothingFound("\(path)/\(cloud.name): \(cloud.message)")
    }
    return .noLabelFolders(path: path)
  }

  /// Whether a folder inside a label folder is named like a day or session, such as `2026-05-01`.
  private static func isSession(_ name: Substring) -> Bool {
    name.count { $0.isNumber } >= 4
      || ["session", "day", "walk", "visit"].contains { name.lowercased().hasPrefix($0) }
  }
}

/// Checks for a photo folder whose subfolders are not the labels.
enum LayoutRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    guard let fault = material.set.layoutFault else { return [] }
    return [finding(fault.kind, fault.message, advice: fault.advice)]
  }
}

extension LayoutFault {
  fileprivate var kind: CheckFinding.Kind {
    switch self {
    case .tooHigh: .folderTooHigh
    case .flat: .flatFolder
    }
  }
}
