internal import Cupola

// 1. Check for copies.
// 2. Check for poor quality, unusual colors, and faulty or missing metadata.
// 3. List unusable files.

/// Checks for identical files and copies: across labels, across the split and within a label.
enum DuplicateRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    var items: [CheckFinding.Kind: [CheckFinding.Item]] = [:]
    var reported: [CheckFinding.Kind: Set<Int>] = [:]
    var joining: Set<CheckFinding.Kind> = []
    for pair in material.copies {
      let (first, second) = (material.photos[pair.first], material.photos[pair.second])
      let likeness = Likeness(first, second)
      guard let kind = kind(first, second, likeness) else { continue }
      if let visit = first.traits.visit, let other = second.traits.visit, visit != other {
        joining.insert(kind)
      }
      // Report a photo once, even if it has many copies.
      guard reported[kind, default: []].insert(pair.second).inserted else { continue }
      items[kind, default: []].append(
        CheckFinding.Item(
          second.name, "\(likeness.rawValue) \(first.name)", like: first.name))
    }
    func found(_ kind: CheckFinding.Kind) -> [CheckFinding.Item] { items[kind] ?? [] }
    func advice(_ kind: CheckFinding.Kind) -> String {
      joining.contains(kind)
        ? "delete one of each, because copies from different sessions join these sessions"
        : "nothing needs to be done: one copy of each is enough, but cupola split keeps copies together"
    }
    return finding(
      .acrossLabels, found(.acrossLabels), { "\($0) of copies under different labels" },
      advice: "keep only the copy with the right label", noun: "pair")
      + finding(
        .acrossParts, found(.acrossParts), { "\($0) with a copy on the other side of the split" },
        advice: "they inflate the accuracy; run cupola split and cupola train again")
      + finding(
        .alikeAcrossParts, found(.alikeAcrossParts),
        { "\($0) similar to one on the other side of the split" },
        advice: "they inflate the accuracy; run cupola split and cupola train again")
      + finding(
        .equalPhotos, found(.equalPhotos), { "\($0) identical to another file" },
        advice: advice(.equalPhotos), isHarmless: !joining.contains(.equalPhotos))
      + finding(
        .copies, found(.copies),
        { "\($0) similar to another" }, advice: advice(.copies),
        isHarmless: !joining.contains(.copies))
  }

  private enum Likeness: String {
    case equal = "identical to"
    case copy = "copy of"
    case mirrored = "mirrored copy of"
    /// A crop, or another photo from the same spot; for flat facades, the two are hard to distinguish.
    case alike = "similar to"
    /// Another photo from the same spot, because the capture times differ.
    case sameView = "same view as"

    init(_ first: CheckedPhoto, _ second: CheckedPhoto) {
      guard first.traits.digest != second.traits.digest else {
        self = .equal
        return
      }
      if let one = first.traits.metadata.capture?.seconds,
        let other = second.traits.metadata.capture?.seconds, one != other
      {
        self = .sameView
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
  ) -> CheckFinding.Kind? {
    if first.label != second.label { return .acrossLabels }
    func trains(_ photo: CheckedPhoto) -> Bool? {
      photo.traits.photo.split.map { $0 == .train || $0 == .val }
    }
    if likeness == .sameView {
      // The same view on another day is a fair test.
      let days = [first, second].map(\.traits.metadata.capture?.day)
      return trains(first) != trains(second) && days[0] == days[1] ? .alikeAcrossParts : nil
    }
    if trains(first) != trains(second) {
      return likeness == .alike ? .alikeAcrossParts : .acrossParts
    }
    return likeness == .equal ? .equalPhotos : .copies
  }
}

/// Checks photos of buildings: small, blurred, dark and bright ones.
///
/// The limits accept 1,900 real photos, and reject all of them after a blur of 1/128 of the side length. Photos without
/// details, such as of clouds, cannot be distinguished from blurred ones. Among non-building photos they are useful.
enum QualityRule: CheckRule {
  private static let leastSide = 200
  private static let leastSharpness = 0.02
  private static let darkest = 60
  private static let brightest = 190

  static func findings(in material: CheckInput) -> [CheckFinding] {
    let photos = material.photos.filter { !Labels.isBackground($0.label) }
    func items(_ matches: (CheckedPhoto) -> Bool) -> [CheckFinding.Item] {
      photos.filter(matches).map { CheckFinding.Item($0.name) }
    }
    let small = photos.filter { $0.width * $0.height < leastSide * leastSide }
    return finding(
      .blurred,
      items {
        min($0.width, $0.height) >= leastSide && $0.light.sharpness ?? 0 < leastSharpness
          && $0.light.bright - $0.light.dark > 20
      }, { "\($0) blurred or without details" }, advice: "retake or remove")
      + finding(
        .tooSmall, small.map { CheckFinding.Item($0.name, "\($0.width)x\($0.height) pixels") },
        { "\($0) with fewer than \(leastSide)x\(leastSide) pixels" },
        advice: "they are used, but larger originals are better")
      + finding(
        .tooDark, items { $0.light.bright < darkest }, { "\($0) nearly black" },
        advice: "retake with more light, or remove")
      + finding(
        .tooBright, items { $0.light.dark > brightest }, { "\($0) nearly white" },
        advice: "retake with less light, or remove")
  }
}

enum StorageRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let photos = material.photos.filter { !Labels.isBackground($0.label) }
    let colors = photos.filter { $0.components != 3 }.map { photo in
      CheckFinding.Item(photo.name, photo.components == 1 ? "gray" : "CMYK")
    }
    return finding(
      .colors, colors, { "\($0) in gray or CMYK" },
      advice: "use color photos if you can; CMYK is converted without its profile"
    )
      + finding(
        .damagedEXIF, faulty(photos) { $0.isDamage }, { "\($0) with a damaged EXIF block" },
        advice:
          "readable entries are used; if position or time is missing, use the original files")
      + finding(
        .unusualEXIF, faulty(photos) { !$0.isDamage }, { "\($0) with unusual EXIF entries" },
        advice: "these entries are not used; correct them, for example with exiftool")
      + times(photos, table: material.set.table)
  }

  private static func faulty(
    _ photos: [CheckedPhoto], _ matches: (EXIFFault) -> Bool
  ) -> [CheckFinding.Item] {
    photos.compactMap { photo in
      let faults = photo.traits.metadata.faults.filter(matches).map { "\($0)" }
      return faults.isEmpty
        ? nil : CheckFinding.Item(photo.name, faults.joined(separator: "; "))
    }
  }

  /// Checks the capture times of building photos without a named session, which bursts and sessions depend on.
  private static func times(_ photos: [CheckedPhoto], table: String?) -> [CheckFinding] {
    let untimed = photos.filter(\.traits.isUntimedBuilding)
    let unreadable = untimed.compactMap { photo in
      photo.traits.metadata.unreadableTime.map { CheckFinding.Item(photo.name, "\"\($0)\"") }
    }
    let missing = untimed.filter { $0.traits.metadata.unreadableTime == nil }
      .map { CheckFinding.Item($0.name) }
    let lack = AutomaticSplit.lackOfTime(
      hasNamedSessions: photos.contains { $0.traits.photo.namedSession != nil })
    let advice = AutomaticSplit.adviceForUntimed(table: table)
    return finding(
      .unreadableTime, unreadable, { "\($0) with an unreadable capture time" }, advice: advice)
      + finding(.noTime, missing, { "\($0) with \(lack)" }, advice: advice)
  }
}

