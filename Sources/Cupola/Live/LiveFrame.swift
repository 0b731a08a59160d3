// Process one camera frame:
// 1. `FrameSampler` crops, resizes, and rotates it to the input square.
// 2. `FrameQuality` measures brightness and sharpness, and detects scene changes.
// 3. `FrameProbe` classifies parts of the frame while no building is named.

/// Crops, resizes, and rotates camera frames to the input square. The result equals that of the upright image bit by
/// bit.
struct FrameSampler: Sendable {
  private let side: Int
  private var resampler: AreaResampler?
  private var row: [UInt8] = []
  private var stored: RGBImage

  init(side: Int) {
    self.side = side
    stored = RGBImage(width: side, height: side)
  }

  mutating func read(
    _ frame: borrowing CameraFrame, geometry: Geometry, into square: inout RGBImage
  ) {
    let upright = geometry.region(width: frame.uprightWidth, height: frame.uprightHeight)
    let region = upright.stored(
      frame.orientation, width: frame.uprightWidth, height: frame.uprightHeight)
    if !(resampler?.takes(region) ?? false) {
      resampler = AreaResampler(
        width: region.width, height: region.height, toWidth: side, height: side)
      row = [UInt8](repeating: 0, count: 3 * region.width)
    }
    if frame.orientation == .up {
      resampler?.resample(frame, region: region, row: &row, into: &square)
    } else {
      resampler?.resample(frame, region: region, row: &row, into: &stored)
      square.read(stored, turnedUprightFrom: frame.orientation)
    }
  }
}

extension PixelRect {
  /// Returns the same rectangle in the stored image, given the size of the upright image.
  func stored(_ orientation: Orientation, width pictureWidth: Int, height pictureHeight: Int)
    -> PixelRect
  {
    let (fromRight, fromBelow) = (pictureWidth - x - width, pictureHeight - y - height)
    let (left, top) =
      switch orientation {
      case .up: (x, y)
      case .upMirrored: (fromRight, y)
      case .down: (fromRight, fromBelow)
      case .downMirrored: (x, fromBelow)
      case .leftMirrored: (y, x)
      case .right: (y, fromRight)
      case .rightMirrored: (fromBelow, fromRight)
      case .left: (fromBelow, x)
      }
    return orientation.swapsSides
      ? PixelRect(x: left, y: top, width: height, height: width)
      : PixelRect(x: left, y: top, width: width, height: height)
  }
}

/// The brightness and sharpness of a frame, and whether it starts a new scene.
struct FrameQuality: Sendable {
  private static let blocks = 16
  /// The correlation below which a frame starts a new scene.
  /// Adjacent frames, even when panning or walking, correlate by more than 0.9. Two views of one building, or of two
  /// buildings, mostly correlate by less than 0.4.
  private static let leastCorrelation = 0.6
  /// The minimum ratio between differences over one pixel and over four pixels. Motion blur and defocus reduce it. It
  /// exceeds 0.33 for 99% of 220 photos. With motion blur over 20 of 640 pixels, it is below 0.30 for 90% of them.
  private static let leastSharpness = 0.3
  /// Mean gray levels; below the first, an image is too dark, and above the second, too bright.
  private static let leastLight = 28.0
  private static let mostLight = 232.0
  /// Minimum deviation between blocks, in gray levels, for an image that is not featureless.
  private static let leastContrast = 6.0

  private(set) var isCut = false
  private(set) var isBlurred = false
  private(set) var isDark = false
  private(set) var isBright = false
  /// Whether the image is featureless, such as a close-up of a wall.
  private(set) var isFlat = false

  private var luma: GrayImage
  private var thumbnail = [Double](repeating: 0, count: blocks * blocks)
  private var last = [Double](repeating: 0, count: blocks * blocks)
  private var hasLast = false

  init(side: Int) { luma = GrayImage(width: side, height: side) }

  mutating func read(_ square: RGBImage) {
    luma.read(lumaOf: square)
    swap(&thumbnail, &last)
    let mean = Self.shrink(luma, into: &thumbnail)
    isDark = mean < Self.leastLight
    isBright = mean > Self.mostLight
    let contrast = Self.center(&thumbnail)
    isFlat = contrast < Self.leastContrast
    isCut = hasLast && Self.correlation(thumbnail, last) < Self.leastCorrelation
    isBlurred = !isFlat && sharpness() < Self.leastSharpness
    hasLast = true
  }

