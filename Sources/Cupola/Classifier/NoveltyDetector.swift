#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Tell photos of unknown buildings from photos of trained ones:
// 1. Compute the inner product of the features with the direction of each building.
// 2. A logistic function of the largest product is the probability that the building is known. It sets the logit of
//    `Labels.unfamiliar`.

/// Detects buildings without training photos by comparing an image with the mean features of each building.
///
/// The direction of a building leads from the mean of all buildings to its own mean (nearest class mean; Mensink et al.
/// 2013). Means depend less on single training photos than nearest photos or the weights of the classifier do, so their
/// scores are nearly the same for photos that the features were learned from and for others.
package struct NoveltyDetector: Equatable, Sendable {
  /// One unit vector per building, in the order of ``Labels/buildings``, rounded to 8 bits per value.
  package let directions: Matrix
  /// The log odds that the building is known: `intercept + slope * score`.
  package let intercept: Double
  package let slope: Double

  package init(directions: Matrix, intercept: Double, slope: Double) {
    self.directions = Self.rounded(directions)
    (self.intercept, self.slope) = (intercept, slope)
  }

  /// Rounds each row to multiples of a scale with 4 significant bits, so that every export stores the values without
  /// loss: as 8-bit integers and in half precision. Rounding again has no further effect.
  private static func rounded(_ directions: Matrix) -> Matrix {
    var result = directions
    for row in 0..<directions.rows {
      let largest = directions.row(row).reduce(0) { max($0, $1.magnitude) }
      let share = max(largest / 127, .leastNormalMagnitude)
      let scale = Float(bitPattern: share.bitPattern & ~0xF_FFFF)
      for column in 0..<directions.columns {
        let steps = (directions[row, column] / scale).rounded(.toNearestOrEven)
        result[row, column] = min(max(steps, -127), 127) * scale
      }
    }
    return result
  }

  /// Returns the largest inner product of the features with a direction, -1...1.
  package func score(_ features: [Float]) -> Float {
    var score = -Float.infinity
    for first in stride(from: 0, to: directions.rows, by: 4) {
      let rows = first..<min(first + 4, directions.rows)
      let products = WideRows.products(rows, of: directions, features)
      for row in rows { score = max(score, products[row - first]) }
    }
    return score
  }

  /// Returns the contribution of each unit of a feature to the log odds that the image shows a known building.
  func evidence(at features: [Float]) -> [Float] {
    func score(_ row: Int) -> Float {
      WideRows.products(row..<row + 1, of: directions, features)[0]
    }
    let nearest = (0..<directions.rows).max { score($0) < score($1) } ?? 0
    return directions.row(nearest).map { $0 * Float(slope) }
  }

  /// Sets the logit of ``Labels/unfamiliar`` so that its probability is that of an unknown building.
  ///
  /// - Parameters:
  ///   - logits: The logits of all labels; labels out of reach are excluded afterwards.
  ///   - temperature: The divisor of the logits.
  package func complete(
    _ logits: inout [Float], of features: [Float], labels: Labels, temperature: Double
  ) {
    guard let unfamiliar = labels.unfamiliar else { return }
    logits[unfamiliar] = Self.logit(
      logOdds: intercept + slope * Double(score(features)), logits, except: unfamiliar,
      temperature: temperature)
  }

  /// Returns the logit that gives a label the probability `1 / (1 + exp(logOdds))`.
  package static func logit(
    logOdds: Double, _ logits: [Float], except unfamiliar: Int, temperature: Double
  ) -> Float {
    var largest = -Float.infinity
    for label in logits.indices where label != unfamiliar { largest = max(largest, logits[label]) }
    guard largest.isFinite else { return 0 }
    var sum = 0.0
    for label in logits.indices where label != unfamiliar {
      sum += exp(Double(logits[label] - largest) / temperature)
    }
    return Float(Double(largest) + temperature * (log(sum) - logOdds))
  }
}