enum UnusableRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let kinds = Dictionary(grouping: material.unusable, by: kind)
    func items(_ kind: CheckFinding.Kind) -> [CheckFinding.Item] {
      (kinds[kind] ?? []).map { CheckFinding.Item($0.name, $0.problem) }
    }
    return missing(kinds[.missing] ?? [], table: material.set.table)
      + finding(
        .unreadable, items(.unreadable), { "\($0) cannot be read" },
        advice: "copy each again from the original, or correct the file permissions")
      + finding(
        .truncated, items(.truncated), { "\($0) truncated" },
        advice: "copy each again from the original, or use --lenient")
      + finding(
        .damaged, items(.damaged), { "\($0) damaged, or of an unsupported kind or size" },
        advice: "export each again as a usual JPEG, smaller if it is too large")
      + finding(
        .notJPEG, items(.notJPEG), { "\($0) not in JPEG format" },
        advice: "remove files that are not photos, and convert the folder with: "
          + "cupola import FOLDER -o PHOTOS", noun: "file")
      + finding(
        .misplaced, items(.misplaced), { "\($0) in an unexpected place" },
        advice: "move each into the folder of its label, or rename it", noun: "file")
  }

  /// Photos in the table that do not exist.
  private static func missing(_ files: [SkippedFile], table: String?) -> [CheckFinding] {
    finding(
      .missing,
      files.map { file in
        CheckFinding.Item(
          file.name, file.name.contains("\\") ? "use / instead of \\ between folders" : nil)
      }, { "\($0) listed in \(table ?? "the table"), but missing" },
      advice: "if you moved or deleted photos, run cupola split again: it updates the table")
  }

  private static func kind(of file: SkippedFile) -> CheckFinding.Kind {
    file.isMissing ? .missing : kind(of: file.reason)
  }

  private static func kind(of reason: SkippedFile.Reason) -> CheckFinding.Kind {
    switch reason {
    case .unusable(.truncatedPhoto): .truncated
    case .unusable(.unsupportedFormat(.empty)), .unusable(.file(.cannotRead)), .notDownloaded:
      .unreadable
    case .unusable(.unsupportedFormat): .notJPEG
    case .unusable, .reported: .damaged
    case .nameNotUTF8, .outsideLabelFolder, .outsideSplitFolders: .misplaced
    }
  }
}
