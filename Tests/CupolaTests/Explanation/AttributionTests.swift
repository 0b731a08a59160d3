import Testing

@testable import Cupola

@Suite("Evidence map") struct EvidenceMapTests {
  private static func close(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-12 }

  @Test("A share is distributed over cells by overlap")
  func spreading() {
    var map = EvidenceMap(columns: 4, rows: 2)
    // From the middle of the first column to the end of the third, in the upper row.
    map.add(10, over: UnitRect(x: 0.125, y: 0, width: 0.625, height: 0.5))
    #expect(zip(map.values, [2, 4, 4, 0, 0, 0, 0, 0]).allSatisfy(Self.close))
    map.add(-4, over: UnitRect(x: 0.75, y: 0.25, width: 0.25, height: 0.5))
    #expect(zip(map.values, [2, 4, 4, -2, 0, 0, 0, -2]).allSatisfy(Self.close))
    #expect(Self.close(map.total, 6) && Self.close(map.magnitude, 14))
    #expect(map[3, 1] == map.values[7])
  }

  @Test("The total grows by the share, regardless of its place")
  func total() {
    var generator = SplitMix64(seed: 1)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    for (columns, rows) in [(1, 1), (3, 7), (32, 32)] {
      var map = EvidenceMap(columns: columns, rows: rows)
      var expected = 0.0
      for _ in 0..<200 {
        let share = random(-1...1)
        expected += share
        map.add(
          share,
          over: UnitRect(
            x: random(-0.1...1), y: random(-0.1...1), width: random(0...0.5), height: random(0...1)
          ))
      }
      #expect(abs(map.total - expected) < 1e-9)
    }
  }
}

@Suite("Fisher patch attribution") struct FisherAttributionTests {
  private static func random(_ count: Int, seed: UInt64) -> [Double] {
    SampleFisher.matrix(1, count, in: -1...1, seed: seed).values.map(Double.init)
  }

  @Test("Shares sum to the contributions, even if terms cancel")
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
    // The terms agree, so the chance correction does not change the proportions.
    #expect(zip(all, [0.75, 0.75, 1.5]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("An opposing patch gets a share of the opposite sign")
  func against() {
    let shares = FisherAttribution.divide([2], among: [[1], [1], [1], [-0.5]])
    #expect(shares[0] > 0.7 && shares[3] < -0.2)
    #expect(abs(shares.reduce(0, +) - 2) < 1e-12)
  }

  @Test("Empty terms and zero terms get no share")
  func nothing() {
    #expect(FisherAttribution.divide([1, 2], among: []) == [])
    #expect(FisherAttribution.divide([1], among: [[0], [0]]) == [0, 0])
    #expect(FisherAttribution.divide([0], among: [[1], [2]]) == [0, 0])
  }

  @Test("Extents match the cells of the patches and lie in the square")
  func extents() {
    let settings = SampleFisher.settings
    let extents = settings.extents
    let patches = settings.patches(of: .random(32, 32, seed: 1))
    #expect(extents.count == patches.places.count)
    for (extent, place) in zip(extents, patches.places) {
      #expect(abs(extent.x + extent.width / 2 - Double(place.x) - 0.5) < 1e-6)
      #expect(abs(extent.y + extent.height / 2 - Double(place.y) - 0.5) < 1e-6)
      #expect(extent.x >= 0 && extent.x + extent.width <= 1 && extent.width == extent.height)
    }
  }

  @Test("Shares match the slow reference implementation")
  func reference() {
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

@Suite("HOG cell attribution") struct HOGAttributionTests {
  /// The cell of a descriptor value, computed from its index.
  private static func cell(_ index: Int, _ hog: HOG, _ cells: Int) -> Int {
    let blocks = cells - hog.blockSize + 1
    let inBlock = index % (hog.blockSize * hog.blockSize * hog.orientations) / hog.orientations
    let block = index / (hog.blockSize * hog.blockSize * hog.orientations)
    let row = block / blocks + inBlock / hog.blockSize
    let column = block % blocks + inBlock % hog.blockSize
    return row * cells + column
  }

  @Test("Each value is added to its cell", arguments: [(16, 2), (32, 2), (40, 3), (128, 2)])
  func cells(side: Int, blockSize: Int) {
    var hog = HOG.standard
    hog.blockSize = blockSize
    let count = hog.count(width: side, height: side)
    let contributions = SampleFisher.matrix(1, count, in: -1...1, seed: 5).values.map(Double.init)
    let cells = side / hog.cellSize
    var expected = [Double](repeating: 0, count: cells * cells)
    for (index, value) in contributions.enumerated() {
      expected[Self.cell(index, hog, cells)] += value
    }
    let map = HOGAttribution.map(contributions, hog, side: side)
    #expect(map.columns == cells && map.rows == cells)
    #expect(zip(map.values, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test("A partial last cell is part of the map and adds nothing")
  func partOfCell() {
    let hog = HOG.standard
    let count = hog.count(width: 36, height: 36)
    let map = HOGAttribution.map([Double](repeating: 1, count: count), hog, side: 36)
    #expect(map.columns == 5 && abs(map.total - Double(count)) < 1e-9)
    #expect(map[4, 4] < map[3, 3] / 4)
  }
}
