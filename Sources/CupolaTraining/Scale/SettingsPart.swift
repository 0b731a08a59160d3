internal import Cupola

/// A part of many photos that settings are searched on: all photos of some buildings, drawn by lot, and
/// some of each background.
///
/// The whole photos of a building stay, so that folds, light and sessions are as they are.
struct SettingsPart {
  /// At least so many photos of buildings, if there are.
  private static let buildingPhotos = 400
  /// At least so many buildings, however many photos they have.
  private static let leastBuildings = 8
  /// At most so many photos of each background.
  private static let backgroundPhotos = 100

  /// Numbers of photos, ascending.
  let photos: [Int]
  /// Of the labels that these have, ascending; both are numbers in the whole.
  let labels: [Int]

  /// - Parameter labelOfPhoto: one a photo.
  init(
    labelOfPhoto: [Int], names: Labels, using generator: inout SplitMix64
  ) {
    let members = Dictionary(grouping: labelOfPhoto.indices, by: { labelOfPhoto[$0] })
    var (chosen, labels): ([Int], [Int]) = ([], [])
    for building in generator.shuffled(names.buildings) {
      guard let photos = members[building] else { continue }
      if labels.count >= Self.leastBuildings, chosen.count >= Self.buildingPhotos { break }
      chosen += photos
      labels.append(building)
    }
    for background in names.backgrounds {
      guard let photos = members[background] else { continue }
      chosen += generator.shuffled(photos).prefix(Self.backgroundPhotos)
      labels.append(background)
    }
    photos = chosen.sorted()
    self.labels = labels.sorted()
  }

  /// The part as a problem of its own, with folds in which all of its photos are asked about that can be: of the whole's
  /// only the first few folds are.
  func problem(of whole: SettingsSearch.Problem, seed: UInt64) -> SettingsSearch.Problem {
    let place = labels.indexByElement
    var part = whole
    part.scale = .full
    part.views = whole.views.selecting(photos)
    part.labels = photos.compactMap { place[whole.labels[$0]] }
    part.names = Labels(labels.map { whole.names.names[$0] })
    part.groups = photos.map { whole.groups[$0] }
    part.folds = part.scale.folds(part.labels, part.groups, part.names, seed: seed)
    part.memory = whole.memory?.adding("photos \(photos)")
    return part
  }
}
