import Foundation

@testable import Cupola

/// A reference implementation of ``PlaceDensity`` that sums each photo's density with geodesic distances.
enum NaivePlaceDensity {
  static func logRatio(
    at position: Position, error: Double, viewpoints: [(place: Position, error: Double)],
    building: Double?
  ) -> Double {
    func density(_ meters: Double, _ deviations: Double...) -> Double {
      let variance = deviations.reduce(0) { $0 + $1 * $1 }
      return exp(-meters * meters / (2 * variance)) / (2 * .pi * variance)
    }
    var densities: [Double] = viewpoints.map {
      density(Geodesic(from: position, to: $0.place).distance, error, $0.error, 25)
    }
    for _ in 0..<5 { densities += building.map { [density($0, error, 75)] } ?? [] }
    let mean = densities.reduce(0, +) / Double(densities.count)
    return log(0.95 * mean / density(0, error, 150) + 0.05)
  }
}
