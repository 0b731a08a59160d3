import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Novelty detector") struct NoveltyDetectorTests {
  private static func features(_ seed: UInt64) -> [Float] {
    VectorMath.unit(
      SampleFisher.matrix(1, SampleFisher.model().recipe.featureCount, in: -1...1, seed: seed)
        .values)
  }

  /// The score in double precision, without rounding the features.
  private static func score(_ features: [Float], _ model: Model) throws -> Double {
    let detector = try #require(model.novelty)
    let matrix = detector.projection.matrix
    let direction = (0..<matrix.rows).map { row in
      zip(matrix.row(row), features).reduce(Double(detector.offsets[row])) {
        $0 + Double($1.0) * Double($1.1)
      }
    }
    func cosine(_ view: Int) -> Double {
      let count = direction.count
      let own = detector.views[view * count..<(view + 1) * count].map(Double.init)
      func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      return dot(own, direction) / (dot(own, own) * dot(direction, direction)).squareRoot()
    }
    func nearest(_ labels: [Int]) -> Double {
      labels.flatMap { detector.starts[$0]..<detector.starts[$0 + 1] }.map(cosine).max() ?? 0
    }
    return nearest(model.labels.buildings) - nearest(model.labels.backgrounds)
  }

  @Test("The score compares the nearest views of buildings and backgrounds", arguments: 1...20)
  func scores(seed: UInt64) throws {
    let model = SampleFisher.detecting()
    let features = Self.features(seed)
    let found = try #require(model.novelty).score(features, labels: model.labels)
    #expect(abs(Double(found) - (try Self.score(features, model))) < 1e-3)
  }

  @Test("The probability of the unfamiliar label follows from the score", arguments: 1...5)
  func probability(seed: UInt64) throws {
    let model = SampleFisher.detecting()
    let features = Self.features(seed)
    let detector = try #require(model.novelty)
    let score = Double(detector.score(features, labels: model.labels))
    let (with, without) = (model.logits(features), model.classifier.logits(features))
    #expect(with[..<3] == without[..<3])
    let shares = Softmax.probabilities(with, temperature: model.calibration.temperature)
    let odds = detector.intercept + detector.slope * score
    #expect(abs(log(shares[3] / (1 - shares[3])) + odds) < 1e-3)
  }

  @Test("Stored views have a cosine of 1 to themselves")
  func sameView() throws {
    let model = SampleFisher.detecting()
    let detector = try #require(model.novelty)
    let features = Self.features(3)
    let matrix = detector.projection.matrix
    let direction = (0..<matrix.rows).map {
      VectorMath.dot(matrix.row($0).span, features.span) + detector.offsets[$0]
    }
    let most = direction.reduce(0) { max($0, $1.magnitude) }
    // One view of a building and none of a background, so the score is the cosine.
    let own = NoveltyDetector(
      projection: detector.projection, offsets: detector.offsets,
      views: direction.map { Int8(($0 * 127 / most).rounded()) }, starts: [0, 1, 1, 1, 1],
      intercept: 0, slope: 1)
    let cosine = own.score(features, labels: model.labels)
    #expect(cosine > 0.999 && cosine < 1.001)
  }

  @Test("A model with a detector survives a round trip")
  func roundTrip() throws {
    let model = SampleFisher.detecting()
    let again = try Model(bytes: model.bytes())
    #expect(again == model && again.novelty == model.novelty)
  }

  @Test("Detectors whose sums could overflow are rejected", arguments: [2048, 2049])
  func dimensions(count: Int) throws {
    var model = SampleFisher.detecting()
    let sound = try #require(model.novelty)
    let columns = sound.projection.columns
    model.novelty = NoveltyDetector(
      projection: NibbleMatrix(
        columns: columns, scales: [Float](repeating: 1, count: count),
        bytes: [UInt8](
          repeating: 0x99, count: count * NibbleMatrix.paddedColumns(columns) / 2)),
      offsets: [Float](repeating: 1, count: count),
      views: [Int8](repeating: -128, count: count), starts: [0, 1, 1, 1, 1], intercept: 0,
      slope: 1)
    let bytes = try model.bytes()
    guard count <= 2048 else {
      #expect(throws: CupolaError.self) { try Model(bytes: bytes) }
      return
    }
    let detector = try #require(try Model(bytes: bytes).novelty)
    // The only view is the opposite of the projected features, whose values are all equal, so the score is the cosine.
    let features = [Float](repeating: 0.01, count: columns)
    #expect(abs(detector.score(features, labels: model.labels) + 1) < 1e-3)
  }

  @Test(
    "Damaged detectors are rejected",
    arguments: [
      "novelty.projection", "novelty.scale", "novelty.offset", "novelty.views", "slope", "views",
      "unfamiliar",
    ])
  func damaged(part: String) throws {
    var file = try SafeTensors(bytes: SampleFisher.detecting().bytes())
    let text = try #require(file.metadata["novelty"])
    switch part {
    case "slope":
      file.metadata["novelty"] = text.replacing("\"slope\":8", with: "\"slope\":1e300")
    case "unfamiliar":
      file.metadata["novelty"] = text.replacing("[3,3,3,0]", with: "[3,3,0,3]")
    case "views":
      file.metadata["novelty"] = text.replacing("[3,3,3,0]", with: "[3,3,-3,0]")
    default:
      let sound = try #require(file.tensors[part])
      file.tensors[part] = .init(
        type: sound.type, shape: [sound.bytes.count / (sound.type == "F32" ? 4 : 1)],
        bytes: sound.bytes)
      if part == "novelty.scale" || part == "novelty.offset" { file.tensors[part] = nil }
    }
    let bytes = try ModelSeal.bytes(of: file)
    #expect(throws: CupolaError.self) { try Model(bytes: bytes) }
  }
}

