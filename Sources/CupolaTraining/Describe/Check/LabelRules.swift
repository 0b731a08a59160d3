internal import Cupola

// 1. Check the numbers of labels, photos and sessions.
// 2. Check for suspect labels, labels without training photos, and unusual names.
// 3. Check for empty folders and missing kinds of non-building photos.

enum SuspectRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let items = (material.validation?.suspects ?? []).map { suspect in
      let photo = material.photos[suspect.photo]
      let nearest = material.photos[suspect.nearest].name
      return CheckFinding.Item(
        photo.name, "similar to photos of \(suspect.label), such as \(nearest)", like: nearest)
    }
    return finding(
      .suspectLabel, items, { "\($0) possibly with a wrong label" },
      advice:
        "compare each photo with the similar one; if both show the same building, move it; otherwise, ignore it. "
        + "The list is not complete, and can change when photos are added or removed"
    )
  }
}

enum AmountRule: CheckRule {
  private static let few = PhotoAmount.enough
  private static let imbalance = 10

  static func findings(in material: CheckInput) -> [CheckFinding] {
    let asked = Set(
      material.set.photos.filter { $0.split != .testUnknown }.map(\.label))
    let usable = Dictionary(grouping: material.photos, by: \.label).mapValues(\.count)
    let lost = asked.filter { usable[$0] == nil }.sorted()
    let buildings = material.buildings.mapValues(\.count).sorted { $0.key < $1.key }
    let scarce = buildings.filter { $0.value < few }
    var findings: [CheckFinding] = []
    if buildings.isEmpty {
      findings.append(
        finding(
          .tooFewLabels, "no building has usable photos",
          advice: "add a folder of photos for each building"))
    } else if buildings.count == 1 {
      findings.append(
        finding(
          .oneBuilding, "only one building: \(buildings[0].key)",
          advice: "add other buildings; a model of one building cannot distinguish it from others")
      )
    }
    findings += finding(
      .labelWithoutPhotos, lost.map { CheckFinding.Item($0) }, { "\($0) without usable photos" },
      advice: "add photos or remove the folder", noun: "label")
    findings += finding(
      .fewPhotos, scarce.map { CheckFinding.Item($0.key, FigureText.count($0.value, "photo")) },
      { "\($0) with fewer than \(few) photos" },
      advice:
        "take at least \(few) photos, from several sides and in three sessions, if possible on different days",
      noun: "building")
    findings += spread(buildings)
    if !buildings.isEmpty, !asked.contains(where: Labels.isBackground) {
      findings.append(
        finding(
          .noBackground, "no non-building photos",
          advice:
            "put photos of streets, lawns, people, rooms and objects into a folder of their own and give it with "
            + "--negatives; put photos of nearby buildings that you do not want to name into a folder "
            + "_other_buildings next to those of the buildings"))
    }
    return findings
  }

  private static func spread(_ buildings: [(key: String, value: Int)]) -> [CheckFinding] {
    guard let least = buildings.min(by: { $0.value < $1.value }),
      let most = buildings.max(by: { $0.value < $1.value }),
      most.value >= imbalance * least.value
    else { return [] }
    return [
      finding(
        .imbalance,
        "\(most.key) has \(FigureText.count(most.value, "photo")), \(least.key) \(least.value)",
        advice: "training weights all labels equally, but more photos of the rare ones help")
    ]
  }
}

