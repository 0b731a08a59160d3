#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Convert images in other color spaces, such as Display P3, to sRGB:
// 1. `ICCTags` finds an ICC profile's curves and colorants.
// 2. `ToneCurve` converts a sample to a linear-light value.
// 3. `ColorProfile` converts samples to linear light, applies a matrix to linear sRGB, and converts back to samples.

/// An RGB color profile that consists of three curves and a matrix (ICC.1:2022, 8.3.3).
/// Phones use this type of profile for Display P3; without conversion, their photos look pale. Table-based, gray, and
/// CMYK profiles are ignored.
struct ColorProfile: Sendable {
  /// The linear-light value (0 to 1) of each of the 256 sample values, per channel.
  private let curves: [[Float]]
  /// The matrix from the profile's linear RGB to linear sRGB, row-major.
  private let matrix: [Float]

  /// Colors whose samples differ by at most this value are treated as equal.
  private static let leastDifference = 2

  /// Returns `nil` if the profile is of another type, is damaged, or is equivalent to sRGB.
  init?(icc bytes: [UInt8]) {
    guard let tags = ICCTags(bytes) else { return nil }
    var curves: [[Float]] = []
    var colorants: [Double] = []
    for channel in ["r", "g", "b"] {
      guard let curve = tags.curve(channel + "TRC"), let color = tags.xyz(channel + "XYZ") else {
        return nil
      }
      let light = (0...255).map { curve.light(Double($0) / 255) }
      guard light.allSatisfy(\.isFinite) else { return nil }
      curves.append(light.map { Float(min(max($0, 0), 1)) })
      colorants += color
    }
    self.init(curves: curves, colorants: colorants)
    if isSRGB { return nil }
  }

  /// Whether colors cannot be converted to sRGB: an RGB profile with tables, or another color space except gray.
  static func isUnsupported(icc bytes: [UInt8]) -> Bool {
    guard let tags = ICCTags(bytes) else { return !bytes.dropFirst(16).starts(with: "GRAY".utf8) }
    return ["r", "g", "b"].contains { tags.curve($0 + "TRC") == nil || tags.xyz($0 + "XYZ") == nil }
  }

  private init(curves: [[Float]], colorants: [Double]) {
    self.curves = curves
    matrix = (0..<9).map { index in
      let (row, column) = (index / 3, index % 3)
      return Float(
        (0..<3).reduce(0) { $0 + Self.fromXYZ[3 * row + $1] * colorants[3 * column + $1] })
    }
  }

  /// Display P3 with the sRGB curve, which HEIF files can specify by number (ISO/IEC 23091-2: 12).
  static let displayP3 = ColorProfile(
    curves: [[Float]](
      repeating: (0...255).map { Float(ToneCurve.sRGB.light(Double($0) / 255)) }, count: 3),
    colorants: [0.51512, 0.24120, -0.00105, 0.29198, 0.69225, 0.04189, 0.15710, 0.06657, 0.78407])

  /// The matrix from D50 XYZ colors to linear sRGB (the inverse of sRGB's Bradford-adapted colorants).
  private static let fromXYZ = [
    3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.0334540, 0.0719453, -0.2289914,
    1.4052427,
  ]

  /// sRGB samples for evenly spaced linear-light values, fine enough for the steepest part of the curve.
  private static let samples: [UInt8] = (0...16_384).map { index in
    UInt8((255 * ToneCurve.sRGBSample(Double(index) / 16_384)).rounded())
  }

  private var isSRGB: Bool {
    let levels = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
    let pixels = levels.flatMap { r in levels.flatMap { g in levels.flatMap { [r, g, $0] } } }
    return zip(pixels, converted(pixels)).allSatisfy {
      abs(Int($0) - Int($1)) <= Self.leastDifference
    }
  }

  func toSRGB(_ image: RGBImage) -> RGBImage {
    RGBImage(width: image.width, height: image.height, pixels: converted(image.pixels))
  }

