internal import Cupola

// 1. Define a finding and its items (`CheckFinding`).
// 2. Collect the input of all rules (`CheckInput`).
// 3. Let each rule return its findings (`CheckRule`).

/// A problem, or a possible improvement, that ``DatasetCheck`` found in a photo folder.
public struct CheckFinding: Equatable, Sendable {
  package let kind: Kind
  /// The effect on training.
  public var severity: Severity { kind.severity }
  /// The finding with its count, in one line.
  public let message: String
  /// The recommended action, in one line.
  public let advice: String
  package let items: [Item]
  /// Whether nothing needs to be done.
  var isHarmless = false

  package struct Item: Equatable, Sendable {
    package let name: String
    package let note: String?
    let other: String?

    init(_ name: String, _ note: String? = nil, like other: String? = nil) {
      self.name = name
      self.note = note
      self.other = other
    }

    static let columns: [Column<Item>] = [
      .text("name", csv: "item") { $0.name }, .text("note") { $0.note },
    ]
  }

  static let columns: [Column<CheckFinding>] = [
    .text("severity") { $0.severity.rawValue }, .text("kind") { $0.kind.rawValue },
    .text("message", csv: "finding") { $0.message }, .text("advice") { $0.advice },
  ]

  /// The effect of a finding on training, most severe first.
  public enum Severity: String, CaseIterable, Sendable {
    /// Training or evaluation would fail or give wrong results.
    case error
    /// The problem lowers the accuracy.
    case warning
    /// A change would improve the model.
    case advice
  }

  package enum Kind: String, CaseIterable, Sendable {
    case tooFewLabels = "too_few_labels"
    case nothingTrains = "nothing_trains"
    case reservedLabel = "reserved_label"
    case labelWithoutPhotos = "label_without_photos"
    case swappedMap = "swapped_map"
    case acrossLabels = "copies_across_labels"
    case acrossParts = "copies_across_parts"
    case labelClash = "label_clash"
    case missing = "missing_photo"
    case unreadable, truncated, damaged
    case notJPEG = "not_jpeg"
    case misplaced = "left_out"
    case folderTooHigh = "folder_too_high"
    case flatFolder = "flat_folder"
    case suspectLabel = "suspect_label"
    case alikeAcrossParts = "alike_across_parts"
    case offCampus = "off_campus"
    case farFromBuilding = "far_from_building"
    case blurred
    case tooDark = "too_dark"
    case tooBright = "too_bright"
    case oneBuilding = "one_building"
    case onlyTested = "only_test_photos"
    case fewPhotos = "few_photos"
    case oneSession = "one_session"
    case oddLabel = "odd_label"
    case backgroundName = "background_name"
    case perhapsOnMap = "perhaps_on_map"
    case noneOnMap = "none_on_map"
    case emptyFolder = "empty_folder"
    case unreadableTime = "unreadable_time"
    case noTime = "no_time"
    case twoSessions = "two_sessions"
    case imbalance
    case noBackground = "no_background"
    case missingKinds = "missing_kinds"
    case notOnMap = "not_on_map"
    case withoutPhotos = "building_without_photos"
    case equalPhotos = "equal_photos"
    case copies
    case tooSmall = "too_small"
    case colors = "colours"
    case damagedEXIF = "damaged_exif"
    case unusualEXIF = "unusual_exif"

    package var severity: Severity {
      switch self {
      case .tooFewLabels, .nothingTrains, .reservedLabel, .labelWithoutPhotos, .swappedMap,
        .acrossLabels, .acrossParts, .labelClash:
        .error
      case .missing, .unreadable, .truncated, .damaged, .notJPEG, .misplaced, .folderTooHigh,
        .flatFolder,
        .suspectLabel,
        .alikeAcrossParts, .offCampus,
        .farFromBuilding, .blurred, .tooDark, .tooBright, .oneBuilding, .onlyTested,
        .fewPhotos, .oneSession, .twoSessions, .oddLabel, .backgroundName, .perhapsOnMap,
        .noneOnMap, .emptyFolder:
        .warning
      case .imbalance, .equalPhotos, .copies, .noBackground, .missingKinds, .notOnMap,
        .withoutPhotos, .tooSmall, .colors,
        .damagedEXIF, .unusualEXIF, .unreadableTime, .noTime:
        .advice
      }
    }

    package var isUnusable: Bool {
      [.missing, .unreadable, .truncated, .damaged, .notJPEG, .misplaced].contains(self)
    }
  }
}

struct CheckInput: Sendable {
  let set: PhotoSet
  let photos: [CheckedPhoto]
  let unusable: [SkippedFile]
  let campus: Campus?
  var doubtful: [LabelMatching.Pair] = []
  /// Pairs of copies, including identical files, as indices into `photos`.
  let copies: [NearDuplicates.Pair]
  let validation: QuickCrossValidation?

  var buildings: [String: [CheckedPhoto]] {
    Dictionary(
      grouping: photos.filter {
        !Labels.isBackground($0.label) && $0.traits.photo.split != .testUnknown
      }, by: \.label)
  }
}

protocol CheckRule: SendableMetatype {
  static func findings(in material: CheckInput) -> [CheckFinding]
}

extension CheckRule {
  static func finding(
    _ kind: CheckFinding.Kind, _ message: String, advice: String
  ) -> CheckFinding {
    CheckFinding(kind: kind, message: message, advice: advice, items: [])
  }

  static func finding(
    _ kind: CheckFinding.Kind, _ items: [CheckFinding.Item], _ message: (String) -> String,
    advice: String, noun: String = "photo", isHarmless: Bool = false
  ) -> [CheckFinding] {
    guard !items.isEmpty else { return [] }
    return [
      CheckFinding(
        kind: kind, message: message(FigureText.count(items.count, noun)), advice: advice,
        items: items, isHarmless: isHarmless)
    ]
  }
}
