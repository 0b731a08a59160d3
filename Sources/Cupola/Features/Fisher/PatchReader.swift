/// Finds the patches of pictures of one size: of all sides, where they stand and how much they count.
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
