/// The only scan of a baseline JPEG as cameras write it: luma, and two components of color that share their codes.
struct BaselineScan {
  /// Blocks of luma in a unit, across and down: 1x1, 2x1 or 2x2; one of each color beside them.
  let sampling: (across: Int, down: Int)
  let luma: BlockCode
  let color: BlockCode
  /// The largest mean of luma, up or down, before it is multiplied: of larger ones libjpeg's samples wrap around.
  let mostMean: UInt32
  /// By how much the means of luma are to be multiplied.
  let step: Int32
  /// The same of the coefficients of both colors, for their transforms, and to which of the sums of both they are added.
  let factors: [Int32]
  let slots =
    ReducedTransform.slots + ReducedTransform.slots.map { ReducedTransform.count + $0 }
  /// Units between restarts; 0 without.
  let restartInterval: Int
  /// Where the data begin.
  let start: Int

  /// Whether color has half of the samples along both sides. Of such blocks libjpeg makes four samples, so that there
  /// are as many as of luma.
  let isHalved: Bool

  /// `nil` when it is another, or a table is missing.
  init?(_ bytes: [UInt8], _ header: JPEGHeader) {
    guard header.isBaseline, header.components == 3,
      let (tables, payload) = JPEGTables.toFirstScan(bytes, header), tables.isYCbCr
    else { return nil }
    let parts = header.parts
    sampling = (parts[0].horizontal, parts[0].vertical)
    guard sampling.down == 1 && [1, 2].contains(sampling.across) || sampling == (2, 2),
      parts.dropFirst().allSatisfy({ $0.horizontal == 1 && $0.vertical == 1 })
    else { return nil }
    let scan = Array(payload)
    // All components in the order of the frame, all coefficients, with all bits.
    guard scan.count == 10, scan[0] == 3, scan[7...] == [0, 63, 0],
      [scan[1], scan[3], scan[5]] == parts.map(\.identifier), scan[4] == scan[6]
    else { return nil }
    let steps = parts.compactMap { tables.steps($0.quantization) }
    guard steps.count == 3, let luma = tables.codes(scan[2]), let color = tables.codes(scan[4])
    else {
      return nil
    }
    step = steps[0][0]
    mostMean = UInt32(ReducedTransform.mostMean / max(steps[0][0], 1))
    factors = ReducedTransform.factors(steps[1]) + ReducedTransform.factors(steps[2])
    isHalved = sampling == (2, 2)
    self.luma = BlockCode(mean: .means(luma.means), details: .lengths(luma.details))
    self.color = BlockCode(
      mean: .means(color.means),
      details: isHalved ? .values(color.details) : .lengths(color.details))
    (restartInterval, start) = (tables.restartInterval, payload.endIndex)
  }
}

extension JPEGTables {
  /// The codes that a component names.
  fileprivate func codes(_ name: UInt8) -> (means: HuffmanTable, details: HuffmanTable)? {
    guard let means = means(Int(name >> 4)), means.isOfMeans,
      let details = details(Int(name & 15))
    else { return nil }
    return (means, details)
  }
}