/// Checks for buildings whose training photos are all from one day, or from one named session if their dates are unknown,
/// and for buildings with too few sessions to set some photos aside.
enum SessionRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let buildings = material.buildings.mapValues { photos in
      photos.filter { $0.traits.photo.split != .test }
    }.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
    let oneDay = buildings.filter { days($0.value) == 1 }
    let isTested = oneDay.allSatisfy { days(material.buildings[$0.key] ?? []) ?? 1 > 1 }
    let oneSession = buildings.filter { days($0.value) != 1 && isOneSession($0.value) }
    let subject = material.set.isDivided ? "with training photos" : "with photos"
    return finding(
      .oneSession, items(oneDay), { "\($0) \(subject) of only one day" },
      advice: isTested ? testedAdvice : advice, noun: "building")
      + finding(
        .oneSession, items(oneSession), { "\($0) \(subject) of only one session" },
        advice: advice, noun: "building")
      + finding(
        .twoSessions,
        material.set.isDivided ? [] : items(buildings.filter { haveTwoSessions($0.value) }),
        { "\($0) with photos of only two sessions" },
        advice:
          "take photos on a third day: cupola split sets one session aside for testing, and training needs two others to "
          + "calibrate the percentages",
        noun: "building")
  }

  private static let advice =
    "take photos on another day; until then, accuracy in different lighting is unknown (best are three sessions on "
    + "different days: two for training, one for testing)"

  private static let testedAdvice =
    "the photos of another day are test photos; take photos on a third day, so that training has two days"

  private static func items(_ buildings: [(key: String, value: [CheckedPhoto])])
    -> [CheckFinding.Item]
  {
    buildings.map { CheckFinding.Item($0.key, FigureText.count($0.value.count, "photo")) }
  }

  private static func days(_ photos: [CheckedPhoto]) -> Int? {
    CaptureTime.days(photos.map(\.traits.metadata.capture))
  }

  /// Photos of one day already have advice.
  private static func haveTwoSessions(_ photos: [CheckedPhoto]) -> Bool {
    guard days(photos) == 2, photos.allSatisfy({ $0.traits.metadata.capture != nil }) else {
      return false
    }
    return Set(Grouping.groups(of: photos.map(\.traits), copies: [])).count == 2
  }

  private static func isOneSession(_ photos: [CheckedPhoto]) -> Bool {
    let named = photos.compactMap(\.traits.photo.namedSession)
    return named.count == photos.count && Set(named).count == 1
  }
}

enum OnlyTestedRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    nothingTrains(in: material)
      + finding(
        .onlyTested, material.set.onlyTested.map { CheckFinding.Item($0) },
        { "\($0) without training photos" },
        advice:
          "assign some photos to train, or assign all to test_unknown to test an unknown building",
        noun: "building")
  }

  private static func nothingTrains(in material: CheckInput) -> [CheckFinding] {
    let photos = material.buildings.values.flatMap { $0.map(\.traits.photo) }
    guard !photos.isEmpty, photos.allSatisfy({ $0.split == .test }) else { return [] }
    return [
      finding(
        .nothingTrains, "no building has usable training photos",
        advice: "assign some photos to train in the table, or move them into a folder named train")
    ]
  }
}

extension PhotoSet {
  /// Buildings whose photos are all test photos: no model names them, and `cupola evaluate` counts them as unknown.
  package var onlyTested: [String] {
    guard photos.contains(where: { $0.split == .train || $0.split == .val }) else { return [] }
    let own = photos.filter { !Labels.isBackground($0.label) && $0.split != .testUnknown }
    return Dictionary(grouping: own, by: \.label)
      .filter { $0.value.allSatisfy { $0.split == .test } }.keys.sorted()
  }
}

enum EmptyFolderRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let root = material.set.root
    let used = Set(
      material.set.photos.flatMap { photo in
        let folders = photo.name.split(separator: "/").dropLast()
        return [folders.prefix(1), folders.prefix(2)].map { $0.joined(separator: "/") }
      })
    let empty = folders(in: root, below: "").flatMap { name in
      Split(folder: name) == nil ? [name] : folders(in: root, below: name + "/")
    }.filter { !used.contains($0) && isEmpty(root + "/" + $0) }
    return finding(
      .emptyFolder, empty.map { CheckFinding.Item($0) }, { "\($0) without photos" },
      advice: "add photos or remove the folder; it does not become a label",
      noun: "folder")
  }

  private static func folders(in root: String, below folder: String) -> [String] {
    ((try? Directory.entries(of: root + "/" + folder)) ?? []).filter(\.isDirectory)
      .map { folder + $0.name }
  }

  private static func isEmpty(_ path: String) -> Bool {
    guard let entries = try? Directory.entries(of: path) else { return false }
    return FolderWalk.steps(in: path, entries: entries).allSatisfy { step in
      step.kind == .file && !PhotoSet.looksLikePhoto(step.lastName)
    }
  }
}

