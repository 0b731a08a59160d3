import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Automatic split")
struct AutomaticSplitTests {
  private func tests(
    _ groups: [(label: String, group: Int, photos: Int)], share: Double = 0.2, seed: UInt64 = 0
  ) -> Set<Int> {
    var generator = SplitMix64(seed: seed)
    let all = groups.flatMap { [(String, Int)](repeating: ($0.label, $0.group), count: $0.photos) }
    return AutomaticSplit.tests(
      labels: all.map(\.0), groups: all.map(\.1), share: share, using: &generator)
  }

  @Test("every label with two groups has test photos and training photos", arguments: 0..<20)
  func both(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let groups = (0..<12).flatMap { label in
      (0..<Int.random(in: 2...9, using: &generator)).map { number in
        (
          label: "l\(label)", group: label * 10 + number,
          photos: Int.random(in: 1...8, using: &generator)
        )
      }
    }
    let tests = tests(groups, seed: seed)
    for label in Set(groups.map(\.label)) {
      let own = groups.filter { $0.label == label }
      #expect(own.contains { tests.contains($0.group) })
      #expect(own.contains { !tests.contains($0.group) })
    }
  }

  @Test("shares are met where groups are small")
  func share() {
    let groups = (0..<500).map { (label: $0 < 400 ? "a" : "b", group: $0, photos: 1) }
    let tests = tests(groups, share: 0.25)
    #expect(tests.count { $0 < 400 } == 100)
    #expect(tests.count { $0 >= 400 } == 25)
  }

  @Test("a label of one group trains, and groups of several labels are dealt once")
  func few() {
    #expect(tests([("a", 0, 9), ("b", 1, 3), ("b", 2, 3)]).isDisjoint(with: [0]))
    let tests = tests([("a", 0, 4), ("a", 1, 4), ("b", 0, 4), ("b", 1, 4)])
    #expect(tests.count == 1)
  }

  @Test("where every group is far more than the share a smallest one tests", arguments: 0..<20)
  func smallest(seed: UInt64) {
    #expect(tests([("a", 0, 9), ("a", 1, 11)], seed: seed) == [0])
    // Group 4 is all that is left to train c with, so that b is measured with its other one.
    let shared = tests(
      [("a", 1, 1), ("a", 2, 9), ("b", 3, 9), ("b", 4, 9), ("c", 4, 5), ("c", 1, 1)], seed: seed)
    #expect(shared == [1, 3])
  }

  @Test("no label loses its last group by another's", arguments: 0..<20)
  func shared(seed: UInt64) {
    let groups: [(label: String, group: Int, photos: Int)] = [
      ("a", 1, 1), ("a", 2, 1), ("b", 2, 1), ("b", 3, 1), ("c", 3, 1), ("c", 1, 1), ("d", 2, 1),
    ]
    let tests = tests(groups, share: 0.5, seed: seed)
    for label in ["a", "b", "c", "d"] {
      #expect(groups.contains { $0.label == label && !tests.contains($0.group) }, "\(label)")
    }
  }

  @Test("another seed, other groups; the same seed, the same")
  func seeds() {
    let groups = (0..<100).map { (label: "a", group: $0, photos: 1) }
    #expect(tests(groups, seed: 1) == tests(groups, seed: 1))
    #expect(tests(groups, seed: 1) != tests(groups, seed: 2))
  }

  @Test("buildings of which one session or day is left to train with are told, no others")
  func oneSession() {
    func told(_ photos: [(group: Int, day: String?)], label: String = "a") -> Bool {
      let own = photos.map { photo -> AutomaticSplit.Shown in
        (label, photo.group, photo.day)
      }
      let others: [AutomaticSplit.Shown] = [("b", 0, nil), ("b", 7, nil), ("b", 8, nil)]
      return AutomaticSplit.oneSession(own + others, tests: [0]) == [label]
    }
    #expect(told([(0, nil), (0, nil), (1, nil), (1, nil)]))
    #expect(!told([(0, nil), (0, nil), (1, nil), (1, nil)], label: "_a"))
    #expect(told([(0, "2025:08:12"), (1, "2025:08:13"), (2, "2025:08:13")]))
    #expect(!told([(0, "2025:08:12"), (1, "2025:08:12"), (2, "2025:08:12")]))
    #expect(!told([(0, "2025:08:12"), (1, "2025:08:13"), (2, "2025:08:14")]))
    #expect(!told([(0, nil), (1, nil), (2, nil)]))
    // Nothing was taken from it, or all.
    #expect(!told([(1, nil), (1, nil)]) && !told([(0, nil), (0, nil)]))
  }

