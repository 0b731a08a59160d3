internal import Cupola

/// How much work goes into each photo: of many photos every cost must grow with their number and no faster.
///
/// Below ``mostPhotosInFull`` everything is done with all photos. Above it settings are searched on a part of the
/// labels (``SettingsPart``), fits work in the principal directions of a sample (``PrincipalSubspace``), and no more
/// photos are held out than calibration needs.
enum TrainingScale: String, Sendable {
  case full
  case bounded

  /// With more photos work is bounded.
  static let mostPhotosInFull = 1_500

  /// - Parameter photos: how many are to train, the drawn ones among them.
  init(photos: Int) { self = photos > Self.mostPhotosInFull ? .bounded : .full }

  /// Which views of a photo train.
  ///
  /// Measured on three sets: fits to both views of `once` name as many photos right, and tell other things and
  /// unknown buildings apart as well, as fits to all four.
  var views: TrainingViews { self == .full ? .all : .once }

  /// How photos are held out.
  func folds(_ labels: [Int], _ groups: [Int], _ names: Labels, seed: UInt64) -> Folds {
    var generator = SplitMix64(seed: seed)
    // Of very many photos a smaller part is enough to ask about, and leaves more to learn from.
    let count =
      self == .full ? Self.usualFolds : max(Self.usualFolds, min(labels.count / 750, 50))
    let folds = Folds(labels: labels, groups: groups, maximum: count, using: &generator)
      .telling(of: names.buildings, labels: labels)
    guard self == .bounded else { return folds }
    let buildings = Set(names.buildings)
    return folds.first(
      holding: Self.enoughHeldOut, least: Self.leastFolds,
      where: { buildings.contains(labels[$0]) })
  }

  /// So many folds, but of very many photos.
  private static let usualFolds = 5
  /// Held-out photos of buildings that settle calibration, and as many of buildings left out.
  static let enoughHeldOut = 1_500
  /// At least so many folds are held out: the promises of each rest on the others.
  static let leastFolds = 2
  /// Steps of each fit: photos of other days are named as well after these as after those that would follow.
  static let mostSteps = 24
  /// How much of the work one fit to all photos counts as, where one to a few counts as 1.
  var unitsOfFit: Int { self == .full ? 1 : Self.mostSteps }
  /// So many photos tell what rounding the weights changes.
  static let enoughRounded = 500
}

/// Which views of a photo train: of each geometry the photo as it is, as a mirror shows it, or both.
enum TrainingViews: String, Sendable {
  /// Every geometry, and where the recipe mirrors, every geometry mirrored after them.
  case all
  /// Every geometry once; where the recipe mirrors, every second one mirrored, counted from that by which photos
  /// are classified.
  case once

  /// One view.
  struct View: Equatable, Sendable {
    let geometry: Geometry
    let isMirrored: Bool
  }

  /// Which views of ``all`` are those of ``once``, ascending.
  static func onceAmongAll(of recipe: Recipe) -> [Int] {
    let all = Self.all.views(of: recipe, isDrawn: false)
    return once.views(of: recipe, isDrawn: false).compactMap(all.firstIndex).sorted()
  }

  /// The views in the order of their rows.
  ///
  /// - Parameter isDrawn: drawn pictures are not mirrored.
  func views(of recipe: Recipe, isDrawn: Bool) -> [View] {
    let mirrors = recipe.mirrorsTraining && !isDrawn
    let geometries = recipe.trainingGeometries
    switch self {
    case .all:
      let plain = geometries.map { View(geometry: $0, isMirrored: false) }
      return plain + (mirrors ? geometries.map { View(geometry: $0, isMirrored: true) } : [])
    case .once:
      return geometries.enumerated().map { index, geometry in
        View(
          geometry: geometry, isMirrored: mirrors && !(index - recipe.testView).isMultiple(of: 2))
      }
    }
  }
}
