extension Recipe {
  /// Refuses settings that no version of this program writes and that its arithmetic is not made
  /// for: a model file may come from anywhere.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` with ``ModelFault/inconsistent(_:)``.
  package func check() throws(CupolaError) {
    func require(_ holds: Bool, _ what: String) throws(CupolaError) {
      guard holds else { throw .badModel(.inconsistent("its recipe has \(what)")) }
    }
    try require(
      (16...4096).contains(inputSide) && inputSide.isMultiple(of: 2), "an input of \(inputSide)")
    for geometry in [geometry] + trainingGeometries {
      guard case .window(let window) = geometry else { continue }
      let fits = [(window.left, window.width), (window.top, window.height)].allSatisfy {
        (0...99).contains($0) && (1...100).contains($1) && $0 + $1 <= 100
      }
      try require(fits, "a window that leaves the photo")
    }
    switch features {
    case .hog(let hog):
      try require((3...64).contains(hog.orientations), "\(hog.orientations) orientations")
      try require(
        (2...inputSide).contains(hog.cellSize) && hog.cellSize.isMultiple(of: 2),
        "cells of \(hog.cellSize) pixels")
      try require((1...64).contains(hog.blockSize), "blocks of \(hog.blockSize) cells")
      try require(
        hog.clip > 0 && hog.firstEpsilon > 0 && hog.secondEpsilon > 0,
        "a bound that is not positive")
    case .fisher(let fisher):
      try require((1...8).contains(fisher.sides.count), "\(fisher.sides.count) sides")
      for side in fisher.sides {
        try require((16...inputSide).contains(side), "a side of \(side) pixels")
      }
      try require(
        (2...64).contains(fisher.step) && fisher.step.isMultiple(of: 2),
        "steps of \(fisher.step) pixels")
      try require(
        (8...1024).contains(fisher.components) && fisher.components.isMultiple(of: 8),
        "mixtures of \(fisher.components) components")
      try require(
        (1...LocalHOG.count).contains(fisher.hogDimensions),
        "\(fisher.hogDimensions) dimensions of HOG")
      try require(
        (1...LocalColour.count).contains(fisher.colourDimensions),
        "\(fisher.colourDimensions) dimensions of colour")
      try require(
        fisher.colourWeight >= 0 && fisher.colourWeight.isFinite,
        "a colour weight of \(fisher.colourWeight)")
      try require(
        fisher.flatContrast >= 0 && fisher.flatContrast < fisher.fullContrast
          && fisher.fullContrast <= 1,
        "contrasts of \(fisher.flatContrast) to \(fisher.fullContrast)")
      try require(
        (0...1).contains(fisher.componentFlattening),
        "a flattening of \(fisher.componentFlattening)")
    }
  }
}
