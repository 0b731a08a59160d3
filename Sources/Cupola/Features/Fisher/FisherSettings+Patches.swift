extension FisherSettings {
  /// Descriptors of all patches of all sides, where the patches stand and how much they count.
  package struct Patches {
    package let hog: Matrix
    package let color: Matrix
    package let places: [SIMD2<Float>]
    package let weights: [Float]

    /// Some of the patches.
    package func selecting(_ rows: [Int]) -> Patches {
      Patches(
        hog: hog.selecting(rows: rows), color: color.selecting(rows: rows),
        places: rows.map { places[$0] }, weights: rows.map { weights[$0] })
    }

    /// Without the patches that do not count.
    var counting: Patches { selecting(weights.indices.filter { weights[$0] > 0 }) }
  }

  /// All patches of a picture.
  package func patches(of image: RGBImage) -> Patches { patches(of: image, onlyCounting: false) }

  /// The patches that count, which are those that are looked at: the same as of all the counting ones.
  func countingPatches(of image: RGBImage) -> Patches { patches(of: image, onlyCounting: true) }

  private func patches(of image: RGBImage, onlyCounting: Bool) -> Patches {
    let scales = scales(of: image)
    let weights = PatchContrast.weights(
      of: scales.flatMap { LocalColor.contrasts($0.color, grid: $0.grid) }, flat: flatContrast,
      full: fullContrast)
    let chosen = onlyCounting ? weights.indices.filter { weights[$0] > 0 } : Array(weights.indices)
    var hog = Matrix(rows: chosen.count, columns: LocalHOG.count)
    var color = Matrix(rows: chosen.count, columns: LocalColor.count)
    var places: [SIMD2<Float>] = []
    places.reserveCapacity(chosen.count)
    // Patches are numbered scale by scale.
    var (next, first) = (0, 0)
    for scale in scales {
      let grid = scale.grid
      let start = next
      while next < chosen.count, chosen[next] < first + grid.count * grid.count { next += 1 }
      let own = chosen[start..<next].map { $0 - first }
      LocalHOG.gather(own, from: scale.hog, grid: grid, into: &hog, from: start)
      LocalColor.gather(own, from: scale.color, grid: grid, into: &color, from: start)
      for patch in own {
        places.append([grid.center(patch % grid.count), grid.center(patch / grid.count)])
      }
      first += grid.count * grid.count
    }
    return Patches(
      hog: hog, color: color, places: places,
      weights: onlyCounting ? chosen.map { weights[$0] } : weights)
  }

  /// A picture that patches are taken from.
  private struct Scale {
    let grid: PatchGrid
    let hog: [LocalHOG.Votes]
    let color: [SIMD8<Float>]
  }

  private func scales(of image: RGBImage) -> [Scale] {
    let whole = ColorImage(image)
    return sides.map { side in
      let scaled = side == whole.width ? whole : whole.resized(width: side, height: side)
      return Scale(
        grid: PatchGrid(side: side, step: step), hog: LocalHOG.pooledVotes(of: scaled.luma),
        color: LocalColor.statistics(of: scaled))
    }
  }
}
