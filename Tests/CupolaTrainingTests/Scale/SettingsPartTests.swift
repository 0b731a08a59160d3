import Cupola
import Testing

@testable import CupolaTraining

@Suite("Settings part")
struct SettingsPartTests {
  private static func part(
    photosEach: Int, buildings: Int, seed: UInt64 = 0
  ) -> (part: SettingsPart, labels: [Int], names: Labels) {
    let names = Labels(["_a", "_b"] + (0..<buildings).map { "c\($0 + 1000)" })
    let labels =
      [Int](repeating: 0, count: 250) + [Int](repeating: 1, count: 30)
      + (0..<buildings * photosEach).map { 2 + $0 / photosEach }
    var generator = SplitMix64(seed: seed)
    return (
      SettingsPart(labelOfPhoto: labels, names: names, using: &generator), labels, names
    )
  }

  @Test("has whole buildings until they have enough photos, and some of every background")
  func wholeBuildings() {
    let (part, labels, names) = Self.part(photosEach: 15, buildings: 240)
    #expect(part.photos == part.photos.sorted())
    let counts = Dictionary(grouping: part.photos, by: { labels[$0] }).mapValues(\.count)
    #expect(counts[0] == 100)
    #expect(counts[1] == 30)
    let buildings = part.labels.filter(names.buildings.contains)
    #expect(buildings.count == 27)
    for building in buildings { #expect(counts[building] == 15) }
    #expect(counts.count == part.labels.count)
  }

  @Test("buildings of many photos are several all the same; few buildings are all there")
  func fewBuildings() {
    let (part, _, names) = Self.part(photosEach: 300, buildings: 20)
    #expect(part.labels.count(where: names.buildings.contains) == 8)
    #expect(Self.part(photosEach: 900, buildings: 3).part.labels.count == 5)
  }

  @Test("is drawn by lot")
  func byLot() {
    let first = Self.part(photosEach: 15, buildings: 240).part
    #expect(Self.part(photosEach: 15, buildings: 240).part.photos == first.photos)
    #expect(Self.part(photosEach: 15, buildings: 240, seed: 1).part.photos != first.photos)
  }

  @Test("a problem of the part has its photos' views, labels and names, and folds of its own")
  func problem() {
    let (part, labels, names) = Self.part(photosEach: 15, buildings: 240)
    var whole = SettingsSearch.Problem(
      features: Recipe.hog.features,
      views: PhotoViews(counts: labels.indices.map { 1 + $0 % 2 }, testView: 0), labels: labels,
      names: names,
      folds: TrainingScale.bounded.folds(labels, Array(labels.indices), names, seed: 0),
      groups: Array(labels.indices), threads: 1)
    whole.scale = .bounded
    let own = part.problem(of: whole, seed: 0)
    #expect(own.scale == .full)
    // Of the whole only the first folds are held out.
    #expect(whole.folds.count < 5 && own.folds.count == 5)
    #expect(own.folds.tested == Array(part.photos.indices))
    #expect(own.names.names == part.labels.map { names.names[$0] })
    for (number, photo) in part.photos.enumerated() {
      #expect(own.names.names[own.labels[number]] == names.names[labels[photo]])
      #expect(own.groups[number] == whole.groups[photo])
      #expect(own.views.rows(of: number).count == whole.views.rows(of: photo).count)
    }
  }
}