  private func converted(_ pixels: [UInt8]) -> [UInt8] {
    let samples = Self.samples
    let last = Float(samples.count - 1)
    return [UInt8](capacity: pixels.count) { output in
      let source = pixels.span
      for at in stride(from: 0, to: pixels.count / 3 * 3, by: 3) {
        let red = curves[0][Int(source[at])]
        let green = curves[1][Int(source[at + 1])]
        let blue = curves[2][Int(source[at + 2])]
        for row in 0..<3 {
          let light =
            matrix[3 * row] * red + matrix[3 * row + 1] * green + matrix[3 * row + 2] * blue
          output.append(samples[Int(min(max(light, 0), 1) * last + 0.5)])
        }
      }
    }
  }
}

struct ICCTags {
  private let bytes: [UInt8]
  private var places: [String: Range<Int>] = [:]

  /// Maximum number of tags; typical profiles have about 20.
  private static let mostTags = 100

  /// Returns `nil` if the data is not an RGB profile.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard text(at: 16) == "RGB ", text(at: 20) == "XYZ ", let count = integer(at: 128) else {
      return nil
    }
    for entry in 0..<min(count, Self.mostTags) {
      let at = 132 + 12 * entry
      guard let name = text(at: at), let start = integer(at: at + 4),
        let size = integer(at: at + 8), start + size <= bytes.count
      else { return nil }
      places[name] = start..<start + size
    }
  }

  func xyz(_ name: String) -> [Double]? {
    guard let place = places[name], place.count >= 20, text(at: place.lowerBound) == "XYZ " else {
      return nil
    }
    return (0..<3).compactMap { fixed(at: place.lowerBound + 8 + 4 * $0) }
  }

  func curve(_ name: String) -> ToneCurve? {
    guard let place = places[name], place.count >= 12 else { return nil }
    switch text(at: place.lowerBound) {
    case "curv": return table(place)
    case "para": return formula(place)
    default: return nil
    }
  }

  private func table(_ place: Range<Int>) -> ToneCurve? {
    guard let count = integer(at: place.lowerBound + 8), 12 + 2 * count <= place.count else {
      return nil
    }
    let values = (0..<count).map { index in
      let at = place.lowerBound + 12 + 2 * index
      return Double(bytes[at..<at + 2].bigEndian)
    }
    switch count {
    case 0: return .power(1)
    case 1: return .power(values[0] / 256)
    default: return .table(values.map { $0 / 65_535 })
    }
  }

  private func formula(_ place: Range<Int>) -> ToneCurve? {
    let kind = bytes[place.lowerBound + 8..<place.lowerBound + 10].bigEndian
    guard kind < 5 else { return nil }
    let count = [1, 3, 4, 5, 7][kind]
    guard 12 + 4 * count <= place.count else { return nil }
    let p = (0..<count).compactMap { fixed(at: place.lowerBound + 12 + 4 * $0) }
    switch kind {
    case 0: return .power(p[0])
    case 1, 2:
      guard p[1] != 0 else { return nil }
      let rest = kind == 2 ? p[3] : 0
      return .parametric(
        gamma: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: rest, f: rest)
    default:
      return .parametric(
        gamma: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: kind == 4 ? p[5] : 0,
        f: kind == 4 ? p[6] : 0)
    }
  }

  private func text(at offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private func integer(at offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    return bytes[offset..<offset + 4].bigEndian
  }

  /// Returns a signed 16.16 fixed-point number.
  private func fixed(at offset: Int) -> Double? {
    integer(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}

/// Converts samples to linear light (ICC.1:2022, 10.6 and 10.18).
enum ToneCurve: Sendable {
  /// Linear-light values for evenly spaced samples, 0 to 1; at least two values.
  case table([Double])
  /// `c * x + f` below `d`, otherwise `(a * x + b) ^ gamma + e`.
  case parametric(gamma: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

  /// The sRGB curve (IEC 61966-2-1).
  static let sRGB = ToneCurve.parametric(
    gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0)

  static func power(_ gamma: Double) -> ToneCurve {
    .parametric(gamma: gamma, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
  }

  /// Returns the linear-light value of a sample; both are 0 to 1.
  func light(_ x: Double) -> Double {
    switch self {
    case .table(let values):
      let place = x * Double(values.count - 1)
      let below = min(Int(place), values.count - 2)
      let share = place - Double(below)
      return values[below] * (1 - share) + values[below + 1] * share
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      return x < d ? c * x + f : pow(max(a * x + b, 0), gamma) + e
    }
  }

  static func sRGBSample(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
