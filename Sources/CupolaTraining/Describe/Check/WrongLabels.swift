internal import Cupola

// 1. Measure how far the out-of-fold classifiers prefer another label (`LabelMargins`).
// 2. Find the nearest photos of the doubtful ones, and of a sample (`Neighborhood`).
// 3. Report a photo if both contradict its label far more than those of other photos (`WrongLabels`).

/// Finds photos whose label may be wrong.
///
/// The probability alone is not enough: the classifier contradicted 17 of 1,362 labels of web photos with a probability
/// of 99%, and nearly all of these labels were right. Unusual photos are near photos of many labels.
enum WrongLabels {
  /// A photo is reported if its margin and its gap together exceed their medians by more than this number of standard
  /// deviations.
  ///
  /// Lower values find more wrong labels, and report more right ones; see `Scripts/measure labels`.
  static let leastEvidence = 4.5
  /// From this evidence on, fewer nearest photos must agree, because a label may have few photos of each view.
  static let strongEvidence = 7.0
  /// The number of nearest photos, none of which may have the same label.
  static let neighbors = 5
  /// The minimum number of them with the label that the classifiers prefer.
  static func leastNeighbors(_ evidence: Double) -> Int { evidence > strongEvidence ? 2 : 4 }
  /// The approximate number of photos from which the usual spread of gaps is estimated.
  private static let sample = 1_500

  struct Found {
    let photo: Int
    let label: Int
    /// The nearest photo of this label.
    let nearest: Int
    let evidence: Double
  }

  /// - Parameter margins: The margins of cross-validations with different folds.
  static func all(
    _ margins: [LabelMargins], of examples: Coordinates, labels: [Int], copies: [Int]
  ) -> [Found] {
    let means = LabelMargins.means(margins)
    let usual = stride(from: 0, to: means.count, by: max(1, means.count / sample))
    let asked = Set(usual).union(means.indices.filter { means[$0].isContradicted }).sorted()
    let near = Neighborhood.all(
      of: asked.map { means[$0] }, among: examples, labels: labels, copies: copies)
    let isUsual = Set(usual)
    guard let ofMargins = Spread(of: means.map(\.margin)),
      let ofGaps = Spread(
        of: zip(asked, near).compactMap { isUsual.contains($0) ? $1.gap : nil })
    else { return [] }
    var found: [Found] = []
    for (number, near) in zip(asked, near) where means[number].isContradicted {
      guard let gap = near.gap, let nearest = near.nearestOther else { continue }
      let mean = means[number]
      let evidence = ofMargins.distance(of: mean.margin) + ofGaps.distance(of: gap)
      guard evidence > leastEvidence, near.agreesOnOther(least: leastNeighbors(evidence)) else {
        continue
      }
      found.append(
        Found(photo: mean.photo, label: mean.label, nearest: nearest.photo, evidence: evidence))
    }
    return found.sorted { ($1.evidence, $0.photo) < ($0.evidence, $1.photo) }
  }
}

/// The median and the robust standard deviation of values.
private struct Spread {
  private let median: Double
  private let deviation: Double

  /// Returns `nil` if the values do not differ.
  init?(of values: [Double]) {
    guard let median = Self.median(of: values),
      let deviation = Self.median(of: values.map { abs($0 - median) }), deviation > 0
    else { return nil }
    // The median deviation of a normal distribution is 1 / 1.4826 of its standard deviation.
    (self.median, self.deviation) = (median, 1.4826 * deviation)
  }

  func distance(of value: Double) -> Double { (value - median) / deviation }

