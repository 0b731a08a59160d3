import Testing

@testable import Cupola

@Suite("Int8 weights") struct Int8WeightsTests {
  static func random(_ rows: Int, _ columns: Int, seed: UInt64 = 1) -> Matrix {
    SampleFisher.matrix(rows, columns, in: -3...3, seed: seed)
  }

  @Test("Each weight becomes the nearest multiple of its row's scale")
  func nearest() {
    let weights = Self.random(5, 301)
    let rounded = Int8Weights(weights)
    #expect(rounded.rows == 5 && rounded.columns == 301 && rounded.scales.count == 5)
    for row in 0..<5 {
      let scale = Double(rounded.scales[row])
      for column in 0..<301 {
        let (weight, value) = (Double(weights[row, column]), rounded.values[row * 301 + column])
        // The obvious way: of all 255 values the one that is nearest.
        let distances = (-127...127).map { abs(Double($0) * scale - weight) }
        let least = distances.min() ?? 0
        #expect(distances[Int(value) + 127] <= least + 1e-6 * scale)
        #expect(Double(rounded.matrix[row, column]) == Double(value) * scale)
      }
    }
  }

  @Test("The largest magnitude of a row becomes 127, whatever its size")
  func largest() {
    let sizes: [Float] = [1, 1e-30, .leastNonzeroMagnitude * 200, .greatestFiniteMagnitude, 127.5]
    for (row, size) in sizes.enumerated() {
      let weights = Matrix(rows: 1, columns: 3, values: [size, -size, size / 2])
      let rounded = Int8Weights(weights)
      #expect(rounded.matrix.values.allSatisfy { $0.isFinite }, "row \(row)")
      guard size >= .leastNormalMagnitude else { continue }
      #expect(rounded.values[0] == 127 && rounded.values[1] == -127)
      #expect(abs(rounded.matrix.values[0] / size - 1) < 0x1p-16)
      #expect(abs(rounded.scales[0] / (size / 127) - 1) < 0x1p-16)
    }
  }

  @Test("Half way between two whole numbers the even one is taken")
  func ties() {
    let values: [Float] = [127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 63.5]
    let rounded = Int8Weights(Matrix(rows: 1, columns: 8, values: values))
    #expect(rounded.scales == [1])
    #expect(rounded.values == [127, 0, 2, 2, 0, -2, -2, 64])
  }

  @Test("A row of zeros stays one, and rows do not touch each other")
  func rows() {
    var weights = Self.random(3, 40)
    for column in 0..<40 { weights[1, column] = 0 }
    let rounded = Int8Weights(weights)
    #expect(rounded.scales[1] == 1)
    #expect(rounded.matrix.values[weights.range(ofRow: 1)].allSatisfy { $0 == 0 })
    for row in 0..<3 {
      let alone = Int8Weights(weights.selecting(rows: [row]))
      #expect(alone.values == Array(rounded.values[weights.range(ofRow: row)]))
      #expect(alone.scales == [rounded.scales[row]])
    }
  }

  @Test("Products with scales are exact, so that rounding twice is rounding once")
  func exact() {
    for seed in 0..<200 as Range<UInt64> {
      let rounded = Int8Weights(Self.random(2, 9, seed: seed))
      for (index, weight) in rounded.matrix.values.enumerated() {
        let exact = Double(rounded.values[index]) * Double(rounded.scales[index / 9])
        #expect(Double(weight) == exact)
      }
      #expect(Int8Weights(rounded.matrix) == rounded)
    }
  }

  @Test("As a tensor its numbers are one byte each, in two's complement")
  func tensor() {
    let tensor = SafeTensors.Tensor(int8s: [0, 1, -1, 127, -127, -128], shape: [2, 3])
    #expect(tensor.type == "I8" && tensor.bytes == [0, 1, 255, 127, 129, 128])
    #expect(tensor.int8s == [0, 1, -1, 127, -127, -128])
    #expect(tensor.floats == nil && tensor.halves == nil)
    #expect(SafeTensors.Tensor(floats: [1], shape: [1]).int8s == nil)
  }

  @Test("Weights without numbers are a caller's mistake")
  func notFinite() async {
    await #expect(processExitsWith: .failure) {
      _ = Int8Weights(Matrix(rows: 1, columns: 1, values: [.nan]))
    }
    await #expect(processExitsWith: .failure) {
      _ = Int8Weights(rows: 1, columns: 2, values: [1], scales: [1])
    }
    await #expect(processExitsWith: .failure) {
      _ = Int8Weights(rows: 1, columns: 1, values: [1], scales: [])
    }
  }
}
