/// Extracts patches, with their positions and weights, from images of one size.
/// 1. Resize the image to each side length and describe its cells (``PatchScale``).
/// 2. Place patches in a grid at each scale (``PatchGrid``) and give flat patches weight 0 (``PatchContrast``).
/// 3. Gather patches with a positive weight in blocks (``PatchBlock``).
struct PatchReader: Sendable {
  let side: Int
  /// One weight per patch, ordered by scale, row, and column.
  private(set) var weights: [Float] = []
  /// The numbers of the patches with a positive weight, in order.
  private(set) var counting: [Int] = []

  private let settings: FisherSettings
  private var whole: ColorImage
  private var scales: [PatchScale]
  private var contrasts: [PatchContrast.Sums] = []

  init(_ settings: FisherSettings, side: Int) {
    self.side = side
    self.settings = settings
    whole = ColorImage(width: side, height: side)
    scales = []
    var first = 0
    for own in settings.sides {
      let grid = PatchGrid(side: own, step: settings.step)
      scales.append(PatchScale(grid, of: side, first: first))
      first += grid.patches
    }
  }

  mutating func read(_ image: RGBImage) {
    whole.read(image)
    contrasts.removeAll(keepingCapacity: true)
    for index in scales.indices {
      scales[index].read(whole)
      LocalColor.appendContrasts(
        of: scales[index].color, grid: scales[index].grid, to: &contrasts)
    }
    PatchContrast.weigh(
      contrasts, flat: settings.flatContrast, full: settings.fullContrast, into: &weights)
    counting.removeAll(keepingCapacity: true)
    for index in weights.indices where weights[index] > 0 { counting.append(index) }
  }

  /// Writes descriptors, positions, and weights of patches, one per row.
  /// - Parameter numbers: Patch numbers in ascending order.
  func gather(_ numbers: ArraySlice<Int>, into block: inout PatchBlock) {
    block.resize(to: numbers.count)
    var rest = numbers
    for scale in scales {
      let own = rest.prefix { $0 < scale.first + scale.grid.patches }
      scale.gather(own, into: &block, from: own.startIndex - numbers.startIndex)
      rest = rest[own.endIndex...]
    }
    for (row, number) in numbers.enumerated() { block.weights[row] = weights[number] }
  }
}

extension FisherSettings {
  package struct Patches {
    package let hog: Matrix
    package let color: Matrix
    package let places: [SIMD2<Float>]
    let weights: [Float]

    package func selecting(_ rows: [Int]) -> Patches {
      Patches(
        hog: hog.selecting(rows: rows), color: color.selecting(rows: rows),
        places: rows.map { places[$0] }, weights: rows.map { weights[$0] })
    }
  }

  package func patches(of image: RGBImage) -> Patches {
    var reader = PatchReader(self, side: image.width)
    reader.read(image)
    var block = PatchBlock()
    reader.gather(Array(reader.weights.indices)[...], into: &block)
    return Patches(
      hog: block.hog, color: block.color, places: block.places, weights: block.weights)
  }
}

/// An image scaled to one of the side lengths.
struct PatchScale: Sendable {
  let grid: PatchGrid
  let first: Int

  private var smaller: SmallerImage?
  private var luma: GrayImage
  private var hog: HOGCells
  private(set) var color: ColorCells

  private struct SmallerImage: Sendable {
    var image: ColorImage
    var resampler: PlaneResampler

    mutating func read(_ whole: ColorImage) { image.read(whole, resampledBy: &resampler) }
  }

  init(_ grid: PatchGrid, of whole: Int, first: Int) {
    let side = grid.side
    self.grid = grid
    self.first = first
    if side != whole {
      smaller = SmallerImage(
        image: ColorImage(width: side, height: side),
        resampler: PlaneResampler(width: whole, height: whole, toWidth: side, height: side))
    }
    luma = GrayImage(width: side, height: side)
    hog = HOGCells(side: side)
    color = ColorCells(side: side)
  }

