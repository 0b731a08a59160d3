import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Feature block")
struct FeatureBlockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Blocks of two photos, in memory and in files.
  private func blocks(
    _ failures: ReadingFailures
  ) throws -> (memory: [FeatureBlock], files: [FeatureBlock]) {
    var generator = SplitMix64(seed: 5)
    var (memory, files): ([FeatureBlock], [FeatureBlock]) = ([], [])
    for (number, views) in [2, 3].enumerated() {
      let tensor = SafeTensors.Tensor(
        halves: generator.matrix(views, 70).values, shape: [views, 70])
      var file = SafeTensors()
      file.tensors = ["features": tensor, "other": .init(floats: [1, 2], shape: [2])]
      try folder.write(try file.bytes(), to: "\(number)")
      let path = folder.path + "/\(number)"
      let place = try #require(try SafeTensorsIndex(path: path).places["features"])
      memory.append(.memory(tensor))
      files.append(
        .file(
          FeatureFile(
            path: path, offset: place.bytes.lowerBound, shape: place.shape, failures: failures)))
    }
    return (memory, files)
  }

  @Test("rows that stay in files are the same as those in memory, by rows, columns and photos")
  func same() throws {
    let failures = ReadingFailures()
    let (memory, files) = try blocks(failures)
    let (known, read) = (
      ExampleRows(memory, columns: 70), ExampleRows(files, columns: 70)
    )
    #expect(read == known)
    #expect(read.matrix(rows: 1..<4) == known.matrix(rows: 1..<4))
    #expect(read.matrix(columns: 3..<9) == known.matrix(columns: 3..<9))
    #expect(read.loading(photos: [1]).all == known.matrix(rows: 2..<5))
    let weighed = known.multiplied(first: 30, by: 2, rest: 0.5)
    #expect(read.multiplied(first: 30, by: 2, rest: 0.5).loading(photos: [0, 1]) == weighed)
    try failures.check()
  }

  @Test("a file that is gone is told of")
  func gone() throws {
    let failures = ReadingFailures()
    let rows = ExampleRows(try blocks(failures).files, columns: 70)
    try FileManager.default.removeItem(atPath: folder.path + "/1")
    #expect(rows.row(0) != [Float](repeating: 0, count: 70))
    try failures.check()
    #expect(rows.row(3) == [Float](repeating: 0, count: 70))
    #expect(
      throws: TrainingError.file(.cannotRead(path: folder.path + "/1", code: 2))
    ) { try failures.check() }
  }
}
