import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Light and sketches")
struct CheckedPhotoTests {
  private static func image(_ level: (Int, Int) -> Float) -> GrayImage {
    GrayImage(
      width: 64, height: 64, samples: (0..<4096).map { level($0 % 64, $0 / 64) })
  }

  @Test("sharpness is the variance of the Laplacian over that of the levels")
  func sharpness() throws {
    var generator = SplitMix64(seed: 1)
    let noise = Self.image { _, _ in Float.random(in: 0..<256, using: &generator) }
    func level(_ x: Int, _ y: Int) -> Double { Double(noise.samples[64 * y + x]) }
    var values: [Double] = []
    for y in 1..<63 {
      for x in 1..<63 {
        values.append(
          level(x - 1, y) + level(x + 1, y) + level(x, y - 1) + level(x, y + 1) - 4 * level(x, y))
      }
    }
    func variance(_ values: [Double]) -> Double {
      let mean = values.reduce(0, +) / Double(values.count)
      return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }
    let expected = variance(values) / variance(noise.samples.map(Double.init))
    let found = try #require(Light(noise).sharpness)
    #expect(abs(found - expected) < 1e-3 * expected)
    // Contrast does not matter, and a ramp has no edges.
    let faint = GrayImage(width: 64, height: 64, samples: noise.samples.map { $0 / 8 })
    #expect(abs(try #require(Light(faint).sharpness) - expected) < 1e-3 * expected)
    #expect(try #require(Light(Self.image { x, y in Float(x + y) }).sharpness) < 1e-6)
    #expect(Light(Self.image { _, _ in 77 }).sharpness == nil)
  }

  @Test("dark and bright are the levels of the darkest and brightest twentieth")
  func levels() {
    let ramp = Light(Self.image { x, y in Float((64 * y + x) / 16) })
    #expect((11...14).contains(ramp.dark) && (241...244).contains(ramp.bright))
    let plain = Light(Self.image { _, _ in 255 })
    #expect(plain.dark == 255 && plain.bright == 255)
  }

  @Test("sketches keep inner products about as they are")
  func sketch() {
    var generator = SplitMix64(seed: 2)
    let sketch = FeatureSketch(values: 5000, photos: 1_000_000)
    #expect(sketch.size == 768)
    var error: Float = 0
    for _ in 0..<20 {
      let rows = generator.matrix(2, 5000)
      let vectors = [0, 1].map { Array(rows.values[rows.range(ofRow: $0)]) }
      func product(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
      }
      let short = vectors.map(sketch.applied)
      #expect(short[0].count == sketch.size)
      let scale = (product(vectors[0], vectors[0]) * product(vectors[1], vectors[1])).squareRoot()
      error += abs(product(short[0], short[1]) - product(vectors[0], vectors[1])) / scale
    }
    // One over the square root of the size, but for chance.
    #expect(error / 20 < 0.05)
  }

  @Test("few photos keep all values, many a part of them")
  func sketchSize() {
    let whole = FeatureSketch(values: 5000, photos: 2000)
    #expect(whole.applied(to: (0..<5000).map(Float.init)) == (0..<5000).map(Float.init))
    #expect(FeatureSketch(values: 5000, photos: 4000).size == 2500)
    #expect(FeatureSketch(values: 500, photos: 4000).size == 500)
  }
}
