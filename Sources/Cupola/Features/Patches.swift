/// Finds the patches of pictures of one size: of all sides, where they stand and how much they count.
///
/// 1. The picture is resized to each of the sides (``PatchScale``), and its cells are described there.
/// 2. Patches stand in a grid over each (``PatchGrid``); flat ones do not count (``PatchContrast``).
/// 3. Those that count are gathered some at a time (``PatchBlock``).
struct PatchReader: Sendable {
  /// Pixels along the side of the pictures.
  let side: Int
  /// How much each patch counts, scale by scale and row by row.
  private(set) var weights: [Float] = []
  /// The numbers of the patches that count, in order.
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

  /// Finds the patches of a square picture.
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

  /// Writes the descriptors, places and weights of some patches, one a row.
  ///
  /// - Parameter numbers: in order.
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
  /// Descriptors of all patches of all sides, where the patches stand and how much they count.
  package struct Patches {
    package let hog: Matrix
    package let color: Matrix
    package let places: [SIMD2<Float>]
    let weights: [Float]

    /// Some of the patches.
    package func selecting(_ rows: [Int]) -> Patches {
      Patches(
        hog: hog.selecting(rows: rows), color: color.selecting(rows: rows),
        places: rows.map { places[$0] }, weights: rows.map { weights[$0] })
    }
  }

  /// All patches of a square picture.
  package func patches(of image: RGBImage) -> Patches {
    var reader = PatchReader(self, side: image.width)
    reader.read(image)
    var block = PatchBlock()
    reader.gather(Array(reader.weights.indices)[...], into: &block)
    return Patches(
      hog: block.hog, color: block.color, places: block.places, weights: block.weights)
  }
}

/// A picture of one of the sides that patches are taken from.
struct PatchScale: Sendable {
  let grid: PatchGrid
  /// The number of its first patch among those of all sides.
  let first: Int

  /// `nil` when it is the whole picture.
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

  /// Describes the cells of a picture.
  mutating func read(_ whole: ColorImage) {
    smaller?.read(whole)
    let image = smaller?.image ?? whole
    luma.read(lumaOf: image)
    hog.read(luma)
    color.read(image)
  }

  /// Writes the descriptors and places of some of its patches into a block, from a row on.
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

/// Where the patches of a square picture stand: `cells` x `cells` cells every `step` pixels.
package struct PatchGrid: Equatable, Sendable {
  /// Pixels along the picture's side.
  package let side: Int
  /// Pixels between neighboring patches, even.
  package let step: Int

  package init(side: Int, step: Int) {
    self.side = side
    self.step = step
  }

  /// Cells along a patch's side.
  package static let cells = 4
  /// Pixels between neighboring cell centers.
  package static let cellSize = 4
  /// The same among cells, of which there is one at every second pixel of every second row.
  static let cellStep = cellSize / 2
  /// Where the first cell's center stands.
  package static let margin = 2

  /// Patches along a side.
  package var count: Int {
    let last = side - Self.cellSize * (Self.cells - 1) - Self.margin
    return max(0, (last - Self.margin + step - 1) / step)
  }

  /// All patches.
  var patches: Int { count * count }

  /// Where a patch's first cell stands among the cells.
  ///
  /// - Parameters:
  ///   - patch: its number, row by row of the grid.
  ///   - perRow: how many cells stand in a row of the picture.
  func firstCell(of patch: Int, perRow: Int) -> Int {
    let top = (Self.margin + patch / count * step) / 2
    let left = (Self.margin + patch % count * step) / 2
    return top * perRow + left
  }

  /// Center of patch column or row `index`, as a share of the side, -0.5...0.5.
  func center(_ index: Int) -> Float {
    let extent = Float(Self.cellSize * (Self.cells - 1))
    return (Float(Self.margin + index * step) + extent / 2) / Float(side) - 0.5
  }
}

/// Some patches that are worked on together, so that what is computed of them stays in the cache.
struct PatchBlock: Sendable {
  /// As many patches.
  static let size = 256

  /// Descriptors, one patch a row.
  var hog = Matrix(rows: 0, columns: LocalHOG.count)
  /// The same of ``LocalColor``.
  var color = Matrix(rows: 0, columns: LocalColor.count)
  /// Where each stands; see ``PatchGrid/center(_:)``.
  var places: [SIMD2<Float>] = []
  /// How much each counts, 0...1.
  var weights: [Float] = []
  /// Where the first cells of the patches that are being described are.
  var starts: [Int] = []

  /// Makes room for as many patches.
  mutating func resize(to count: Int) {
    hog.resize(rows: count)
    color.resize(rows: count)
    places.resize(to: count, filledWith: .zero)
    weights.resize(to: count, filledWith: 0)
  }
}

/// How much each patch counts: nothing where it is flat, such as sky, all where it has edges.
///
/// The contrast of a patch is the mean deviation of the luma in its cells, as a share of the whole
/// picture's mean luma, so that exposure cancels out. Buildings far away fill a small part of the
/// picture; without the flat patches around them they count for more.
enum PatchContrast {
  /// Over the cells of one patch.
  struct Sums {
    private(set) var mean: Float = 0
    private(set) var deviation: Float = 0

    /// Adds a cell's mean luma and its deviation.
    mutating func add(mean: Float, deviation: Float) {
      self.mean += mean
      self.deviation += deviation
    }
  }

  /// Weights 0...1 that rise from contrast `flat` to contrast `full`.
  ///
  /// - Parameters:
  ///   - patches: all patches of one picture.
  ///   - weights: one each, written over what was there.
  static func weigh(
    _ patches: [Sums], flat: Float, full: Float, into weights: inout [Float]
  ) {
    let total = patches.reduce(0.0) { $0 + Double($1.mean) }
    // The small term keeps a black picture from being divided by nothing.
    let cells = Float(LocalColor.count / LocalColor.channels)
    let level = Float(total) / Float(max(1, patches.count)) + 0.02 * cells
    let scale = 1 / (level * (full - flat))
    weights.removeAll(keepingCapacity: true)
    for patch in patches {
      weights.append(min(max((patch.deviation - flat * level) * scale, 0), 1))
    }
  }
}
