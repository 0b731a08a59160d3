import Cupola
import CupolaTestSupport
import CupolaTraining
import Synchronization
import Testing

/// What the classic HOG descriptor reaches on real photos of other days and lights.
@Suite(
  "Real photos", .serialized, .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos))
struct RealPhotosTests {
  /// Top-1 of one global HOG 128x128 descriptor with a linear softmax on the same splits.
  private static let peers = ["vyronas": 0.37, "notredame": 0.44, "koe": 0.666, "poznan": 0.65]

  private static let measured = Mutex([String: Double]())

  private static func top1(_ name: String) async throws -> Double {
    if let known = measured.withLock({ $0[name] }) { return known }
    let set = try PhotoSet(root: Repository.realPhotos + "/" + name)
    var trainer = Trainer()
    trainer.recipe = .hog
    trainer.threads = 2
    let model = try await trainer.train(on: set.photos(for: [.train, .val])).model
    var evaluator = Evaluator(model)
    evaluator.threads = 2
    let evaluation = await evaluator.evaluate(set.photos(for: [.test]))
    let top1 = try #require(evaluation.top1)
    measured.withLock { $0[name] = top1 }
    return top1
  }

  @Test(
    "HOG names at least as many buildings as its peers",
    arguments: ["vyronas", "notredame", "koe", "poznan"])
  func notWorse(name: String) async throws {
    let wanted = try #require(Self.peers[name])
    #expect(try await Self.top1(name) >= wanted)
  }

  @Test("the mean over four places is at least 53 %")
  func mean() async throws {
    var sum = 0.0
    for name in Self.peers.keys.sorted() { sum += try await Self.top1(name) }
    #expect(sum / 4 >= 0.53)
  }
}
