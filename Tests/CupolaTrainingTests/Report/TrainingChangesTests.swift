import Cupola
import CupolaTraining
import Testing

@Suite("Training changes")
struct TrainingChangesTests {
  /// A provenance record in which each letter represents a photo.
  private static func record(
    _ photos: [String: String], recall: [String: (Int, Int)] = [:]
  ) -> Provenance {
    Provenance(
      version: "test", dataDigest: "00", photos: photos.mapValues(\.count),
      photoDigests: photos.mapValues { letters in
        PhotoDigests(sha256: letters.map { String(repeating: $0, count: 16) })
      },
      seed: 0, regularization: 1, kernel: "none",
      recall: recall.mapValues { Provenance.Recall(right: $0.0, asked: $0.1) })
  }

  private static func changes(
    _ old: [String: String], _ new: [String: String]
  ) -> TrainingChanges {
    TrainingChanges(from: record(old), to: record(new))
  }

  private static func renamings(_ changes: TrainingChanges) -> [String] {
    changes.renamed.map { "\($0.from)>\($0.to)" }
  }

  private static func photos(_ changes: TrainingChanges) -> [Int] {
    [changes.photosAdded, changes.photosRemoved, changes.photosMoved]
  }

  @Test("Photos also under another label are doubled, not moved")
  func doubled() {
    let changes = Self.changes(["hall": "ab", "tower": "cd"], ["hall": "ab", "tower": "acd"])
    #expect(changes.photosDoubled == 1 && changes.photosMoved == 0)
    let moved = Self.changes(["hall": "ab", "tower": "cd"], ["hall": "b", "tower": "acd"])
    #expect(moved.photosDoubled == 0 && moved.photosMoved == 1)
    let renamed = Self.changes(["hall": "ab", "tower": "cd"], ["aula": "ab", "tower": "cd"])
    #expect(renamed.photosDoubled == 0)
  }

  @Test("Equal records have no changes")
  func none() {
    let record = Self.record(["hall": "ab", "tower": "cd"], recall: ["hall": (1, 2)])
    let changes = TrainingChanges(from: record, to: record)
    #expect(changes.added == [] && changes.removed == [] && changes.renamed == [])
    #expect(Self.photos(changes) == [0, 0, 0])
    #expect(changes.recall == [])
  }

  @Test("Added and removed labels are sorted")
  func addedAndRemoved() {
    let changes = Self.changes(
      ["hall": "ab", "tower": "cd", "_sky": "e"],
      ["hall": "ab", "well": "f", "dome": "gh", "arch": "i"])
    #expect(changes.added == ["arch", "dome", "well"])
    #expect(changes.removed == ["_sky", "tower"])
    #expect(changes.renamed == [])
    #expect(Self.photos(changes) == [4, 3, 0])
  }

  @Test(
    "A label is renamed if most photos have the new name",
    arguments: [
      ("abcd", "abcd", true), ("abcd", "abc", true), ("abcd", "abcxyz", true),
      ("abcd", "abxyz", false), ("abcd", "wxyz", false), ("a", "abcd", true),
    ])
  func renamed(before: String, after: String, isRenamed: Bool) {
    let changes = Self.changes(["hall": "pq", "old": before], ["hall": "pq", "new": after])
    #expect(Self.renamings(changes) == (isRenamed ? ["old>new"] : []))
    #expect(changes.added == (isRenamed ? [] : ["new"]))
    #expect(changes.removed == (isRenamed ? [] : ["old"]))
    let shared = Set(before).intersection(after).count
    #expect(
      Self.photos(changes)
        == [after.count - shared, before.count - shared, isRenamed ? 0 : shared])
  }

  @Test("Several labels can be renamed or joined at once")
  func several() {
    let crossed = Self.changes(["a": "abc", "b": "def"], ["y": "abc", "x": "def"])
    #expect(Self.renamings(crossed) == ["a>y", "b>x"])
    let joined = Self.changes(["a": "abc", "b": "def"], ["x": "abcdef"])
    #expect(Self.renamings(joined) == ["a>x", "b>x"])
    #expect(joined.added == [] && joined.removed == [])
    #expect(Self.photos(crossed) == [0, 0, 0] && Self.photos(joined) == [0, 0, 0])
  }

  @Test("Swapped labels are moved photos, not renamings")
  func swapped() {
    let changes = Self.changes(["a": "abc", "b": "def"], ["a": "def", "b": "abc"])
    #expect(changes.renamed == [])
    #expect(Self.photos(changes) == [0, 0, 6])
  }

  @Test("Photos that move between labels are counted")
  func moved() {
    #expect(
      Self.photos(Self.changes(["a": "abc", "b": "de"], ["a": "ab", "b": "cde"])) == [0, 0, 1])
  }

  @Test("Equal files are counted individually")
  func equalFiles() {
    #expect(Self.photos(Self.changes(["a": "xx", "b": "y"], ["a": "x", "b": "y"])) == [0, 1, 0])
    #expect(Self.photos(Self.changes(["a": "x", "b": "y"], ["a": "xx", "b": "yx"])) == [2, 0, 0])
  }

  @Test("Changed recall is listed under the new name")
  func recall() {
    let old = Self.record(
      ["a": "a", "b": "b", "c": "cde", "gone": "g", "same": "s", "late": "l"],
      recall: [
        "a": (1, 2), "b": (1, 2), "c": (3, 3), "gone": (0, 1), "same": (4, 4), "late": (1, 1),
      ])
    let new = Self.record(
      ["a": "a", "b": "b", "dome": "cde", "new": "n", "same": "s", "late": "l", "_sky": "y"],
      recall: ["a": (2, 4), "b": (3, 4), "dome": (2, 3), "new": (1, 1), "same": (5, 5)])
    let changes = TrainingChanges(from: old, to: new).recall
    #expect(changes.map(\.label) == ["b", "dome", "late", "new"])
    #expect(changes[0].before == .init(right: 1, asked: 2))
    #expect(changes[0].after == .init(right: 3, asked: 4))
    #expect(changes[1].before == .init(right: 3, asked: 3))
    #expect(changes[1].after == .init(right: 2, asked: 3))
    #expect(changes[2].after == nil)
    #expect(changes[3].before == nil)
  }

  @Test("Huge recall counts are compared without overflow")
  func largeRecall() {
    let most = 5_000_000_000
    let old = Self.record(
      ["a": "a", "b": "b"], recall: ["a": (most, most), "b": (most - 1, most)])
    let new = Self.record(["a": "a", "b": "b"], recall: ["a": (.max, .max), "b": (most, most)])
    #expect(TrainingChanges(from: old, to: new).recall.map(\.label) == ["b"])
  }

  @Test("The earlier recall of joined labels is combined")
  func joinedRecall() {
    let old = Self.record(["a": "abc", "b": "def"], recall: ["a": (1, 3), "b": (3, 3)])
    let new = Self.record(["x": "abcdef"], recall: ["x": (5, 6)])
    let changes = TrainingChanges(from: old, to: new).recall
    #expect(changes.map(\.before) == [.init(right: 4, asked: 6)])
  }
}
