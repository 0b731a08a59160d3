import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Split table")
struct SplitTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func table(after earlier: String, force: Bool = false) async throws -> String {
    let photos = try PhotoSet(root: Repository.sampleCampus).photos.prefix(2).enumerated().map {
      let bytes = try FileAccess.read($1.path)
      return LabeledPhoto(contents: bytes, name: "=a/\($0).jpg", label: "a")
    }
    let split = await AutomaticSplit(
      of: photos, share: 0.5, seed: 0, decoder: PhotoDecoder(), threads: 1)
    let path = try folder.write(earlier, to: "split.csv")
    return try SplitTable(replacing: path, force: force).text(of: split)
  }

  private static let own = "path,label,split,group"

  @Test("Extra columns of an own table are kept")
  func others() async throws {
    let plain = try await table(after: Self.own + "\n")
    #expect(plain.hasPrefix(Self.own + "\n=a/0.jpg,a,"))
    let again = try await table(
      after: Self.own
        + ",light,\"by, whom\"\n=a/1.jpg,x,test,g7,day,\"me, \"\"too\"\"\"\nlost.jpg,x,train,g1,night,\n"
    )
    let lines = again.split(separator: "\n").map(String.init)
    #expect(lines[0] == Self.own + ",light,\"by, whom\"")
    #expect(lines[1].hasSuffix(",,") && lines[2].hasSuffix(",day,\"me, \"\"too\"\"\""))
    let fields = lines[1...].map { $0.split(separator: ",").prefix(4).joined(separator: ",") }
    #expect(fields == plain.split(separator: "\n").dropFirst().map(String.init))
    #expect(lines.count == 3)
    let unknown = try await table(after: Self.own + "\n=a/1.jpg,x,test_unknown,g7\n")
    #expect(unknown == plain)
    // Paths in the table are never escaped, because the table is read again.
    let name = try CSV(Array(again.utf8), path: "").rows[0][0]
    #expect(name == "=a/0.jpg")
  }

  @Test("Rows follow moved photos and take the label of the new folder")
  func following() throws {
    func followed(_ rows: String, _ moves: [String: String?]) throws -> String? {
      try folder.write("path,label,split,group,light\n" + rows, to: "split.csv")
      return try SplitTable.following(moves, in: folder.path).map {
        String(decoding: $0, as: UTF8.self).split(separator: "\n").dropFirst().joined(
          separator: "|")
      }
    }
    let rows =
      "a/1.jpg,a,test,g1,day\n./a/2.jpg,a,train,g2,\nb/1.jpg,Bee,train,g3,\nu/1.jpg,x,test_unknown,g4,\n"
    #expect(try followed(rows, ["c/1.jpg": "b/9.jpg"]) == nil)
    #expect(
      try followed(rows, ["a/1.jpg": "b/1-2.jpg", "a/2.jpg": nil])
        == "b/1-2.jpg,Bee,test,g1,day|b/1.jpg,Bee,train,g3,|u/1.jpg,x,test_unknown,g4,")
    #expect(
      try followed(rows, ["a/1.jpg": "new, one/1.jpg", "a/2.jpg": "new, one/2.jpg"])?
        .hasPrefix("\"new, one/1.jpg\",\"new, one\",test,g1,day|\"new, one/2.jpg\",") == true)
    // Photos that were held out as an unknown building become training photos of a known one, and conversely.
    #expect(
      try followed(rows, ["u/1.jpg": "b/2.jpg", "a/1.jpg": "u/2.jpg"])
        == "u/2.jpg,u,test,g1,day|./a/2.jpg,a,train,g2,|b/1.jpg,Bee,train,g3,|b/2.jpg,Bee,train,g4,"
    )
    #expect(
      try followed(rows, ["a/1.jpg": "u/2.jpg"])?.hasPrefix("u/2.jpg,x,test_unknown,g1,day|")
        == true)
    // A stale row has the new name.
    #expect(
      try followed("a/1.jpg,a,test,g1,\nb/1.jpg,b,train,g2,\n", ["a/1.jpg": "b/1.jpg"])
        == "b/1.jpg,b,test,g1,")
  }

  @Test("Extra columns follow names that differ only in bytes")
  func equalNames() async throws {
    let names = ["caf\u{E9}.jpg", "cafe\u{301}.jpg"]
    let photo = try #require(try PhotoSet(root: Repository.sampleCampus).photos.first)
    let bytes = try FileAccess.read(photo.path)
    let split = await AutomaticSplit(
      of: names.map { LabeledPhoto(contents: bytes, name: $0, label: "a") }, share: 0.5, seed: 0,
      decoder: PhotoDecoder(), threads: 1)
    let earlier = "\(Self.own),light\n\(names[0]),a,train,g1,day\n\(names[1]),a,train,g1,night\n"
    let path = try folder.write(earlier, to: "split.csv")
    let table = try SplitTable(replacing: path, force: false).text(of: split)
    let lines = table.split(separator: "\n").map(String.init)
    #expect(lines[1].hasSuffix(",day") && lines[2].hasSuffix(",night"))
  }

  @Test(
    "A file that is not a split table is rejected without force",
    arguments: [
      "path,label\n=a/0.jpg,a\n", own + "\n=a/0.jpg,a,morning,g1\n", "my diary\n", "",
      own + "\n1,2\n", "{\"json\": true}",
    ])
  func foreign(text: String) async throws {
    await #expect(throws: TrainingError.foreignTable(path: folder.path("split.csv"))) {
      try await table(after: text)
    }
    #expect(try await table(after: text, force: true).hasPrefix(Self.own + "\n=a/0.jpg,a,"))
  }

  @Test(
    "Any split table is accepted",
    arguments: [
      "path,label,split\n=a/0.jpg,a,train\n", "path,split,label,group\n",
      own + "\n=a/0.jpg,a, val,g1\n", own + "\n=a/0.jpg,a,test,monday\n",
      own + "\n=a/0.jpg,a,test,\n",
    ])
  func edited(text: String) async throws {
    #expect(try await table(after: text).hasPrefix(Self.own + "\n=a/0.jpg,a,"))
  }

  @Test("With force, extra columns of any table are kept")
  func forced() async throws {
    let kept = try await table(after: "light,path\nday,=a/1.jpg\n", force: true)
    #expect(kept.hasPrefix(Self.own + ",light\n"))
    #expect(kept.hasSuffix(",day\n"))
    let message = TrainingError.foreignTable(path: "s.csv").message
    #expect(message.hasPrefix("s.csv: ") && message.contains("--force"))
  }
}

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

  @Test("Every label with two groups has test and training photos", arguments: 0..<20)
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

  @Test("Small groups match the test share exactly")
  func share() {
    let groups = (0..<500).map { (label: $0 < 400 ? "a" : "b", group: $0, photos: 1) }
    let tests = tests(groups, share: 0.25)
    #expect(tests.count { $0 < 400 } == 100)
    #expect(tests.count { $0 >= 400 } == 25)
  }

  @Test("A label with one group trains, and shared groups stay whole")
  func few() {
    #expect(tests([("a", 0, 9), ("b", 1, 3), ("b", 2, 3)]).isDisjoint(with: [0]))
    let tests = tests([("a", 0, 4), ("a", 1, 4), ("b", 0, 4), ("b", 1, 4)])
    #expect(tests.count == 1)
  }

  @Test("Of large groups a smallest one is used for testing", arguments: 0..<20)
  func smallest(seed: UInt64) {
    #expect(tests([("a", 0, 9), ("a", 1, 11)], seed: seed) == [0])
    // Group 4 is needed to train c, so group 3 is used to test b.
    let shared = tests(
      [("a", 1, 1), ("a", 2, 9), ("b", 3, 9), ("b", 4, 9), ("c", 4, 5), ("c", 1, 1)], seed: seed)
    #expect(shared == [1, 3])
  }

  @Test("No label loses its last training group", arguments: 0..<20)
  func shared(seed: UInt64) {
    let groups: [(label: String, group: Int, photos: Int)] = [
      ("a", 1, 1), ("a", 2, 1), ("b", 2, 1), ("b", 3, 1), ("c", 3, 1), ("c", 1, 1), ("d", 2, 1),
    ]
    let tests = tests(groups, share: 0.5, seed: seed)
    for label in ["a", "b", "c", "d"] {
      #expect(groups.contains { $0.label == label && !tests.contains($0.group) }, "\(label)")
    }
  }

  @Test("Equal seeds yield equal splits, other seeds different ones")
  func seeds() {
    let groups = (0..<100).map { (label: "a", group: $0, photos: 1) }
    #expect(tests(groups, seed: 1) == tests(groups, seed: 1))
    #expect(tests(groups, seed: 1) != tests(groups, seed: 2))
  }

  @Test("Buildings left with one session or day are reported")
  func oneSession() {
    typealias Origin = AutomaticSplit.Scarce.Origin
    func origin(_ photos: [(group: Int, day: String?)], label: String = "a") -> Origin? {
      let own = photos.map { photo -> AutomaticSplit.Shown in
        (label, photo.group, photo.day)
      }
      let others: [AutomaticSplit.Shown] = [("b", 0, nil), ("b", 7, nil), ("b", 8, nil)]
      let scarce = AutomaticSplit.oneSession(own + others, tests: [0])
      #expect(scarce.map(\.label) == (scarce.isEmpty ? [] : [label]))
      return scarce.first?.origin
    }
    #expect(origin([(0, nil), (0, nil), (1, nil), (1, nil)]) == .session)
    #expect(origin([(0, nil), (0, nil), (1, nil), (1, nil)], label: "_a") == nil)
    #expect(origin([(0, "2025:08:12"), (1, "2025:08:13"), (2, "2025:08:13")]) == .day)
    #expect(origin([(0, "2025:08:12"), (1, "2025:08:13"), (1, "2025:08:14")]) == .linkedDays(2))
    #expect(origin([(0, "2025:08:12"), (1, "2025:08:12"), (2, "2025:08:12")]) == nil)
    #expect(origin([(0, "2025:08:12"), (1, "2025:08:13"), (2, "2025:08:14")]) == nil)
    #expect(origin([(0, nil), (1, nil), (2, nil)]) == nil)
    // Either none or all of the label's groups are used for testing.
    #expect(origin([(1, nil), (1, nil)]) == nil && origin([(0, nil), (0, nil)]) == nil)
  }

  @Test("Copies stay together, and the table can be read again")
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

  /// Photos of the sample campus without EXIF data.
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

  @Test("Attributes and test_unknown are kept")
  func kept() async throws {
    var photos = try bare(4)
    photos[0].attributes = ["light": "rain"]
    photos[1].split = .testUnknown
    photos[1].label = "unknown"
    let split = await split(photos)
    #expect(split.photos.map(\.split).count { $0 == .testUnknown } == 1)
    #expect(
      split.photos[1].split == .testUnknown && !split.undivided.map(\.label).contains("unknown"))
    #expect(split.photos[0].attributes == ["light": "rain"])
    #expect(split.photos.map(\.contents) == photos.map(\.contents))
    let again = await self.split(split.photos)
    #expect(again.photos == split.photos)
  }

  @Test("Named groups and the parts of a table are kept; groups in both parts are assigned again")
  func parts() async throws {
    // Listed photos that cannot be read keep their rows, and are no copies.
    var photos = (0..<8).map { LabeledPhoto(contents: [], name: "\($0).jpg", label: "chapel") }
    for index in photos.indices {
      photos[index].isListed = true
      (photos[index].split, photos[index].group) = (index < 2 ? .test : .train, "g\(index)")
    }
    photos[7].split = .val
    let kept = await split(photos)
    #expect(kept.photos.map(\.split) == photos.map(\.split) && kept.moved.isEmpty)
    (photos[1].group, photos[2].group) = ("monday", "monday")
    let joined = await split(photos)
    #expect(joined.photos[1...2].map(\.group) == ["monday", "monday"])
    #expect(joined.photos[1].split == joined.photos[2].split)
    #expect(joined.moved == ["1.jpg"] || joined.moved == ["2.jpg"])
    #expect(
      joined.photos.indices.allSatisfy {
        [1, 2].contains($0) || joined.photos[$0].split == photos[$0].split
      })
    // A label without test photos gets some, for example after its group was divided.
    for index in photos.indices { photos[index].split = .train }
    let again = await split(photos)
    #expect(again.photos.contains { $0.split == .test } && again.undivided.isEmpty)
    // Photos that no table lists are assigned regardless of their split.
    var unlisted = try bare(6)
    for index in unlisted.indices { unlisted[index].split = .test }
    #expect(await split(unlisted).photos.contains { $0.split == .train })
  }

  @Test("Groups assigned before stay, and new ones complete the test share")
  func given() {
    func tests(_ groups: Int, _ given: [Int: Bool]) -> Set<Int> {
      var generator = SplitMix64(seed: 0)
      return AutomaticSplit.tests(
        labels: (0..<groups).map { _ in "a" }, groups: Array(0..<groups), share: 0.25,
        given: given, using: &generator)
    }
    let before = Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, $0 < 2) })
    #expect(tests(8, before) == [0, 1])
    let more = tests(16, before)
    #expect(more.count == 4 && more.isSuperset(of: [0, 1]) && more.isDisjoint(with: 2..<8))
    #expect(tests(8, Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, false) })).count == 2)
    #expect(tests(4, [0: true, 1: true, 2: true, 3: true]) == [0, 1, 2, 3])
  }

  @Test("A new session of a building with one training session is for training", arguments: 0..<8)
  func calibrated(seed: UInt64) {
    func tests(_ sizes: [Int], _ given: [Int: Bool]) -> Set<Int> {
      var generator = SplitMix64(seed: seed)
      let groups = sizes.enumerated().flatMap { [Int](repeating: $0.offset, count: $0.element) }
      return AutomaticSplit.tests(
        labels: groups.map { _ in "a" }, groups: groups, share: 0.5, given: given,
        using: &generator)
    }
    #expect(tests([2, 20, 8], [0: true, 1: false]) == [0])
    #expect(tests([2, 20, 8, 8], [0: true, 1: false]).count == 2)
    // A building has one test session if that leaves two for training.
    #expect(tests([4, 4, 4], [:]).count == 1)
  }

  @Test("Bursts are found by the time column")
  func column() async throws {
    var photos = try bare(6)
    let apart = await split(photos)
    #expect(Set(apart.photos.compactMap(\.group)).count > 1)
    for index in photos.indices { photos[index].attributes["time"] = "2024:06:30 23:5\(index):00" }
    let together = await split(photos)
    #expect(Set(together.photos.compactMap(\.group)).count == 1)
  }

  @Test("Similar photos that join sessions are named")
  func links() async throws {
    var photos = try bare(4)
    for index in photos.indices { photos[index].group = index < 2 ? "chapel-1" : "chapel-2" }
    #expect(await split(photos).undivided == [])
    photos[3].contents = photos[0].contents
    let joined = await split(photos).undivided
    #expect(joined.map(\.origin) == [.similar("0.jpg", "3.jpg")])
    #expect(
      joined.text
        == "photos of several sessions joined by similar photos, such as 0.jpg and 3.jpg (chapel)")
    #expect(joined.advice == "delete one of the similar photos")
    #expect(
      joined.advice(deleting: "s.csv")
        == "delete one of the similar photos, delete s.csv, and split again")
  }

  @Test("Listed photos that are unreadable keep their rows")
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

  @Test("One remaining day is reported only if all photos have dates")
  func oneDay() {
    let photos: [AutomaticSplit.Shown] = [
      ("hall", 1, "2026-11-01"), ("hall", 2, nil), ("hall", 3, "2026-11-09"),
    ]
    #expect(AutomaticSplit.oneSession(photos, tests: [3]) == [])
    let dated = photos.map { ($0.label, $0.group, $0.day ?? "2026-11-01") }
    #expect(AutomaticSplit.oneSession(dated, tests: [3]).map(\.label) == ["hall"])
  }

  @Test("A fifth of each folder is held back by content, and sessions and copies stay together")
  func heldBackByContent() {
    func chosen(
      _ names: [String], digests: [String], sessions: [Int], copies: [Int]
    ) -> [String] {
      let traits = zip(names, digests).map { name, digest in
        let photo = LabeledPhoto(
          path: name, name: name, label: PhotoSet.negativeLabel, split: nil, group: nil)
        return PhotoTraits(
          photo: photo, digest: digest, metadata: PhotoMetadata(), thumbnail: nil)
      }
      return HeldBackPhotos(traits).chosen(digests, sessions: sessions, copies: copies)
        .map { digests[$0] }.sorted()
    }
    let numbers = Array(10..<30)
    // The digests are in reverse order of the names. Two photos form a session; folders of four photos lose none.
    let digests = numbers.map { "\(40 - $0)" } + ["01", "02", "03", "04"]
    let names = numbers.map { "parks/\($0).jpg" } + (1...4).map { "rooms/\($0).jpg" }
    let pairs = digests.indices.map { $0 / 2 * 2 }
    let single = Array(digests.indices)
    let expected = ["11", "12", "13", "14"]
    #expect(chosen(names, digests: digests, sessions: pairs, copies: single) == expected)
    let renamed = numbers.reversed().map { "parks/\($0).jpg" } + names.suffix(4)
    #expect(chosen(renamed, digests: digests, sessions: pairs, copies: single) == expected)
    // A single session is divided, but not its copies.
    let walk = [Int](repeating: 0, count: digests.count)
    let triples = digests.indices.map { $0 < 20 ? ($0 + 1) / 3 : $0 }
    #expect(
      chosen(names, digests: digests, sessions: walk, copies: triples) == ["11", "12", "13"])
  }
}