  private static func median(of values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

/// How strongly the classifiers of a cross-validation prefer another label for each photo.
struct LabelMargins {
  struct Mean {
    let photo: Int
    /// The best other label in the first cross-validation.
    let label: Int
    let margin: Double
    /// Whether all cross-validations prefer this label to the photo's own.
    let isContradicted: Bool
  }

  /// The best other label of each scored photo, and its logit minus that of the photo's own label.
  private(set) var values: [Int: (label: Int, margin: Double)] = [:]
  private static let block = 512

  static func means(_ margins: [LabelMargins]) -> [Mean] {
    (margins.first?.values ?? [:]).sorted { $0.key < $1.key }.compactMap { photo, first in
      let all = margins.compactMap { $0.values[photo] }
      guard all.count == margins.count else { return nil }
      return Mean(
        photo: photo, label: first.label,
        margin: all.reduce(0) { $0 + $1.margin } / Double(all.count),
        isContradicted: all.allSatisfy { $0.label == first.label && $0.margin > 0 })
    }
  }

  init(of photos: LabeledExamples, in folds: Folds, by classifiers: [Classifier]) {
    for (fold, classifier) in classifiers.enumerated() {
      let all = folds.photos(of: fold)
      // Work in blocks, because logits of all photos grow with the square of their number.
      for start in stride(from: 0, to: all.count, by: Self.block) {
        let part = Array(all[start..<min(start + Self.block, all.count)])
        let logits = classifier.logits(ofRows: photos.tests(of: part))
        for (row, photo) in part.enumerated() {
          let own = photos.labels[photo]
          let others = (0..<logits.columns).filter { $0 != own }
          guard let best = others.max(by: { logits[row, $0] < logits[row, $1] }) else { continue }
          let margin = Double(logits[row, best]) - Double(logits[row, own])
          if margin.isFinite { values[photo] = (best, margin) }
        }
      }
    }
  }
}

/// The photos nearest to one photo by the cosine of their centered features, without its copies.
///
/// Compares the photo's own label with the other label that the classifiers prefer.
struct Neighborhood {
  typealias Neighbor = (photo: Int, likeness: Float)

  private let own: Int
  private let other: Int
  private var nearestOwn: Neighbor?
  private(set) var nearestOther: Neighbor?
  /// The nearest photos of any label, nearest first.
  private var closest: [(label: Int, likeness: Float)] = []
  private static let block = 512

  private init(own: Int, other: Int) { (self.own, self.other) = (own, other) }

  private mutating func add(_ photo: Int, _ label: Int, _ likeness: Float) {
    if label == own, likeness > nearestOwn?.likeness ?? -.infinity {
      nearestOwn = (photo, likeness)
    } else if label == other, likeness > nearestOther?.likeness ?? -.infinity {
      nearestOther = (photo, likeness)
    }
    guard closest.count < WrongLabels.neighbors || likeness > closest.last?.likeness ?? 0 else {
      return
    }
    let place = closest.firstIndex { $0.likeness < likeness } ?? closest.count
    closest.insert((label, likeness), at: place)
    if closest.count > WrongLabels.neighbors { closest.removeLast() }
  }

  /// Whether the nearest photos contradict the label.
  func agreesOnOther(least: Int) -> Bool {
    !closest.contains { $0.label == own } && closest.count { $0.label == other } >= least
  }

  /// How much nearer the nearest photo of the other label is; `nil` if a label has no other photo.
  var gap: Double? {
    guard let nearestOwn, let nearestOther else { return nil }
    return Double(nearestOther.likeness) - Double(nearestOwn.likeness)
  }

  static func all(
    of means: [LabelMargins.Mean], among examples: Coordinates, labels: [Int], copies: [Int]
  ) -> [Neighborhood] {
    let middle = mean(of: examples)
    let own = directions(means.map(\.photo), of: examples, from: middle)
    var found = means.map { Neighborhood(own: labels[$0.photo], other: $0.label) }
    for start in stride(from: 0, to: examples.rows, by: block) {
      let part = Array(start..<min(start + block, examples.rows))
      let products = BLAS.product(
        own, directions(part, of: examples, from: middle), transposeB: true)
      for (row, mean) in means.enumerated() {
        for (column, other) in part.enumerated() where copies[other] != copies[mean.photo] {
          found[row].add(other, labels[other], products[row, column])
        }
      }
    }
    return found
  }

  private static func mean(of examples: Coordinates) -> [Float] {
    var sums = [Float](repeating: 0, count: examples.columns)
    for start in stride(from: 0, to: examples.rows, by: block) {
      let rows = examples.selecting(rows: Array(start..<min(start + block, examples.rows)))
      for row in 0..<rows.rows { VectorMath.add(rows.row(row), times: 1, to: &sums) }
    }
    return sums.map { $0 / Float(max(1, examples.rows)) }
  }

  private static func directions(
    _ photos: [Int], of examples: Coordinates, from middle: [Float]
  ) -> Matrix {
    let rows = examples.selecting(rows: photos)
    let values = (0..<rows.rows).flatMap {
      VectorMath.unit(VectorMath.difference(rows.row($0), middle))
    }
    return Matrix(rows: rows.rows, columns: rows.columns, values: values)
  }
}
