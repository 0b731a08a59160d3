/// IEEE 754 half precision by its bits: `Float16` is missing on Macs with Intel processors.
enum HalfPrecision {
  /// The largest finite half.
  static let largest: Float = 65_504

  /// The nearest half, ties to even; beyond 65,504 infinity.
  static func bits(of value: Float) -> UInt16 {
    let sign = UInt16(truncatingIfNeeded: value.bitPattern >> 16) & 0x8000
    let magnitude = value.magnitude.bitPattern
    if magnitude > Float.infinity.bitPattern { return sign | 0x7E00 }
    // 65,520 is half way from the largest half to the next.
    if magnitude >= Float(65_520).bitPattern { return sign | 0x7C00 }
    if magnitude < Float(0x1p-14).bitPattern {
      // Adding 1/2 leaves as many bits of the fraction as a subnormal half has, and rounds.
      let sum = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(truncatingIfNeeded: sum.bitPattern &- Float(0.5).bitPattern)
    }
    let odd = magnitude >> 13 & 1
    let rounded = magnitude &- (112 << 23) &+ 0xFFF &+ odd
    return sign | UInt16(truncatingIfNeeded: rounded >> 13)
  }

  /// The number that a half stands for, exactly.
  static func value(of bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7FFF)
    guard magnitude < 0x7C00 else {
      return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13)
    }
    let scaled = Float(bitPattern: magnitude << 13) * 0x1p112
    return Float(bitPattern: sign | scaled.bitPattern)
  }
}

extension Matrix {
  /// Each value as the nearest half; what is beyond the halves becomes the largest of them.
  package var halved: Matrix {
    var result = self
    for index in values.indices {
      let value = min(max(values[index], -HalfPrecision.largest), HalfPrecision.largest)
      result.values[index] = HalfPrecision.value(of: HalfPrecision.bits(of: value))
    }
    return result
  }
}

extension SafeTensors.Tensor {
  /// Floats as a tensor of type `F16`, each rounded to the nearest half.
  package init(halves floats: [Float], shape: [Int]) {
    precondition(floats.count == shape.reduce(1, *), "\(floats.count) values of shape \(shape)")
    let bytes = [UInt8](capacity: 2 * floats.count) { output in
      let floats = floats.span
      for index in floats.indices {
        let half = HalfPrecision.bits(of: floats[index])
        output.append(UInt8(truncatingIfNeeded: half))
        output.append(UInt8(truncatingIfNeeded: half >> 8))
      }
    }
    self.init(type: "F16", shape: shape, bytes: bytes)
  }

  /// Floats as a tensor of type `F16` if every one of them is a half, else of type `F32`.
  init(compact floats: [Float], shape: [Int]) {
    let halves = SafeTensors.Tensor(halves: floats, shape: shape)
    self = halves.halves == floats ? halves : SafeTensors.Tensor(floats: floats, shape: shape)
  }

  /// The elements of a tensor of type `F16`, exactly; `nil` for other types.
  var halves: [Float]? {
    guard type == "F16" else { return nil }
    let count = span.count / 2
    return [Float](capacity: count) { appendHalves(0..<count, to: &$0) }
  }

  /// Adds some elements of a tensor of type `F16` or `F32` to others.
  package func append(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    precondition(type == "F16" || type == "F32", "numbers of type \(type)")
    type == "F16" ? appendHalves(elements, to: &output) : appendFloats(elements, to: &output)
  }

  private func appendHalves(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    let bytes = span.extracting(2 * elements.lowerBound..<2 * elements.upperBound)
    for index in 0..<elements.count {
      let half = UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
      output.append(HalfPrecision.value(of: half))
    }
  }
}