  mutating func read(_ whole: ColorImage) {
    smaller?.read(whole)
    let image = smaller?.image ?? whole
    luma.read(lumaOf: image)
    hog.read(luma)
    color.read(image)
  }

  func gather(_ numbers: ArraySlice<Int>, into block: inout PatchBlock, from row: Int) {
    LocalHOG.gather(
      numbers, from: hog, grid: grid, zero: first, starts: &block.starts, into: &block.hog,
      from: row)
    LocalColor.gather(
      numbers, from: color, grid: grid, zero: first, into: &block.color, from: row)
    for (offset, number) in numbers.enumerated() {
      let (down, across) = (number - first).quotientAndRemainder(dividingBy: grid.count)
      block.places[row + offset] = [grid.center(across), grid.center(down)]
    }
  }
}

/// The patch grid of a square image: `cells` x `cells` cells every `step` pixels.
package struct PatchGrid: Equatable, Sendable {
  package let side: Int
  /// Pixels between adjacent patches, even.
  package let step: Int

  package init(side: Int, step: Int) {
    self.side = side
    self.step = step
  }

  package static let cells = 4
  /// Pixels between adjacent cell centers.
  package static let cellSize = 4
  /// The same distance in cells; there is a cell at every second pixel of every second row.
  static let cellStep = cellSize / 2
  /// The center of the first cell in pixels.
  package static let margin = 2

  package var count: Int {
    let last = side - Self.cellSize * (Self.cells - 1) - Self.margin
    return max(0, (last - Self.margin + step - 1) / step)
  }

  var patches: Int { count * count }

  /// Returns the index of a patch's first cell. Patches are numbered row by row.
  func firstCell(of patch: Int, perRow: Int) -> Int {
    let top = (Self.margin + patch / count * step) / 2
    let left = (Self.margin + patch % count * step) / 2
    return top * perRow + left
  }

  /// Returns the center of patch column or row `index` as a fraction of the side, -0.5 to 0.5.
  func center(_ index: Int) -> Float {
    let extent = Float(Self.cellSize * (Self.cells - 1))
    return (Float(Self.margin + index * step) + extent / 2) / Float(side) - 0.5
  }
}

/// A block of patches that fits in the cache.
struct PatchBlock: Sendable {
  static let size = 256

  var hog = Matrix(rows: 0, columns: LocalHOG.count)
  var color = Matrix(rows: 0, columns: LocalColor.count)
  var places: [SIMD2<Float>] = []
  var weights: [Float] = []
  var starts: [Int] = []

  mutating func resize(to count: Int) {
    hog.resize(rows: count)
    color.resize(rows: count)
    places.resize(to: count, filledWith: .zero)
    weights.resize(to: count, filledWith: 0)
  }
}

/// Patch weights: 0 for flat patches such as sky, 1 for patches with edges.
/// A patch's contrast is the mean luma deviation of its cells relative to the image's mean luma, which makes it
/// independent of exposure. Ignoring flat patches gives more weight to distant buildings, which fill a small part of
/// the image.
enum PatchContrast {
  struct Sums {
    private(set) var mean: Float = 0
    private(set) var deviation: Float = 0

    mutating func add(mean: Float, deviation: Float) {
      self.mean += mean
      self.deviation += deviation
    }
  }

  /// Computes one weight per patch that rises from 0 at contrast `flat` to 1 at contrast `full`.
  static func weigh(
    _ patches: [Sums], flat: Float, full: Float, into weights: inout [Float]
  ) {
    let total = patches.reduce(0.0) { $0 + Double($1.mean) }
    // The small term avoids dividing by zero for black images.
    let cells = Float(LocalColor.count / LocalColor.channels)
    let level = Float(total) / Float(max(1, patches.count)) + 0.02 * cells
    let scale = 1 / (level * (full - flat))
    weights.removeAll(keepingCapacity: true)
    for patch in patches {
      weights.append(min(max((patch.deviation - flat * level) * scale, 0), 1))
    }
  }
}
