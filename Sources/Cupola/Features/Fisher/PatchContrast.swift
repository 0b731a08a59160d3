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
