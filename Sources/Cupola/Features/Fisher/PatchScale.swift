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