/// Checks for label names that other systems reject or treat as equal.
enum LabelNameRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let labels = LabelClash.distinct(material.set.photos.map(\.label))
    let odd = labels.compactMap { label in
      problem(with: label).map { CheckFinding.Item(label, $0) }
    }
    let reserved = Trainer.ownLabels.intersection(labels).sorted()
    let suspect = material.buildings.keys.sorted().filter(Labels.soundsLikeBackground)
    return finding(
      .labelClash, clashes(labels),
      { "\($0) equal to another except for case, Unicode form or spaces" },
      advice: "other systems treat both as one folder; rename one or merge both", noun: "label")
      + finding(
        .reservedLabel, reserved.map { CheckFinding.Item($0) },
        { "\($0) with a reserved name" },
        advice: "rename the folder, or the label in the table", noun: "label")
      + finding(
        .backgroundName, suspect.map { CheckFinding.Item($0) },
        { "\($0) with a name for non-building photos, but trained as a building" },
        advice: suspect.map { label in
          Labels.renamingAdvice(label, isListed: material.set.photos.contains(where: \.isListed))
        }.joined(separator: "; "), noun: "label")
      + finding(
        .oddLabel, odd, { "\($0) with a problematic name" },
        advice: "rename the folder; people see the name on the map", noun: "label")
  }

  private static func clashes(_ labels: [String]) -> [CheckFinding.Item] {
    LabelClash.groups(of: labels).flatMap { names in
      names.dropFirst().map { CheckFinding.Item($0, "similar to \"\(names[0])\"") }
    }.sorted { $0.name < $1.name }
  }

  private static func problem(with label: String) -> String? {
    let scalars = label.unicodeScalars
    if label.trimmed != label { return "leading or trailing spaces" }
    if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "control characters"
    }
    if scalars.contains(where: { (0x300...0x36F).contains($0.value) }) {
      return "decomposed accents (not NFC)"
    }
    if scalars.contains(where: PortableName.forbidden.contains) {
      return "a character that other systems do not allow (/ \\ : * ? \" < > |)"
    }
    if PortableName.isDevice(label) { return "a reserved name on Windows" }
    if Split(folder: label) != nil {
      return "the name of a split; put label folders inside train, val or test"
    }
    return label.hasSuffix(".") ? "a trailing dot" : nil
  }
}

/// The file names that Windows does not accept.
package enum PortableName {
  package static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
  private static let devices = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// Whether a name is reserved for a device, with or without an extension.
  package static func isDevice(_ name: String) -> Bool {
    devices.contains(name.prefix { $0 != "." }.lowercased())
  }
}

