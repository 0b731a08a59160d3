/// Equal files and copies, within a label and where they do harm: under two labels, or on both sides
/// of a split.
enum DuplicateRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    var items: [CheckFinding.Kind: [CheckFinding.Item]] = [:]
    var told: [CheckFinding.Kind: Set<Int>] = [:]
    for pair in material.copies {
      let (first, second) = (material.photos[pair.first], material.photos[pair.second])
      let likeness = Likeness(first, second)
      let kind = kind(first, second, likeness)
      // Of many copies of one picture each is told once.
      guard told[kind, default: []].insert(pair.second).inserted else { continue }
      items[kind, default: []].append(
        CheckFinding.Item(
          second.name, "\(likeness.rawValue) \(first.name)", like: first.name))
    }
    func found(_ kind: CheckFinding.Kind) -> [CheckFinding.Item] { items[kind] ?? [] }
    return finding(
      .acrossLabels, found(.acrossLabels), { "\($0) also under another label" },
      advice: "keep each under the label that is right", noun: "pair")
      + finding(
        .acrossParts, found(.acrossParts), { "\($0) also on the other side of the split" },
        advice: "figures would be flattered; divide the photos again with cupola split")
      + finding(
        .alikeAcrossParts, found(.alikeAcrossParts),
        { "\($0) nearly the same as one on the other side of the split" },
        advice: "if they are crops figures are flattered; divide the photos with cupola split")
      + finding(
        .equalPhotos, found(.equalPhotos), { "\($0) equal to another file" },
        advice: "they are kept together when photos are divided; one of each is enough")
      + finding(
        .copies, found(.copies),
        { "\($0) nearly the same as another: copies, crops, or from the same spot" },
        advice: "they are kept together when photos are divided; one of each is enough")
  }

  /// How two photos that correlate are alike.
  private enum Likeness: String {
    case equal = "the same file as"
    case copy = "a copy of"
    case mirrored = "a mirrored copy of"
    /// A crop, or a photo taken anew from the same spot: of a flat facade that is hard to tell.
    case alike = "nearly the same as"

    init(_ first: CheckedPhoto, _ second: CheckedPhoto) {
      guard first.traits.digest != second.traits.digest else {
        self = .equal
        return
      }
      guard let a = first.traits.thumbnail.map(PerceptualHash.init),
        let b = second.traits.thumbnail.map(PerceptualHash.init)
      else {
        self = .alike
        return
      }
      self =
        a.distance(to: b) <= PerceptualHash.reach
        ? .copy : a.mirrored.distance(to: b) <= PerceptualHash.reach ? .mirrored : .alike
    }
  }

  private static func kind(
    _ first: CheckedPhoto, _ second: CheckedPhoto, _ likeness: Likeness
  ) -> CheckFinding.Kind {
    if first.label != second.label { return .acrossLabels }
    func trains(_ photo: CheckedPhoto) -> Bool? {
      photo.traits.photo.split.map { $0 == .train || $0 == .val }
    }
    if trains(first) != trains(second) {
      return likeness == .alike ? .alikeAcrossParts : .acrossParts
    }
    return likeness == .equal ? .equalPhotos : .copies
  }
}
