// Where in a picture the evidence lies:
// 1. An `EvidenceMap` is a grid over the picture.
// 2. Fisher features: each value is divided among patches, each patch among the cells that it covers.
// 3. HOG features: each value belongs to one cell.

/// How much each part of a picture speaks for one label rather than another, in logits.
///
/// A grid over the square that the features see, rows from the top. Positive values speak for the
/// label, negative ones for the other.
public struct EvidenceMap: Equatable, Sendable {
  /// Cells along the upper edge.
  public let columns: Int
  /// Cells along the left edge.
  public let rows: Int
  /// `columns * rows` values, row-major.
  public private(set) var values: [Double]

  init(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0, "a map of \(columns)x\(rows) cells")
    self.columns = columns
    self.rows = rows
    values = [Double](repeating: 0, count: columns * rows)
  }

  package subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

  package var total: Double { values.reduce(0, +) }

  package var magnitude: Double { values.reduce(0) { $0 + $1.magnitude } }

  /// Spreads a share evenly over a part of the picture; the total grows by exactly that share.
  mutating func add(_ share: Double, over extent: Extent) {
    let across = Self.overlaps(extent.x, extent.width, columns)
    let down = Self.overlaps(extent.y, extent.height, rows)
    for (row, height) in down {
      for (column, width) in across { values[row * columns + column] += share * height * width }
    }
  }

  /// The cells along one side that an interval touches, and how much of it lies in each.
  private static func overlaps(
    _ start: Double, _ length: Double, _ count: Int
  ) -> [(cell: Int, share: Double)] {
    let (from, to) = (start * Double(count), (start + length) * Double(count))
    let first = min(max(Int(from), 0), count - 1)
    let last = min(max(Int(to.rounded(.up)) - 1, first), count - 1)
    let lengths = (first...last).map { cell in
      max(0, min(to, Double(cell + 1)) - max(from, Double(cell)))
    }
    let sum = lengths.reduce(0, +)
    guard sum > 0 else { return [(first, 1)] }
    return zip(first...last, lengths).map { ($0, $1 / sum) }
  }
}

/// Divides what a Fisher vector adds to the difference of two logits among its patches.
///
/// Before the signed root each value `i` of the vector is a sum over patches, `u(i) = sum u(p, i)`. What it
/// adds to the difference, `e(i)`, is divided in proportion to `u(p, i)`: to first order that is twice
/// what would be lost without the patch. Where the patches' gradients all but cancel, that would give
/// huge shares of opposite signs, as the root is steep at 0. So with `s(i) = noise^2 * sum u(p, i)^2`, the square
/// of what chance would leave of the sum, only
///
///     e(i) * u(i)^2 / (u(i)^2 + s(i))   is divided in proportion to   u(p, i),
///     e(i) *   s(i) / (u(i)^2 + s(i))   in proportion to its magnitude.
///
/// The parts of a value always sum to `e(i)`, so the shares of all patches sum to the difference of the logits
/// without the biases. A quarter of chance's size is the `noise` at which the shares agreed best with what
/// really happened to the logits without the patches of a part of the picture.
struct FisherAttribution {
  static let noise = 0.25
  static let cells = 32
  /// Patches that are in a component so much less than the one that is in it most do not share what it
  /// adds. Flattening makes even a component count that hardly any patch is in, so the most matters.
  private static let leastPosterior: Float = 1e-9

  let extractor: FisherExtractor

  /// - Parameter contributions: what each value of the feature vector of `image` adds to the difference.
  func map(_ contributions: [Double], of image: RGBImage) -> EvidenceMap {
    precondition(contributions.count == extractor.settings.count)
    let patches = extractor.settings.patches(of: image)
    let counting = patches.weights.indices.filter { patches.weights[$0] > 0 }
    let extents = extractor.settings.extents
    let used = patches.selecting(counting)
    let hogCount = FisherVector.count(extractor.hog.mixture)
    let hog = Self.shares(
      of: Array(contributions[..<hogCount]), among: used, descriptors: used.hog,
      encoder: extractor.hog)
    let color = Self.shares(
      of: Array(contributions[hogCount...]), among: used, descriptors: used.color,
      encoder: extractor.color)
    var map = EvidenceMap(columns: Self.cells, rows: Self.cells)
    for (index, patch) in counting.enumerated() {
      map.add(hog[index] + color[index], over: extents[patch])
    }
    return map
  }