  mutating func forget() { hasLast = false }

  private static func shrink(_ luma: GrayImage, into thumbnail: inout [Double]) -> Double {
    let side = luma.width
    let samples = luma.samples.span
    var sum = 0.0
    for index in 0..<blocks * blocks {
      let (row, column) = (index / blocks, index % blocks)
      var total: Float = 0
      let (top, bottom) = (row * side / blocks, (row + 1) * side / blocks)
      let (left, right) = (column * side / blocks, (column + 1) * side / blocks)
      for y in top..<bottom {
        for x in left..<right { total += samples[y * side + x] }
      }
      let mean = Double(total) / Double(max(1, (bottom - top) * (right - left)))
      thumbnail[index] = mean
      sum += mean
    }
    return sum / Double(blocks * blocks)
  }

  private static func center(_ values: inout [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    var squares = 0.0
    for index in values.indices {
      values[index] -= mean
      squares += values[index] * values[index]
    }
    return (squares / Double(values.count)).squareRoot()
  }

  private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
    var (product, first, second) = (0.0, 0.0, 0.0)
    for index in a.indices {
      product += a[index] * b[index]
      first += a[index] * a[index]
      second += b[index] * b[index]
    }
    // Adding 1 makes any two flat images compare as similar.
    return (product + 1) / ((first * second).squareRoot() + 1)
  }

  private func sharpness() -> Double { min(sharpness(step: 1), sharpness(step: luma.width)) }

  /// - Parameter step: The distance between the compared pixels, in samples.
  private func sharpness(step: Int) -> Double {
    let samples = luma.samples.span
    let side = luma.width
    let (rows, columns) = step == 1 ? (side, side - 4) : (side - 4, side)
    var (near, far): (Float, Float) = (0, 0)
    for y in 0..<rows {
      for x in 0..<columns {
        let at = y * side + x
        near += abs(samples[at + step] - samples[at])
        far += abs(samples[at + 4 * step] - samples[at])
      }
    }
    let count = Double(rows * columns)
    return Double(near) / count / (Double(far) / count + 0.5)
  }
}

/// Classifies one part of the frame at a time, while no building is named, to find a part with a clearer result.
struct FrameProbe: Sendable {
  private static let period = 3
  /// Minimum log odds of the best building in a part, and how much they must exceed those of the whole frame.
  private static let leastOdds = 1.0
  private static let leastGain = 1.5
  /// The weight of a part's latest measurement in its moving average.
  private static let share = 0.4

  private static let parts: [(hint: LiveHint, geometry: Geometry)] = [
    (.moveLeft, .window(.init(left: 0, top: 15, width: 70, height: 70))),
    (.stepNearer, .window(.init(left: 15, top: 15, width: 70, height: 70))),
    (.moveRight, .window(.init(left: 30, top: 15, width: 70, height: 70))),
  ]

  private var odds = [Double](repeating: 0, count: parts.count)
  private var looks = [Int](repeating: 0, count: parts.count)
  private var whole = 0.0
  private var frames = 0

  mutating func reset() {
    for part in looks.indices { looks[part] = 0 }
    frames = 0
  }

  /// Records the whole frame's log odds and returns the part to classify next, if any.
  mutating func next(whole odds: Double) -> (part: Int, geometry: Geometry)? {
    whole = frames == 0 ? odds : whole + Self.share * (odds - whole)
    frames += 1
    guard frames % Self.period == 0 else { return nil }
    let part = frames / Self.period % Self.parts.count
    return (part, Self.parts[part].geometry)
  }

  mutating func add(_ found: Double, part: Int) {
    odds[part] = looks[part] == 0 ? found : odds[part] + Self.share * (found - odds[part])
    looks[part] += 1
  }

  /// The hint for the part with the clearest result, after at least two measurements.
  var hint: LiveHint? {
    var best: Int?
    for part in odds.indices
    where looks[part] >= 2 && odds[part] >= Self.leastOdds
      && odds[part] >= whole + Self.leastGain && odds[part] > (best.map { odds[$0] } ?? -.infinity)
    {
      best = part
    }
    return best.map { Self.parts[$0].hint }
  }
}
