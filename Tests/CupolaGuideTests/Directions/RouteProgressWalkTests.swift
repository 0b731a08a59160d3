import Foundation
import Testing

@testable import CupolaGuide

/// `CUPOLA_WALKS=20000` takes 200 walks of each noise from that seed on and prints the figures.
@Suite("Route progress on simulated walks")
struct RouteProgressWalkTests {
  private static let takesAll = ProcessInfo.processInfo.environment["CUPOLA_WALKS"] != nil

  /// Debug builds are slow: they take fewer walks.
  private static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  private static func figures(_ radius: Double) -> WalkFigures {
    if takesAll {
      let first = UInt64(ProcessInfo.processInfo.environment["CUPOLA_WALKS"] ?? "") ?? 0
      let figures = WalkFigures(radius: radius, walks: first..<(first + 200))
      print(figures)
      return figures
    }
    return WalkFigures(radius: radius, walks: 0..<(isDebug ? 3 : radius == 15 ? 200 : 50))
  }

  @Test("errors of 5 m are followed without a mistake")
  func good() {
    let figures = Self.figures(5)
    #expect(figures.falseReroutings == 0)
    #expect(figures.arrivals.allSatisfy { $0 <= 20 })
    #expect(figures.silent == 0)
    #expect(figures.early.allSatisfy { $0 <= 15 })
    #expect(figures.late.isEmpty)
    #expect(figures.walks.allSatisfy { $0.missed == 0 && $0.arrivals == 1 })
    #expect(figures.unnoticed == 0)
    #expect(figures.noticed.allSatisfy { $0 <= 40 })
    #expect(figures.walks.allSatisfy { $0.back < 0.01 })
  }

  @Test("errors of 15 m: no false rerouting in 95 % of walks, arrival within 20 m, nothing early")
  func usual() {
    let figures = Self.figures(15)
    #expect(figures.falseReroutings <= 0.05)
    #expect(WalkFigures.quantile(0.97, of: figures.arrivals) <= 20)
    #expect(figures.arrivals.allSatisfy { $0 <= 30 })
    #expect(figures.silent <= 0.02)
    #expect(WalkFigures.quantile(0.999, of: figures.early) <= 15)
    // Three detours have no quantiles.
    if !Self.isDebug {
      #expect(WalkFigures.quantile(0.5, of: figures.noticed) <= 40)
      #expect(WalkFigures.quantile(0.9, of: figures.noticed) <= 50)
    }
    #expect(figures.unnoticed <= 0.02)
    #expect(figures.walks.allSatisfy { $0.back < 0.01 && $0.arrivals <= 1 })
  }

  @Test("errors of 30 m: arrival within the error, hardly anything early")
  func poor() {
    let figures = Self.figures(30)
    #expect(figures.falseReroutings <= 0.1)
    #expect(WalkFigures.quantile(0.95, of: figures.arrivals) <= 35)
    #expect(figures.silent <= 0.1)
    #expect(WalkFigures.quantile(0.99, of: figures.early) <= 15)
    #expect(WalkFigures.quantile(0.9, of: figures.noticed) <= 100)
    #expect(figures.unnoticed <= 0.05)
    #expect(figures.walks.allSatisfy { $0.back < 0.01 && $0.arrivals <= 1 })
  }
}