  /// The share of each patch in what one part of the vector adds.
  static func shares(
    of contributions: [Double], among patches: FisherSettings.Patches, descriptors: Matrix,
    encoder: FisherExtractor.Encoder
  ) -> [Double] {
    let rows = encoder.components.project(descriptors, places: patches.places)
    let posteriors = encoder.mixture.posteriors(GaussianMixture.augmented(rows)).probabilities
    var shares = [Double](repeating: 0, count: rows.rows)
    for component in 0..<encoder.mixture.count {
      let most = (0..<rows.rows).reduce(0) { max($0, posteriors[$1, component]) }
      let members = (0..<rows.rows).filter {
        posteriors[$0, component] > leastPosterior * most
      }
      let terms = members.map { row in
        Self.terms(
          of: rows, row, component, encoder.mixture,
          weight: Double(posteriors[row, component]) * Double(patches.weights[row]))
      }
      let parts = divide(Self.own(component, contributions, encoder.mixture), among: terms)
      for (row, part) in zip(members, parts) { shares[row] += part }
    }
    return shares
  }

  private static func own(
    _ component: Int, _ contributions: [Double], _ mixture: GaussianMixture
  ) -> [Double] {
    let dimensions = mixture.dimensions
    let means = component * dimensions..<(component + 1) * dimensions
    let half = contributions.count / 2
    return Array(contributions[means])
      + contributions[half + means.lowerBound..<half + means.upperBound]
  }

  /// One patch's terms of the sums, but for what all patches have in common.
  private static func terms(
    of rows: Matrix, _ row: Int, _ component: Int, _ mixture: GaussianMixture, weight: Double
  ) -> [Double] {
    let dimensions = mixture.dimensions
    var gradients = [Double](repeating: 0, count: 2 * dimensions)
    for dimension in 0..<dimensions {
      let distance = Double(rows[row, dimension] - mixture.means[component, dimension])
      let variance = Double(mixture.variances[component, dimension])
      gradients[dimension] = weight * distance / variance.squareRoot()
      gradients[dimensions + dimension] = weight * (distance * distance / variance - 1)
    }
    return gradients
  }

  /// What each patch gets of some contributions, given each patch's terms of the sums.
  static func divide(_ contributions: [Double], among terms: [[Double]]) -> [Double] {
    var shares = [Double](repeating: 0, count: terms.count)
    for (index, contribution) in contributions.enumerated() where contribution != 0 {
      var (sum, squares, magnitudes) = (0.0, 0.0, 0.0)
      for own in terms {
        let term = own[index]
        sum += term
        squares += term * term
        magnitudes += term.magnitude
      }
      let chance = noise * noise * squares
      guard magnitudes > 0, sum * sum + chance > 0 else { continue }
      let signed = contribution * sum / (sum * sum + chance)
      let unsigned = contribution * chance / (sum * sum + chance) / magnitudes
      for (patch, own) in terms.enumerated() {
        shares[patch] += signed * own[index] + unsigned * own[index].magnitude
      }
    }
    return shares
  }
}

extension FisherSettings {
  /// Which part of the square each patch covers: its 4x4 cells, in the order of ``patches(of:)``.
  var extents: [Extent] {
    sides.flatMap { side in
      let grid = PatchGrid(side: side, step: step)
      let size = Double(PatchGrid.cells * PatchGrid.cellSize) / Double(side)
      func start(_ index: Int) -> Double {
        Double(PatchGrid.margin + index * step - PatchGrid.cellSize / 2) / Double(side)
      }
      return (0..<grid.count).flatMap { row in
        (0..<grid.count).map { column in
          Extent(x: start(column), y: start(row), width: size, height: size)
        }
      }
    }
  }
}

/// The share of each cell of the classic descriptor: the sum over its values in all blocks.
///
/// Every value of the descriptor belongs to one cell of one block, so nothing has to be divided, and
/// normalization is what it was for the whole picture.
enum HOGAttribution {
  /// - Parameters:
  ///   - contributions: what each value of the descriptor adds to the difference of logits.
  ///   - side: pixels along the square picture that was described.
  static func map(_ contributions: [Double], _ hog: HOG, side: Int) -> EvidenceMap {
    let cells = side / hog.cellSize
    let blocks = cells - hog.blockSize + 1
    precondition(contributions.count == hog.count(width: side, height: side))
    var shares = [Double](repeating: 0, count: cells * cells)
    var at = 0
    for blockRow in 0..<blocks {
      for blockColumn in 0..<blocks {
        for row in blockRow..<blockRow + hog.blockSize {
          for column in blockColumn..<blockColumn + hog.blockSize {
            let own = contributions[at..<at + hog.orientations]
            shares[row * cells + column] += own.reduce(0, +)
            at += hog.orientations
          }
        }
      }
    }
    // A last part of a cell was left out; the map still covers the whole square.
    let across = (side + hog.cellSize - 1) / hog.cellSize
    var map = EvidenceMap(columns: across, rows: across)
    let size = Double(hog.cellSize) / Double(side)
    for (index, share) in shares.enumerated() {
      map.add(
        share,
        over: Extent(
          x: Double(index % cells) * size, y: Double(index / cells) * size, width: size,
          height: size))
    }
    return map
  }
}