@Suite("Nibble matrix") struct NibbleMatrixTests {
  @Test("Values round to 15 levels", arguments: [1, 31, 64, 65, 200])
  func rounding(columns: Int) {
    let matrix = SampleFisher.matrix(3, columns, in: -1...1, seed: 5)
    let nibbles = NibbleMatrix(matrix)
    #expect(nibbles.bytes.count == 3 * NibbleMatrix.paddedColumns(columns) / 2)
    #expect(nibbles.integers.values.allSatisfy { (-7...7).contains($0) && $0 == $0.rounded() })
    for row in 0..<3 {
      for column in 0..<columns {
        let limit = 7 * nibbles.scales[row]
        let expected = min(max(matrix[row, column], -limit), limit)
        #expect(abs(nibbles.matrix[row, column] - expected) <= 0.501 * nibbles.scales[row])
      }
    }
  }

  @Test("Integer products equal those of plain loops", arguments: [64, 128, 25_600])
  func products(columns: Int) {
    var generator = SplitMix64(seed: 6)
    let bytes = (0..<3 * columns / 2).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let high = (0..<columns).map { _ in Int8.random(in: -64...63, using: &generator) }
    let low = (0..<columns).map { _ in Int8.random(in: -64...63, using: &generator) }
    var sums = [Int32](repeating: 0, count: 6)
    WideRows.multiply(nibbles: bytes, (high, low), into: &sums)
    for row in 0..<3 {
      for (place, vector) in [high, low].enumerated() {
        let expected = (0..<columns).reduce(0) { sum, column in
          let byte = bytes[row * columns / 2 + column / 64 * 32 + column % 32]
          let nibble = column % 64 < 32 ? byte & 15 : byte >> 4
          return sum + Int(nibble) * Int(vector[column])
        }
        #expect(Int(sums[2 * row + place]) == expected)
      }
    }
    let rows = (0..<2 * columns).map { _ in Int8.random(in: -127...127, using: &generator) }
    let wide = (0..<columns).map { _ in Int16.random(in: -500...500, using: &generator) }
    var products = [Int32](repeating: 0, count: 2)
    WideRows.multiply(rows: rows, wide, into: &products)
    for row in 0..<2 {
      let own = rows[row * columns..<(row + 1) * columns]
      #expect(Int(products[row]) == zip(own, wide).reduce(0) { $0 + Int($1.0) * Int($1.1) })
    }
  }

  @Test("Rounded integers split into halves without loss")
  func halves() {
    let values = SampleFisher.matrix(1, 300, in: -2...2, seed: 8).values + [0, 2, -2]
    var integers = [Int16](repeating: 0, count: values.count)
    let scale = Rounding.write(values, to: &integers)
    var (high, low): ([Int8], [Int8]) = ([], [])
    let sum = Rounding.split(integers, into: &high, &low)
    #expect(sum == integers.reduce(0) { $0 + Int($1) })
    for index in values.indices {
      #expect(Rounding.joined(Int32(high[index]), Int32(low[index])) == Int(integers[index]))
      #expect(abs(Float(integers[index]) * scale - values[index]) <= 0.51 * scale)
    }
    #expect(Rounding.write([0, 0], to: &integers) == 0 && integers[0] == 0)
  }
}
