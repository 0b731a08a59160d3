import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Quick cross-validation") struct QuickCrossValidationTests {
  /// Clusters, of each of which every tenth photo has the next label instead of its own.
  private static func validation(
    photos count: Int, labels: Int, threads: Int
  ) async throws -> (validation: QuickCrossValidation, planted: Set<Int>) {
    var generator = SplitMix64(seed: 3)
    let centers = generator.matrix(labels, 64)
    var examples = generator.matrix(count, 64)
    var (known, planted): ([String], Set<Int>) = ([], [])
    for photo in 0..<count {
      let own = photo % labels
      for column in 0..<64 {
        examples[photo, column] = centers[own, column] + 0.8 * examples[photo, column]
      }
      let isWrong = photo / labels % 10 == 9 && own % 4 == 0
      if isWrong { planted.insert(photo) }
      let label = (own + (isWrong ? 1 : 0)) % labels
      known.append((label == labels - 1 ? "_" : "") + "label\(label)")
    }
    let validation = await QuickCrossValidation(
      of: Coordinates(examples), labels: known, numbers: Array(0..<count).map { 10 * $0 },
      groups: (0..<count).map { $0 / labels }, copies: Array(0..<count), threads: threads)
    return (try #require(validation), planted)
  }

  @Test(
    "of few photos and of many, most wrong labels are found and few right ones doubted",
    arguments: [(400, 20), (1_640, 20)])
  func suspects(photos: Int, labels: Int) async throws {
    let (validation, planted) = try await Self.validation(
      photos: photos, labels: labels, threads: 1)
    let found = Set(validation.suspects.map { $0.photo / 10 })
    #expect(found.intersection(planted).count * 10 >= 8 * planted.count)
    #expect(found.subtracting(planted).count * 100 <= photos)
    #expect(validation.grouped > 0.9 && validation.random > 0.9)
    #expect(validation.photos <= photos)
    let again = try await Self.validation(photos: photos, labels: labels, threads: 2).validation
    #expect(again.suspects.map(\.photo) == validation.suspects.map(\.photo))
    #expect(again.grouped == validation.grouped)
  }

  /// Of noise with two labels, every second photo one of them.
  private static func ofNoise(
    labels: [String] = ["label0", "label1"], group: (Int) -> Int
  ) async -> QuickCrossValidation? {
    var generator = SplitMix64(seed: 8)
    return await QuickCrossValidation(
      of: Coordinates(generator.matrix(40, 8)), labels: (0..<40).map { labels[$0 % 2] },
      numbers: Array(0..<40), groups: (0..<40).map(group), copies: Array(0..<40), threads: 1)
  }

  @Test("both figures are of the same photos, those of labels with several sessions")
  func samePhotos() async throws {
    let validation = try #require(await Self.ofNoise { $0 % 2 == 0 ? $0 % 4 : 1 })
    #expect(validation.photos == 20)
    // Twentieths, where those of the other label are not asked about.
    for share in [validation.grouped, validation.random] {
      #expect(abs(20 * share - (20 * share).rounded()) < 1e-9)
    }
  }

  @Test("where no photo of a building can be held out no figure is told")
  func onlyBackgrounds() async {
    #expect(await Self.ofNoise(labels: ["_street", "label1"]) { $0 % 2 == 0 ? $0 : 1 } == nil)
  }

  @Test("a session is asked about only where a fair share of its label is left to learn from")
  func balanced() async throws {
    // Of each label 18 photos of one session, and two of another.
    let validation = try #require(await Self.ofNoise { $0 < 36 ? 0 : 1 })
    #expect(validation.photos == 4)
  }

  @Test(
    "sessions that look like nothing but themselves are told with what to do",
    arguments: [0.1, 10] as [Float])
  func sessions(spread: Float) async throws {
    // Each label has four sessions, which lie further apart than labels do, or nearer together.
    var generator = SplitMix64(seed: 5)
    let labels = generator.matrix(6, 64)
    let sessions = generator.matrix(24, 64)
    var examples = generator.matrix(240, 64)
    for photo in 0..<240 {
      for column in 0..<64 {
        examples[photo, column] =
          labels[photo % 6, column] + spread * sessions[photo % 24, column]
          + 0.1 * examples[photo, column]
      }
    }
    let validation = try #require(
      await QuickCrossValidation(
        of: Coordinates(examples), labels: (0..<240).map { "label\($0 % 6)" },
        numbers: Array(0..<240), groups: (0..<240).map { $0 % 24 }, copies: Array(0..<240),
        threads: 1))
    let isFar = spread > 1
    #expect(validation.random > 0.95 && (validation.grouped < 0.7) == isFar)
    #expect(validation.text.contains("points too much\n    -> photos of another day") == isFar)
    #expect(validation.text.contains("->") == isFar)
  }
}
