import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Example rows")
struct ExampleRowsTests {
  private static let material: (rows: ExampleRows, matrix: Matrix) = {
    var generator = SplitMix64(seed: 12)
    let matrix = generator.matrix(10, 7).halved
    let tensors = (0..<5).map { photo in
      SafeTensors.Tensor(
        halves: Array(matrix.values[photo * 14..<(photo + 1) * 14]), shape: [2, 7])
    }
    return (ExampleRows(tensors, columns: 7), matrix)
  }()

  @Test("Rows, columns and the matrix match the stored values")
  func parts() {
    let (rows, matrix) = Self.material
    #expect(rows.rows == 10 && rows.all == matrix)
    #expect(rows.matrix(rows: 3..<8) == matrix.selecting(rows: Array(3..<8)))
    #expect(
      rows.matrix(columns: 2..<6)
        == matrix.transposed.selecting(rows: Array(2..<6)).transposed)
    #expect(rows.row(9) == Array(matrix.values[63...]))
    #expect(ExampleRows(matrix) == rows)
  }

  @Test("Photos may have different numbers of views")
  func views() {
    let matrix = Self.material.matrix
    let tensors = [0..<1, 1..<4, 4..<4, 4..<6, 6..<10].map { rows in
      SafeTensors.Tensor(
        halves: rows.flatMap(matrix.row), shape: [rows.count, 7])
    }
    #expect(ExampleRows(tensors, columns: 7).all == matrix)
  }

  @Test("Weights apply at any block boundary", arguments: [0, 3, 7])
  func weights(first: Int) {
    let (rows, matrix) = Self.material
    var expected = matrix
    for row in 0..<10 {
      for column in 0..<7 { expected[row, column] *= column < first ? 0.5 : 3 }
    }
    let weighed = rows.multiplied(first: first, by: 0.5, rest: 3)
    #expect(weighed.all == expected && weighed != rows)
    for columns in [0..<2, 2..<5, 5..<7] {
      #expect(
        weighed.matrix(columns: columns)
          == expected.transposed.selecting(rows: Array(columns)).transposed)
    }
  }

  @Test("Blocks cover all rows and columns once and are bounded", arguments: [1, 64, 100, 5000])
  func blocks(rows count: Int) {
    let tensor = SafeTensors.Tensor(halves: [Float](repeating: 0, count: 3000), shape: [1, 3000])
    let rows = ExampleRows(
      [SafeTensors.Tensor](repeating: tensor, count: count), columns: 3000)
    #expect(rows.rowBlocks.flatMap(Array.init) == Array(0..<count))
    #expect(rows.columnBlocks.flatMap(Array.init) == Array(0..<3000))
    #expect(rows.rowBlocks.allSatisfy { $0.count * 3000 * 4 <= 16 << 20 })
    #expect(rows.rowBlocks.dropLast().allSatisfy { $0.count % 64 == 0 })
  }
}

@Suite("Feature block")
struct FeatureBlockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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

  @Test("Rows in files match rows in memory")
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

  @Test("A missing file is reported")
  func missingFile() throws {
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

@Suite("Photo views")
struct PhotoViewsTests {
  private static let views = PhotoViews(counts: [4, 2, 4, 2], testView: 1)

  @Test("Rows are consecutive and include the test view")
  func rows() {
    #expect((0..<4).map(Self.views.rows) == [0..<4, 4..<6, 6..<10, 10..<12])
    #expect((0..<4).map(Self.views.testRow) == [1, 5, 7, 11])
  }

  @Test("First views are limited to the existing ones")
  func first() {
    #expect((0..<2).map { Self.views.rows(of: $0, first: 3) } == [0..<3, 4..<6])
    #expect(Self.views.rows(of: 2, first: nil) == 6..<10)
  }
}
