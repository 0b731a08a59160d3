// Locate the evidence in an image:
// 1. `EvidenceMap` is a grid over the image.
// 2. For Fisher features, divide each value among the patches, and each patch among the cells that it covers.
// 3. For HOG features, assign each value to one cell.

/// The evidence in each part of an image for one label (positive) versus another (negative), in logits.
///
/// The parts form a grid over the input square. Rows run from top to bottom.
public struct EvidenceMap: Equatable, Sendable {
  /// The number of columns.
  public let columns: Int
  /// The number of rows.
  public let rows: Int
  /// `columns * rows` values, row-major.
  public private(set) var values: [Double]

  init(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0, "invalid map size \(columns)x\(rows)")
    self.columns = columns
    self.rows = rows
    values = [Double](repeating: 0, count: columns * rows)
  }

  package subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

  package var total: Double { values.reduce(0, +) }

  package var magnitude: Double { values.reduce(0) { $0 + $1.magnitude } }

  /// The place with the strongest color in the drawing; `nil` without evidence. It is the center of the window with the
  /// most evidence for the label. The window is about a fifth as wide and high as the image.
  var peak: (column: Int, row: Int)? {
    func sum(_ column: Int, _ row: Int) -> Double {
      Self.window(row, rows).reduce(0) { sum, row in
        Self.window(column, columns).reduce(sum) { $0 + max(self[$1, row], 0) }
      }
    }
    let sums = values.indices.map { sum($0 % columns, $0 / columns) }
    guard let most = sums.indices.max(by: { sums[$0] < sums[$1] }), sums[most] > 0 else {
      return nil
    }
    return (most % columns, most / columns)
  }

  private static func window(_ center: Int, _ count: Int) -> Range<Int> {
    max(0, center - count / 10)..<min(count, center + count / 10 + 1)
  }

  /// Spreads a value evenly over a rectangle. The total grows by exactly this value.
  mutating func add(_ share: Double, over extent: UnitRect) {
    let across = Self.overlaps(extent.x, extent.width, columns)
    let down = Self.overlaps(extent.y, extent.height, rows)
    for (row, height) in down {
      for (column, width) in across { values[row * columns + column] += share * height * width }
    }
  }

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

/// Divides a Fisher vector's contribution to a logit difference among the patches.
///
/// Before the signed square root, each value `i` of the vector is a sum over patches, `u(i) = sum u(p, i)`. Its
/// contribution to the logit difference, `e(i)`, is divided in proportion to `u(p, i)`. To first order, a patch's share
/// is twice the loss from removing the patch. Where the patches' gradients almost cancel, this rule alone would produce
/// huge shares of opposite signs, because the square root is steep at 0. Therefore, `s(i) = noise^2 * sum u(p, i)^2`,
/// the expected square of a random sum, splits `e(i)` into two parts:
///
///     e(i) * u(i)^2 / (u(i)^2 + s(i))   is divided in proportion to   u(p, i),
///     e(i) *   s(i) / (u(i)^2 + s(i))   in proportion to its magnitude.
///
/// The two parts sum to `e(i)`, so the shares of all patches sum to the logit difference without the biases. A `noise`
/// of 1/4 matched the measured logit changes best when parts of an image were removed.
struct FisherAttribution {
  static let noise = 0.25
  static let cells = 32
  /// The minimum posterior, relative to the component's maximum, at which a patch receives a share.
  /// A relative minimum is needed because flattening gives weight even to components with very small posteriors.
  private static let leastPosterior: Float = 1e-9

  let extractor: FisherExtractor

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
  /// The rectangle of the square that each patch covers, in the same order as ``patches(of:)``.
  var extents: [UnitRect] {
    sides.flatMap { side in
      let grid = PatchGrid(side: side, step: step)
      let size = Double(PatchGrid.cells * PatchGrid.cellSize) / Double(side)
      func start(_ index: Int) -> Double {
        Double(PatchGrid.margin + index * step - PatchGrid.cellSize / 2) / Double(side)
      }
      return (0..<grid.count).flatMap { row in
        (0..<grid.count).map { column in
          UnitRect(x: start(column), y: start(row), width: size, height: size)
        }
      }
    }
  }
}

/// Computes each HOG cell's share as the sum of the cell's values in all blocks.
/// Every descriptor value comes from one cell in one block, so no value needs to be divided.
enum HOGAttribution {
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
    // The descriptor ignores an incomplete last cell, but the map must cover the whole square.
    let across = (side + hog.cellSize - 1) / hog.cellSize
    var map = EvidenceMap(columns: across, rows: across)
    let size = Double(hog.cellSize) / Double(side)
    for (index, share) in shares.enumerated() {
      map.add(
        share,
        over: UnitRect(
          x: Double(index % cells) * size, y: Double(index / cells) * size, width: size,
          height: size))
    }
    return map
  }
}