  @Test("copies stay together, the table can be read again, and damaged photos are told")
  func table() async throws {
    let folder = try TemporaryFolder()
    let set = try PhotoSet(root: Repository.sampleCampus)
    var generator = SplitMix64(seed: 9)
    for (number, photo) in set.photos.filter({ $0.label == "chapel" }).prefix(10).enumerated() {
      let bytes = try FileAccess.read(photo.path)
      let label = "a \"quoted\", label"
      try folder.write(bytes, to: "photos/\(label)/\(number).jpg")
      let image = try PhotoDecoder().open(bytes).image()
      let copy = try Copies.copy(of: image, .cropped, using: &generator)
      try folder.write(try JPEGEncoder.encode(copy), to: "photos/\(label)/\(number) copy.jpg")
    }
    try folder.write("no photo", to: "photos/b/broken.jpg")
    let photos = try PhotoSet(root: folder.path + "/photos").photos
    let split = await AutomaticSplit(
      of: photos, share: 0.3, seed: 0, decoder: PhotoDecoder(), threads: 2)
    #expect(split.skipped.map(\.name) == ["b/broken.jpg"])
    #expect(split.undivided == [])
    let told = Locked(0)
    let again = await AutomaticSplit(
      of: photos, share: 0.3, seed: 0, decoder: PhotoDecoder(), threads: 1,
      comparing: { number in told.withLock { $0 = number } })
    #expect(again.table == split.table)
    // With the one that cannot be read.
    #expect(told.withLock { $0 } == 21)

    try folder.write(split.table, to: "photos/split.csv")
    let read = try PhotoSet(root: folder.path + "/photos").photos
    #expect(read.map(\.name) == split.photos.map(\.name).sorted())
    let byName = Dictionary(uniqueKeysWithValues: read.map { ($0.name, $0) })
    for number in 0..<10 {
      let photo = try #require(byName["a \"quoted\", label/\(number).jpg"])
      let copy = try #require(byName["a \"quoted\", label/\(number) copy.jpg"])
      #expect(photo.split == copy.split && photo.group == copy.group)
    }
    #expect(read.count { $0.split == .test } == 6)
  }

  /// Photos of the sample campus without what EXIF says of them.
  private func bare(_ count: Int) throws -> [LabeledPhoto] {
    try PhotoSet(root: Repository.sampleCampus).photos.filter { $0.label == "chapel" }
      .prefix(count).enumerated().map { number, photo in
        let image = try PhotoDecoder().open(try FileAccess.read(photo.path)).image()
        return LabeledPhoto(
          contents: try JPEGEncoder.encode(image), name: "\(number).jpg", label: "chapel")
      }
  }

  private func split(_ photos: [LabeledPhoto]) async -> AutomaticSplit {
    await AutomaticSplit(of: photos, share: 0.5, seed: 0, decoder: PhotoDecoder(), threads: 2)
  }

  @Test("all that is known of a photo stays with it, and so does test_unknown")
  func kept() async throws {
    var photos = try bare(4)
    photos[0].attributes = ["light": "rain"]
    photos[1].split = .testUnknown
    photos[1].label = "unknown"
    let split = await split(photos)
    #expect(split.photos.map(\.split).count { $0 == .testUnknown } == 1)
    #expect(split.photos[1].split == .testUnknown && !split.undivided.contains("unknown"))
    #expect(split.photos[0].attributes == ["light": "rain"])
    #expect(split.photos.map(\.contents) == photos.map(\.contents))
    let again = await self.split(split.photos)
    #expect(again.photos == split.photos)
  }

  @Test("bursts are told by the column time, too")
  func column() async throws {
    var photos = try bare(6)
    let apart = await split(photos)
    #expect(Set(apart.photos.compactMap(\.group)).count > 1)
    for index in photos.indices { photos[index].attributes["time"] = "2024:06:30 23:5\(index):00" }
    let together = await split(photos)
    #expect(Set(together.photos.compactMap(\.group)).count == 1)
  }

  @Test("photos that a table lists keep their rows when they cannot be read for a while")
  func unread() async throws {
    let folder = try TemporaryFolder()
    for photo in try bare(6) {
      try folder.write(photo.contents ?? [], to: "photos/chapel/\(photo.name)")
    }
    let root = folder.path("photos")
    let first = await split(try PhotoSet(root: root).photos)
    try folder.write(first.table, to: "photos/split.csv")
    try folder.write("no photo", to: "photos/chapel/1.jpg")
    try folder.write("no photo", to: "photos/chapel/new.jpg")
    let path = folder.path("photos/split.csv")
    let again = await split(
      try PhotoSet(dividing: root, replacing: path, allowOutside: false).photos)
    #expect(again.table == first.table)
    #expect(again.skipped.map(\.name) == ["chapel/1.jpg", "chapel/new.jpg"] && again.kept == 1)
  }

  @Test("Whether one day is left to train with is only known where all photos say theirs")
  func oneDay() {
    let photos: [AutomaticSplit.Shown] = [
      ("hall", 1, "2026-11-01"), ("hall", 2, nil), ("hall", 3, "2026-11-09"),
    ]
    #expect(AutomaticSplit.oneSession(photos, tests: [3]) == [])
    let dated = photos.map { ($0.label, $0.group, $0.day ?? "2026-11-01") }
    #expect(AutomaticSplit.oneSession(dated, tests: [3]) == ["hall"])
  }
}
