internal import Cupola

/// Equal files and copies, within a label and where they do harm: under two labels, or on both sides
/// of a split.
enum DuplicateRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    var items: [CheckFinding.Kind: [CheckFinding.Item]] = [:]
    var told: [CheckFinding.Kind: Set<Int>] = [:]
    for pair in material.copies {
      let (first, second) = (material.photos[pair.first], material.photos[pair.second])
      let isEqual = first.traits.digest == second.traits.digest
      let how = isEqual ? "the same file as" : pair.isMirrored ? "a mirrored copy of" : "a copy of"
      let kind = kind(first, second, isEqual: isEqual)
      // Of many copies of one picture each is told once.
      guard told[kind, default: []].insert(pair.second).inserted else { continue }
      items[kind, default: []].append(CheckFinding.Item(second.name, "\(how) \(first.name)"))
    }
    func found(_ kind: CheckFinding.Kind) -> [CheckFinding.Item] { items[kind] ?? [] }
    return finding(
      .acrossLabels, found(.acrossLabels), { "\($0) also under another label" },
      advice: "keep each under the label that is right", noun: "pair")
      + finding(
        .acrossParts, found(.acrossParts), { "\($0) also on the other side of the split" },
        advice: "figures would be flattered; divide the photos again with cupola split")
      + finding(
        .equalPhotos, found(.equalPhotos), { "\($0) equal to another file" },
        advice: "they are kept together when photos are divided; one of each is enough")
      + finding(
        .copies, found(.copies),
        { "\($0) copied from another: saved again, cropped, resized or mirrored" },
        advice: "they are kept together when photos are divided; one of each is enough")
  }

  private static func kind(
    _ first: CheckedPhoto, _ second: CheckedPhoto, isEqual: Bool
  ) -> CheckFinding.Kind {
    if first.label != second.label { return .acrossLabels }
    func trains(_ photo: CheckedPhoto) -> Bool? {
      photo.traits.photo.split.map { $0 == .train || $0 == .val }
    }
    if trains(first) != trains(second) { return .acrossParts }
    return isEqual ? .equalPhotos : .copies
  }
}
