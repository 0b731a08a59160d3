/// How much each patch counts: nothing where it is flat, such as sky, all where it has edges.
///
/// The contrast of a patch is the mean deviation of the luma in its cells, as a share of the whole
/// picture's mean luma, so that exposure cancels out. Buildings far away fill a small part of the
/// picture; without the flat patches around them they count for more.
enum PatchContrast {
  /// Weights 0...1 that rise from contrast `flat` to contrast `full`.
  ///
  /// - Parameter color: descriptors of ``LocalColor`` of all patches of one picture.
  static func weights(of color: Matrix, flat: Float, full: Float) -> [Float] {
    let source = color.values.span
    var deviations = [Float](repeating: 0, count: color.rows)
    var target = deviations.mutableSpan
    var total = 0.0
    for row in 0..<color.rows {
      let patch = source.extracting(row * LocalColor.count..<(row + 1) * LocalColor.count)
      var (mean, deviation): (Float, Float) = (0, 0)
      for cell in stride(from: 0, to: LocalColor.count, by: LocalColor.channels) {
        mean += patch[cell]
        deviation += patch[cell + LocalColor.channels / 2]
      }
      target[row] = deviation
      total += Double(mean)
    }
    // The small term keeps a black picture from being divided by nothing.
    let cells = Float(LocalColor.count / LocalColor.channels)
    let level = Float(total) / Float(max(1, color.rows)) + 0.02 * cells
    let scale = 1 / (level * (full - flat))
    return deviations.map { min(max(($0 - flat * level) * scale, 0), 1) }
  }
}
