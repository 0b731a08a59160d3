import Testing

@testable import Cupola

@Suite("Shares of Fisher patches") struct FisherAttributionTests {
  private static func random(_ count: Int, seed: UInt64) -> [Double] {
    SampleFisher.matrix(1, count, in: -1...1, seed: seed).values.map(Double.init)
  }

  @Test("The parts of every contribution sum to it, and stay near it where terms cancel")
  func division() {
    for seed in 0..<20 as Range<UInt64> {
      let terms = (0..<50).map { Self.random(4, seed: seed * 100 + $0) }
      let contributions = Self.random(4, seed: seed + 7)
      let shares = FisherAttribution.divide(contributions, among: terms)
      #expect(abs(shares.reduce(0, +) - contributions.reduce(0, +)) < 1e-9)
    }
    let canceling = FisherAttribution.divide([1], among: [[1], [-1 + 1e-12]])
    #expect(canceling.allSatisfy { abs($0 - 0.5) < 1e-6 })
    let all = FisherAttribution.divide([3], among: [[0.2], [0.2], [0.4]])
    // They agree, so that chance takes nothing from their proportions.
    #expect(zip(all, [0.75, 0.75, 1.5]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("A patch against the others gets a share of the opposite sign")
  func against() {
    let shares = FisherAttribution.divide([2], among: [[1], [1], [1], [-0.5]])
    #expect(shares[0] > 0.7 && shares[3] < -0.2)
    #expect(abs(shares.reduce(0, +) - 2) < 1e-12)
  }

  @Test("No terms, and terms of nothing, get nothing")
  func nothing() {
    #expect(FisherAttribution.divide([1, 2], among: []) == [])
    #expect(FisherAttribution.divide([1], among: [[0], [0]]) == [0, 0])
    #expect(FisherAttribution.divide([0], among: [[1], [2]]) == [0, 0])
  }

  @Test("Extents are those of the patches' cells, in their order, within the square")
  func extents() {
    let settings = SampleFisher.settings
    let extents = settings.extents
    let patches = settings.patches(of: .random(32, 32, seed: 1))
    #expect(extents.count == patches.places.count)
    for (extent, place) in zip(extents, patches.places) {
      // Cells stand on even pixels: the middle of the first to the last lies half a pixel before.
      #expect(abs(extent.x + extent.width / 2 - Double(place.x) - 0.5) < 1e-6)
      #expect(abs(extent.y + extent.height / 2 - Double(place.y) - 0.5) < 1e-6)
      #expect(extent.x >= 0 && extent.x + extent.width <= 1 && extent.width == extent.height)
    }
  }

  @Test("Shares are those of a slow twin that knows nothing of components that patches are not in")
  func twin() {
    let extractor = SampleFisher.extractor()
    let patches = SampleFisher.settings.patches(of: .random(32, 32, seed: 4)).counting
    for (descriptors, encoder) in [
      (patches.hog, extractor.hog), (patches.color, extractor.color),
    ] {
      let contributions = Self.random(FisherVector.count(encoder.mixture), seed: 9)
      let shares = FisherAttribution.shares(
        of: contributions, among: patches, descriptors: descriptors, encoder: encoder)
      let expected = Self.slowShares(descriptors, patches, encoder, contributions)
      #expect(zip(shares, expected).allSatisfy { abs($0 - $1) < 1e-4 })
      #expect(abs(shares.reduce(0, +) - contributions.reduce(0, +)) < 1e-9)
    }
  }

  private static func slowShares(
    _ descriptors: Matrix, _ patches: FisherSettings.Patches, _ encoder: FisherExtractor.Encoder,
    _ contributions: [Double]
  ) -> [Double] {
    let mixture = encoder.mixture
    let rows = encoder.components.project(descriptors, places: patches.places)
    let posteriors = mixture.posteriors(GaussianMixture.augmented(rows)).probabilities
    var shares = [Double](repeating: 0, count: rows.rows)
    for (index, contribution) in contributions.enumerated() {
      let isVariance = index >= contributions.count / 2
      let inHalf = index % (contributions.count / 2)
      let (component, dimension) = (inHalf / mixture.dimensions, inHalf % mixture.dimensions)
      let terms = (0..<rows.rows).map { row in
        let deviation = Double(mixture.variances[component, dimension]).squareRoot()
        let z =
          Double(rows[row, dimension] - mixture.means[component, dimension]) / deviation
        let weight = Double(posteriors[row, component]) * Double(patches.weights[row])
        return weight * (isVariance ? z * z - 1 : z)
      }
      let sum = terms.reduce(0, +)
      let chance = 0.0625 * terms.reduce(0) { $0 + $1 * $1 }
      let certain = sum * sum / (sum * sum + chance)
      let magnitudes = terms.reduce(0) { $0 + abs($1) }
      for (row, term) in terms.enumerated() {
        shares[row] +=
          contribution * (certain * term / sum + (1 - certain) * abs(term) / magnitudes)
      }
    }
    return shares
  }
}
