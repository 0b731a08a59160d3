import CupolaTestSupport
import Foundation
import Testing

/// The corpus of `Scripts/verify fuzz`: inputs with high coverage and inputs that failed before.
@Suite("Fuzzing corpus") struct FuzzCorpusTests {
  struct Input: Sendable, CustomTestStringConvertible {
    let target: FuzzTarget
    let name: String

    var testDescription: String { target.name + "/" + name }
    var place: URL { FuzzCorpusTests.corpus.appending(path: testDescription) }
  }

  static let corpus = Repository.root.appending(path: "Tests/Fuzz/Corpus")

  static let inputs = FuzzTarget.all.flatMap { target in
    names(in: corpus.appending(path: target.name)).map { Input(target: target, name: $0) }
  }

  static func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test("Every input of the corpus passes its target", .timeLimit(.minutes(1)), arguments: inputs)
  func run(_ input: Input) async throws {
    let bytes = Array(try Data(contentsOf: input.place))
    // Use a separate thread because a target may wait for a task.
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { done.resume(with: Result { try input.target.run(bytes) }) }
    }
  }

  @Test("Every target has inputs, and the corpus is small")
  func isComplete() throws {
    let named = Set(FuzzTarget.all.map(\.name))
    #if Serve
      #expect(Set(Self.names(in: Self.corpus)) == named)
    #else
      #expect(named.isSubset(of: Self.names(in: Self.corpus)))
    #endif
    for target in named {
      #expect(!Self.names(in: Self.corpus.appending(path: target)).isEmpty, "\(target)")
    }
    let sizes = try Self.inputs.map { try Data(contentsOf: $0.place).count }
    #expect(sizes.reduce(0, +) < 600_000)
  }
}
