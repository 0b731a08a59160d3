import Foundation
import Testing

@testable import Cupola

@Suite("HeadingDensity") struct HeadingDensityTests {
  static func view(_ azimuth: Double, _ meters: Double, side: Double? = nil) throws -> BuildingView
  {
    let place = try PlaceDensityTests.place(azimuth, meters)
    return try #require(BuildingView(of: PlaceDensityTests.building(side: side), from: place))
  }

  @Test("The scaled Bessel function has the values of Abramowitz and Stegun, table 9.8")
  func bessel() {
    for (x, value) in [
      (0, 1), (1, 0.465_759_607_6), (5, 0.183_540_812_6), (10, 0.127_833_337_2),
    ] as [(Double, Double)] {
      #expect((HeadingDensity.scaledBessel(x) - value).magnitude < 1e-9)
    }
  }

  @Test("Looking anywhere is as likely as a density must have it")
  func sum() throws {
    for (meters, error) in [(30.0, 5.0), (100, 15), (300, 60)] {
      let view = try Self.view(20, meters)
      let mean =
        (0..<720).reduce(0) {
          $0 + exp(HeadingDensity.logRatio(Double($1) / 2, view, positionError: error))
        } / 720
      #expect((mean - 1).magnitude < 0.1)
    }
  }

  @Test("All of the building is as good as its middle, and beside it it grows less likely")
  func angles() throws {
    // 80 m wide, seen from 60 m south of its middle, 20 m from its wall: 63 degrees to both sides.
    let view = try Self.view(180, 60, side: 80)
    func term(_ heading: Double) -> Double {
      HeadingDensity.logRatio(heading, view, positionError: 5)
    }
    #expect((view.distance - 20).magnitude < 0.5)
    #expect((view.extent.upperBound - 63.4).magnitude < 1)
    #expect((view.extent.lowerBound + 63.4).magnitude < 1)
    #expect(term(0) == term(60) && term(0) == term(-60))
    let beside = stride(from: 65.0, through: 180, by: 5).map(term)
    #expect(zip(beside, beside.dropFirst()).allSatisfy { $0 > $1 })
    #expect((term(100) - term(-100)).magnitude < 0.02)
    #expect(beside.allSatisfy { $0 >= log(HeadingDensity.uniformShare) })
  }

  @Test("Distance and bearing are those of the buildings nearby")
  func nearby() throws {
    let view = try Self.view(123, 40)
    #expect((view.distance - 40).magnitude < 1e-6)
    #expect((try #require(view.bearing) - 303).magnitude < 0.01)
    // A point counts as a building of 40 m.
    #expect((view.extent.upperBound - 26.57).magnitude < 0.01)
    #expect(BuildingView(of: nil, from: try PlaceDensityTests.place(0, 1)) == nil)
  }

  @Test("Inside, and where the position is far too uncertain, a heading says nothing")
  func nothing() throws {
    let inside = try Self.view(10, 3, side: 80)
    #expect(inside.distance == 0 && inside.bearing == nil)
    #expect(HeadingDensity.logRatio(77, inside, positionError: 5) == 0)
    let near = try Self.view(10, 30)
    for heading in stride(from: 0.0, to: 360, by: 30) {
      #expect(HeadingDensity.logRatio(heading, near, positionError: 1e5).magnitude < 1e-5)
    }
  }
}
