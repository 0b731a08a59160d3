import Testing

@testable import Cupola

#if !(os(macOS) && arch(x86_64))
  @Suite("Half precision") struct HalfPrecisionTests {
    @Test("Every half is the number that Float16 says, and comes back")
    func halves() {
      for bits in UInt16.min...UInt16.max {
        let expected = Float(Float16(bitPattern: bits))
        let value = HalfPrecision.value(of: bits)
        guard !expected.isNaN else {
          #expect(value.isNaN && Float16(bitPattern: HalfPrecision.bits(of: value)).isNaN)
          continue
        }
        #expect(value.bitPattern == expected.bitPattern)
        #expect(HalfPrecision.bits(of: value) == bits)
      }
    }

    @Test("Floats become the nearest half, ties to even, as with Float16")
    func rounding() {
      var generator = SplitMix64(seed: 1)
      let random = (0..<100_000).map { _ in
        Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
      }
      let halves = (UInt16(0)..<0x7C00).map { Float(Float16(bitPattern: $0)) }
      let ties = zip(halves, halves.dropFirst()).map { ($0 + $1) / 2 }
      let near = ties.flatMap { [$0, -$0, $0.nextUp, $0.nextDown] }
      for value in random + near + [65_519.99, 65_520, 65_536, .infinity, -.infinity, 0, -0.0]
      where !value.isNaN {
        #expect(HalfPrecision.bits(of: value) == Float16(value).bitPattern, "\(value)")
      }
    }

    @Test("A tensor of halves holds the rounded floats")
    func tensor() {
      let values: [Float] = [0, -0.0, 1, 0.1, -1e-7, 3.25]
      let tensor = SafeTensors.Tensor(halves: values, shape: [2, 3])
      #expect(tensor.type == "F16")
      #expect(tensor.bytes.count == 12)
      #expect(tensor.halves == values.map { Float(Float16($0)) })
      #expect(tensor.floats == nil)
      #expect(SafeTensors.Tensor(floats: values, shape: [6]).halves == nil)
    }

    @Test("A compact tensor has halves if that loses nothing")
    func compact() {
      let halves: [Float] = [0, -0.0, 1, 65_504, 0x1p-24, -3.25]
      let tensor = SafeTensors.Tensor(compact: halves, shape: [6])
      #expect(tensor.type == "F16")
      #expect(tensor.halves?.map(\.bitPattern) == halves.map(\.bitPattern))
      for other in [Float(0.1), 65_505, 0x1p-25, .nan] {
        let tensor = SafeTensors.Tensor(compact: halves + [other], shape: [7])
        #expect(tensor.type == "F32")
        #expect(tensor.floats?.map(\.bitPattern) == (halves + [other]).map(\.bitPattern))
      }
    }

    @Test("A matrix is halved value by value, up to the largest half")
    func matrix() {
      let values: [Float] = [0.1, -0.1, 1, 70_000, -.infinity, 1e-9]
      let halved = Matrix(rows: 2, columns: 3, values: values).halved
      #expect(halved.rows == 2 && halved.columns == 3)
      let expected: [Float] = [Float(Float16(0.1)), -Float(Float16(0.1)), 1, 65_504, -65_504, 0]
      #expect(halved.values == expected)
      #expect(halved.halved == halved)
    }
  }
#endif
