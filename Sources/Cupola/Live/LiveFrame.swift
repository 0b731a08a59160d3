// What one frame of a camera gives:
// 1. `FrameSampler` crops, resizes and turns it to the square of the features.
// 2. `FrameQuality` measures light, sharpness and whether the scene changed.
// 3. `FrameProbe` looks at parts of frames that have no answer.

/// Crops, resizes and turns camera frames to the square that the features see: the same square as that of the
/// upright picture, to the last bit.
struct FrameSampler: Sendable {
  private let side: Int
  private var resampler: AreaResampler?
  /// A row of a frame as red, green and blue.
  private var row: [UInt8] = []
  /// The square before it is turned.
  private var stored: RGBImage

  init(side: Int) {
    self.side = side
    stored = RGBImage(width: side, height: side)
  }

  /// Writes the square of a frame over another.
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

extension Region {
  /// The same part of a picture as it is stored.
  ///
  /// - Parameters:
  ///   - pictureWidth: of the upright picture, pixels.
  ///   - pictureHeight: likewise.
  func stored(_ orientation: Orientation, width pictureWidth: Int, height pictureHeight: Int)
    -> Region
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
      ? Region(x: left, y: top, width: height, height: width)
      : Region(x: left, y: top, width: width, height: height)
  }
}

/// What a frame is like, whatever it shows: its light, how sharp it is, and whether it continues the one before.
struct FrameQuality: Sendable {
  /// Blocks along the sides of the thumbnail that frames are compared by.
  private static let blocks = 16
  /// A frame that is less like the one before begins another scene. Frames of pans and walks have more than 0.9;
  /// two views of one building, and two buildings, mostly less than 0.4.
  private static let leastCorrelation = 0.6
  /// What differs between neighbors, of what differs over four pixels: motion and defocus make it less. Of 220
  /// photos 99 % have more than 0.33, and with a motion of 20 pixels of 640 90 % less than 0.30.
  private static let leastSharpness = 0.3
  /// Gray levels: the mean of a picture too dark, or too bright, to be looked at.
  private static let leastLight = 28.0
  private static let mostLight = 232.0
  /// Gray levels between the blocks of a picture that has anything to look at.
  private static let leastContrast = 6.0

  /// Whether the frame begins another scene.
  private(set) var isCut = false
  private(set) var isBlurred = false
  private(set) var isDark = false
  private(set) var isBright = false
  /// Whether there is nothing to see, such as a wall close up.
  private(set) var isFlat = false

  private var luma: GrayImage
  private var thumbnail = [Double](repeating: 0, count: blocks * blocks)
  private var last = [Double](repeating: 0, count: blocks * blocks)
  private var hasLast = false

  init(side: Int) { luma = GrayImage(width: side, height: side) }

  /// Looks at the square of the next frame.
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

  /// The next frame continues none.
  mutating func forget() { hasLast = false }

  /// Writes the means of blocks; returns that of all.
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

  /// Subtracts the mean; returns the deviation.
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
    // Two flat pictures are alike.
    return (product + 1) / ((first * second).squareRoot() + 1)
  }

  /// In the direction in which the picture is less sharp.
  private func sharpness() -> Double { min(sharpness(step: 1), sharpness(step: luma.width)) }

  /// - Parameter step: samples from one pixel to the next.
  private func sharpness(step: Int) -> Double {
    let samples = luma.samples.span
    let side = luma.width
    // Four pixels on in the direction must still be in the picture.
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

/// Looks at parts of frames that have no name, one after the other, for one that says more than the whole.
struct FrameProbe: Sendable {
  /// Every so many frames a part is looked at.
  private static let period = 3
  /// A part must have this odds of the best building against all else, and be that much better than the whole.
  private static let leastOdds = 1.0
  private static let leastGain = 1.5
  /// How much the last look at a part counts.
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

  /// Forgets all that was seen.
  mutating func reset() {
    for part in looks.indices { looks[part] = 0 }
    frames = 0
  }

  /// Takes in what the whole frame says; tells which part is to be looked at, if any.
  mutating func next(whole odds: Double) -> (part: Int, geometry: Geometry)? {
    whole = frames == 0 ? odds : whole + Self.share * (odds - whole)
    frames += 1
    guard frames % Self.period == 0 else { return nil }
    let part = frames / Self.period % Self.parts.count
    return (part, Self.parts[part].geometry)
  }

  /// Takes in what a part says.
  mutating func add(_ found: Double, part: Int) {
    odds[part] = looks[part] == 0 ? found : odds[part] + Self.share * (found - odds[part])
    looks[part] += 1
  }

  /// What would show a part that says more than the whole, seen twice at least.
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