/// Finds labels that differ only in case, Unicode form or surrounding spaces; other systems treat these as one folder.
package enum LabelClash {
  package static func groups(of labels: some Sequence<String>) -> [[String]] {
    let alike = Dictionary(grouping: distinct(labels)) { $0.trimmed.lowercased() }
    return alike.values.filter { $0.count > 1 }.sorted { $0[0].precedes($1[0]) }
  }

  /// Returns the distinct labels, compared as bytes and sorted; Swift would merge canonically equivalent ones.
  static func distinct(_ labels: some Sequence<String>) -> [String] {
    Set(labels.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
      .sorted { $0.precedes($1) }
  }
}

/// Checks folder names to find missing kinds of non-building photos.
///
/// Kinds missing from training are mistaken for buildings several times as often.
enum BackgroundKindRule: CheckRule {
  static func findings(in material: CheckInput) -> [CheckFinding] {
    let backgrounds = material.set.photos.filter { Labels.isBackground($0.label) }
    guard !backgrounds.isEmpty else { return [] }
    let missing = BackgroundKind.missing(from: backgrounds.map { names(of: $0, in: material.set) })
    let negatives = material.set.joinedRoots.first
    return finding(
      .missingKinds,
      missing.map { kind in
        // Only photos of buildings in a class of their own help to reject unknown buildings.
        let folder = kind.isBuilding ? nil : negatives.map { $0 + "/" + kind.example.dropFirst() }
        return CheckFinding.Item(
          kind.title, "for example in \(folder ?? material.set.root + "/" + kind.example)")
      },
      { "\($0) of non-building photos may be missing, because no folder has such a name" },
      advice:
        "if your non-building photos show these kinds, nothing needs to be done; otherwise, add 30 to 100 photos of each, "
        + "because the model may mistake them for buildings",
      noun: "kind")
  }

  /// The label and the folders of a photo, which tell its kind.
  private static func names(of photo: LabeledPhoto, in set: PhotoSet) -> String {
    let root = set.joinedRoots.first { photo.name.hasPrefix($0 + "/") }
    var folders = photo.name.dropFirst(root?.count ?? 0).split(separator: "/").dropLast()
    // The folder of all non-building photos tells only the kind of those outside its subfolders.
    if folders.isEmpty, let own = root?.split(separator: "/").last { folders = [own] }
    return ([photo.label[...]] + folders).joined(separator: " ")
  }
}

/// A kind of non-building photos that training needs.
package struct BackgroundKind: Sendable {
  package let title: String
  let example: String
  private let words: [String]

  var isBuilding: Bool { example == Labels.otherBuildings }

  private static let all = [
    BackgroundKind(
      title: "nearby buildings that you do not want to name",
      example: Labels.otherBuildings, words: ["buildings", "facade", "house", "neighbo"]),
    BackgroundKind(
      title: "streets, cars and grounds", example: "_street",
      words: [
        "street", "road", "path", "car", "vehicle", "traffic", "parking", "context", "square",
        "ground", "lawn",
      ]),
    BackgroundKind(
      title: "interiors", example: "_indoor",
      words: ["indoor", "interior", "inside", "room", "corridor", "office", "lab"]),
    BackgroundKind(
      title: "trees, hills, water and sky", example: "_landscape",
      words: [
        "tree", "forest", "wood", "garden", "landscape", "nature", "hill", "mountain", "sea",
        "water", "lake", "beach", "sky", "field", "plant",
      ]),
    BackgroundKind(
      title: "people", example: "_people",
      words: ["people", "person", "face", "crowd", "portrait", "selfie", "student", "visitor"]),
    BackgroundKind(
      title: "close-up objects", example: "_object",
      words: ["object", "thing", "food", "sign", "desk", "table", "animal", "statue", "screen"]),
  ]

  /// Returns the kinds that occur in none of the names of folders.
  package static func missing(from names: [String]) -> [BackgroundKind] {
    let named = Set(names.flatMap { $0.lowercased().split { !$0.isLetter } })
    return all.filter { kind in
      !named.contains { word in kind.words.contains { word.hasPrefix($0) } }
    }
  }
}

extension Labels {
  /// The label of nearby buildings that get no name.
  package static let otherBuildings = "_other_buildings"

  /// The number of photos of all background classes as text, and how many of them show nearby buildings.
  package static func backgroundText(_ photos: Int, nearby: Int) -> String {
    FigureText.count(photos, "non-building photo") + partNearby(nearby, of: photos)
  }

  static func partNearby(_ nearby: Int, of photos: Int) -> String {
    if nearby == 0 { return "" }
    return nearby == photos
      ? ", all in \(otherBuildings)" : ", \(nearby) of them in \(otherBuildings)"
  }

  /// Whether a building's label sounds like a class of other photos whose `_` was forgotten, such as `misc`.
  package static func soundsLikeBackground(_ label: String) -> Bool {
    !isBackground(label) && backgroundNames.contains(words(of: label))
  }

  /// How to turn the label of a building into that of a background class.
  ///
  /// - Parameter isListed: Whether a table contains the label; otherwise, it is the name of a folder.
  package static func renamingAdvice(_ label: String, isListed: Bool) -> String {
    let meant = "_" + words(of: label) == otherBuildings ? otherBuildings : "_" + label
    return "unless \(label) is a building, "
      + (isListed
        ? "change its label in the table to \(meant)" : "rename its folder to \(meant)")
  }

  /// What to do about names for buildings without training photos.
  package static let adviceForUnknown =
    "To name such a building, add a folder with its photos, or its footprint to the map. To reject more of them, add "
    + "photos of nearby ones to photos/\(otherBuildings)"

  private static func words(of label: String) -> String {
    label.lowercased().split { !$0.isLetter }.joined(separator: "_")
  }

  private static let backgroundNames: Set<String> = [
    "background", "backgrounds", "misc", "miscellaneous", "negative", "negatives", "no_building",
    "no_buildings", "non_building", "non_buildings", "none", "not_a_building", "nothing", "other",
    "other_buildings", "others",
  ]
}

package enum PhotoAmount {
  /// The minimum number of photos per building for training and evaluation.
  package static let enough = 10
  /// The number of buildings to hold out as a sample of all; if there are few buildings, half are enough.
  package static func heldOutBuildings(of buildings: Int) -> Int { min(8, (buildings + 1) / 2) }

  /// The start of a sentence about buildings, of which fewer than ``heldOutBuildings(of:)`` can be held out.
  package static func fewHeldOut(of buildings: Int) -> String {
    let needed = heldOutBuildings(of: buildings)
    return needed < 2
      ? "no building has" : "fewer than the required \(needed) of \(buildings) buildings have"
  }
}
