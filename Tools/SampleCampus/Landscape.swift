import Cupola

/// A rendered image of nature without buildings, as seen from the edge of a campus.
///
/// Amplitudes are approximately inversely proportional to frequency, as in natural scenes (Field, 1987).
enum Landscape: CaseIterable {
  case mountains, sea, forest, meadow, ice, clouds

  static let width = 352
  static let height = 264

  /// Renders an image that depends only on its number. Six consecutive numbers show each kind once.
  static func picture(_ number: Int) -> RGBImage {
    var random = SplitMix64(seed: 8_000_000 + UInt64(number))
    let kind = allCases[number % allCases.count]
    let painter = kind.painter(&random)
    let (exposure, grain) = (random.range(0.75, 1.1), random.range(1, 4))
    let seed = random.whole(0...1_000_000)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let noise = (Noise.hash(x, y, seed) + Noise.hash(x, y, seed + 1) - 1) * 2.4 * grain
        let color = painter(Double(x), Double(y)) * exposure + Vector(gray: noise)
        for part in [color.x, color.y, color.z] { pixels.append(UInt8(min(max(part, 0), 255))) }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  typealias Painter = (_ x: Double, _ y: Double) -> Vector

  private func painter(_ random: inout SplitMix64) -> Painter {
    switch self {
    case .mountains: Self.mountains(&random)
    case .sea: Self.sea(&random)
    case .forest: Self.forest(&random)
    case .meadow: Self.meadow(&random)
    case .ice: Self.ice(&random)
    case .clouds: Self.clouds(&random)
    }
  }
}

// MARK: - Parts of landscapes

extension Landscape {
  private static let size = Double(height)

  static func surface(
    _ color: Vector, strength: Double, gain: Double, across: Double = 160, down: Double = 160,
    _ random: inout SplitMix64
  ) -> Painter {
    let noise = FractalNoise(across: across, down: down, gain: gain, using: &random)
    return { x, y in color * (1 + strength * noise.value(x, y)) }
  }

  /// A line from left to right, given as its distance from the top, in pixels, at each column.
  static func outline(
    at share: Double, swing: Double, gain: Double, _ random: inout SplitMix64
  ) -> (Double) -> Double {
    let noise = FractalNoise(across: 200, down: 1, gain: gain, using: &random)
    let offset = random.range(0, 1000)
    return { x in share * size + swing * noise.value(x, offset.rounded()) }
  }

  static func color(
    _ red: ClosedRange<Double>, _ green: ClosedRange<Double>, _ blue: ClosedRange<Double>,
    _ random: inout SplitMix64
  ) -> Vector {
    Vector(
      random.range(red.lowerBound, red.upperBound),
      random.range(green.lowerBound, green.upperBound),
      random.range(blue.lowerBound, blue.upperBound))
  }

  static func sky(cover: Double, _ random: inout SplitMix64) -> Painter {
    var zenith = color(60...150, 120...180, 190...245, &random)
    var horizon = color(170...235, 180...235, 210...250, &random)
    if random.unit < 0.25 { horizon = color(238...242, 150...200, 100...150, &random) }
    if random.unit < 0.25 { zenith = Vector(gray: random.range(140, 200)) }
    let noise = FractalNoise(
      across: 220, down: 220 / random.range(1.5, 3), gain: random.range(0.6, 0.85), using: &random)
    let threshold = random.range(-0.6, 0.6) * cover * 2 - 0.2
    return { x, y in
      let clear = zenith.mixed(with: horizon, y / size)
      let cloud = (noise.value(x, y) * 0.5 + threshold).clamped * cover
      return clear.mixed(with: Vector(245, 245, 248), cloud)
    }
  }
}
