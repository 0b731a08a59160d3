@testable import Cupola

/// The largest difference of two lists, or infinity if their sizes differ.
func largestDifference(_ a: [Float], _ b: [Double]) -> Double {
  guard a.count == b.count else { return .infinity }
  return zip(a, b).reduce(0) { largest, pair in
    let difference = abs(Double(pair.0) - pair.1)
    return difference.isNaN ? .infinity : max(largest, difference)
  }
}

func largestDifference(_ a: [Float], _ b: [Float]) -> Double {
  largestDifference(a, b.map(Double.init))
}

/// The largest difference of two images' samples, or 256 if their sizes differ.
func largestDifference(_ a: RGBImage, _ b: RGBImage) -> Int {
  guard a.width == b.width, a.height == b.height else { return 256 }
  return zip(a.pixels, b.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}
