/// The classic descriptor of the whole picture at half its size; nothing about it is learned.
extension HOG: ExtractorSettings {
  package typealias Extractor = HOGExtractor

  package static let kind = "hog"
  package static let title = "HOG"

  package func count(inputSide: Int) -> Int { count(width: inputSide / 2, height: inputSide / 2) }

  package func check(inputSide: Int) throws(CupolaError) {
    try Recipe.require((3...64).contains(orientations), "\(orientations) orientations")
    try Recipe.require(
      (2...inputSide).contains(cellSize) && cellSize.isMultiple(of: 2),
      "cells of \(cellSize) pixels")
    try Recipe.require((1...64).contains(blockSize), "blocks of \(blockSize) cells")
    try Recipe.require(
      clip > 0 && firstEpsilon > 0 && secondEpsilon > 0, "a bound that is not positive")
    try Recipe.require(clip <= 1000, "a clip of \(clip)")
    for epsilon in [firstEpsilon, secondEpsilon] {
      try Recipe.require((1e-9...1e6).contains(epsilon), "an epsilon of \(epsilon)")
    }
  }
}
