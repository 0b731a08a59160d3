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
