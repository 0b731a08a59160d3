import Cupola
import Testing

@testable import CupolaGuide

@Suite("Simulated visits")
struct TourSimulationTests {
  private let tour = MadeTour.tour(
    [
      MadeTour.stop("gate", 0, 0), MadeTour.stop("library", 150, 0, questions: [MadeTour.year]),
      MadeTour.stop("yard", 150, 150),
    ], order: .fixed)

  private func walk(_ points: [(Double, Double)], noise: Double = 4) -> TourSimulation.Walk {
    let points = points.map { MadeTour.point($0.0, $0.1) }
    var walk = TourSimulation.Walk(
      points: points.compactMap { MapPoint(latitude: $0.latitude, longitude: $0.longitude) })
    walk.noise = noise
    return walk
  }

  private func simulated(_ walk: TourSimulation.Walk, seed: UInt64) -> TourSimulation {
    var random = SplitMix64(seed: seed)
    return TourSimulation(of: TourVisit(of: tour), walk, using: &random)
  }

  @Test("who walks the tour finishes it, whatever the noise of a usual phone")
  func finished() {
    for seed in 0..<20 {
      for noise in [0.0, 3, 6] {
        let walk = walk([(0, 0), (150, 0), (150, 150)], noise: noise)
        let simulation = simulated(walk, seed: UInt64(seed))
        #expect(simulation.visit.isFinished, "seed \(seed), noise \(noise)")
        #expect(simulation.visit.score == 10)
      }
    }
  }

  @Test("the same seed gives the same lines, another seed others")
  func deterministic() {
    let walk = walk([(0, 0), (150, 0), (150, 150)])
    let lines = simulated(walk, seed: 1).lines()
    #expect(lines == simulated(walk, seed: 1).lines())
    #expect(simulated(walk, seed: 1).lines(all: true) != simulated(walk, seed: 2).lines(all: true))
    #expect(lines.last == "3 of 3 stops passed, 10 of 10 points")
    #expect(lines.contains("          > You are at Stop library. About library."))
    #expect(lines.allSatisfy { WrappedText.width($0) <= 80 })
    if lines.count < 40 { print(lines.joined(separator: "\n")) }
  }

  @Test("who goes the other way round reaches only what is next")
  func wrongWay() {
    let simulation = simulated(walk([(150, 150), (150, 0), (0, 0)]), seed: 1)
    let arrived = simulation.steps.flatMap(\.signals).compactMap { signal -> String? in
      if case .arrived(let stop) = signal { stop } else { nil }
    }
    #expect(arrived == ["gate"])
  }

  @Test("beacons are heard near them; a walk round the Earth ends")
  func beaconsAndBounds() {
    let hall = TourStop(
      id: "hall", title: LocalizedText(["en": "Hall"]), beacon: .init(zone: "h", level: .near))
    var random = SplitMix64(seed: 1)
    let point = MadeTour.point(50, 0)
    let simulation = TourSimulation(
      of: TourVisit(of: MadeTour.tour([hall])), walk([(0, 0), (50, 0), (100, 0)]), using: &random
    ) { _ in MapPoint(latitude: point.latitude, longitude: point.longitude) }
    #expect(simulation.visit.isFinished)
    var far = walk([(0, 0)])
    far.points += [MapPoint(latitude: -37, longitude: -156)].compactMap { $0 }
    #expect(simulated(far, seed: 1).steps.count <= TourSimulation.mostSeconds + 10)
  }
}
