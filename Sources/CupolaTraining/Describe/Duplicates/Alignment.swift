internal import Cupola
internal import CupolaCampus

// 1. Reduce a photo to 64 x 64 gray levels (`LumaThumbnail`).
// 2. Move the edges of a window until its contents match another thumbnail best (`Alignment`).

struct Alignment {
  private static let cells = 32
  /// The radius, in cells, of the local mean that is subtracted to compare details.
  private static let reach = 2

  /// The summed-area table, with `side + 1` rows and columns.
  private let sums: [Float]

  init(_ thumbnail: LumaThumbnail) {
    let side = LumaThumbnail.side
    var sums = [Float](repeating: 0, count: (side + 1) * (side + 1))
    for y in 0..<side {
      var row: Float = 0
      for x in 0..<side {
        row += Float(thumbnail.samples[y * side + x])
        sums[(y + 1) * (side + 1) + x + 1] = sums[y * (side + 1) + x + 1] + row
      }
    }
    self.sums = sums
  }

  /// Finds the window of this thumbnail that best matches another whole thumbnail, starting at `start`.
  ///
  /// Stops early if the correlations reach `levels` (for gray levels) and `details` (for levels minus local means).
  /// - Returns: Both normalized correlations and the window.
  func fit(
    _ other: Alignment, isMirrored: Bool, near start: SearchCode.CropWindow, levels: Float,
    details: Float
  ) -> (levels: Float, details: Float, window: SearchCode.CropWindow) {
    let target = other.grid(.whole, isMirrored: isMirrored)
    var best = start
    var score = Self.correlation(grid(best), target)
    guard score > 0.5 else { return (score, 0, best) }
    let targetDetails = Self.details(target)
    if score >= levels {
      let first = Self.correlation(Self.details(grid(best)), targetDetails)
      if first >= details { return (score, first, best) }
    }
    for step in [0.025, 0.0125, 0.006, 0.003] {
      for _ in 0..<2 {
        let before = score
        for change in Self.changes {
          guard let moved = best.moved(change, by: step) else { continue }
          let moveScore = Self.correlation(grid(moved), target)
          if moveScore > score { (best, score) = (moved, moveScore) }
        }
        if score == before { break }
      }
    }
    return (score, Self.correlation(Self.details(grid(best)), targetDetails), best)
  }

  private static let changes = (0..<4).flatMap { edge in [(edge, -1.0), (edge, 1.0)] }

  private func grid(_ window: SearchCode.CropWindow, isMirrored: Bool = false) -> [Float] {
    let (count, row) = (Self.cells, LumaThumbnail.side + 1)
    let columns = Self.places(window.across)
    let source = sums.span
    var last = [Float](repeating: 0, count: count + 1)
    var cells: [Float] = []
    cells.reserveCapacity(count * count)
    for (number, (top, share)) in Self.places(window.down).enumerated() {
      let line = columns.map { left, part in
        let at = top * row + left
        let upper = source[at] + (source[at + 1] - source[at]) * part
        let lower = source[at + row] + (source[at + row + 1] - source[at + row]) * part
        return upper + (lower - upper) * share
      }
      if number > 0 {
        for x in 0..<count {
          let column = isMirrored ? count - 1 - x : x
          cells.append((line[column + 1] - line[column]) - (last[column + 1] - last[column]))
        }
      }
      last = line
    }
    return cells
  }

  private static func places(_ range: ClosedRange<Double>) -> [(Int, Float)] {
    (0...cells).map { cell in
      let share = Double(cell) / Double(cells)
      let place =
        (range.lowerBound + share * (range.upperBound - range.lowerBound))
        * Double(LumaThumbnail.side)
      let sample = min(Int(place), LumaThumbnail.side - 1)
      return (sample, Float(place - Double(sample)))
    }
  }

  private static func correlation(_ a: [Float], _ b: [Float]) -> Float {
    let count = Float(a.count)
    let means = (a.reduce(0, +) / count, b.reduce(0, +) / count)
    var (both, first, second): (Float, Float, Float) = (0, 0, 0)
    for index in a.indices {
      let (x, y) = (a[index] - means.0, b[index] - means.1)
      both += x * y
      first += x * x
      second += y * y
    }
    let norm = (first * second).squareRoot()
    return norm > 0 ? both / norm : 0
  }

  private static func details(_ grid: [Float]) -> [Float] {
    let around = -reach...reach
    func smoothed(_ values: [Float], _ place: (Int, Int, Int) -> Int) -> [Float] {
      (0..<cells * cells).map { index in
        let (x, y) = (index % cells, index / cells)
        return around.reduce(0) { $0 + values[place(x, y, $1)] } / Float(around.count)
      }
    }
    func inside(_ place: Int) -> Int { min(max(place, 0), cells - 1) }
    let rows = smoothed(grid) { x, y, step in y * cells + inside(x + step) }
    let means = smoothed(rows) { x, y, step in inside(y + step) * cells + x }
    return zip(grid, means).map { $0 - $1 }
  }
}

extension SearchCode.CropWindow {
  /// Returns the window with one of its four edges moved; `nil` if less than 70% of a side would remain.
  fileprivate func moved(_ change: (edge: Int, direction: Double), by step: Double) -> Self? {
    let range = change.edge < 2 ? across : down
    var (lower, upper) = (range.lowerBound, range.upperBound)
    if change.edge.isMultiple(of: 2) {
      lower = max(0, lower + change.direction * step)
    } else {
      upper = min(1, upper + change.direction * step)
    }
    guard upper - lower >= 0.7 else { return nil }
    var moved = self
    if change.edge < 2 { moved.across = lower...upper } else { moved.down = lower...upper }
    return moved
  }
}

/// A photo reduced to 64 x 64 gray levels, for recognizing copies.
struct LumaThumbnail: Hashable, Sendable {
  static let side = 64
  let samples: [UInt8]

  init?(samples: [UInt8]) {
    guard samples.count == Self.side * Self.side else { return nil }
    self.samples = samples
  }

  init?(_ number: Int, in samples: [UInt8]) {
    let size = Self.side * Self.side
    self.init(samples: Array(samples[number * size..<(number + 1) * size]))
  }

  static func shape(of count: Int) -> [Int] { [count, side, side] }

  init(_ image: RGBImage) {
    let small = AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height),
      width: Self.side, height: Self.side)
    samples = GrayImage(luma: small).samples.map { UInt8(min($0.rounded(), 255)) }
  }

  /// Whether the standard deviation of the gray levels is below 3, which is too uniform to compare.
  var isPlain: Bool { isPlain(0..<Self.side) }

  func isPlain(_ range: Range<Int>) -> Bool {
    let count = range.count * range.count
    var (sum, squares) = (0, 0)
    for y in range {
      for sample in samples[Self.side * y + range.lowerBound..<Self.side * y + range.upperBound] {
        sum += Int(sample)
        squares += Int(sample) * Int(sample)
      }
    }
    return count * squares - sum * sum < 9 * count * count
  }
}
