import Foundation
import Testing

@testable import CupolaCampus

@Suite("Degrees") struct DegreesTests {
  @Test("Sine and cosine are exact at the quarter turns, and libm's elsewhere")
  func sinCos() {
    for quarter in -8...8 {
      let (sine, cosine) = Degrees.sinCos(Double(quarter) * 90)
      let expected = [(0.0, 1.0), (1, 0), (0, -1), (-1, 0)][(quarter % 4 + 4) % 4]
      #expect(sine == expected.0 && cosine == expected.1)
    }
    for degrees in stride(from: -400.0, through: 400, by: 0.37) {
      let (sine, cosine) = Degrees.sinCos(degrees)
      #expect((sine - sin(degrees * .pi / 180)).magnitude < 2e-15)
      #expect((cosine - cos(degrees * .pi / 180)).magnitude < 2e-15)
    }
    // Half way between two quarters either is right, and both must agree.
    #expect(Degrees.sinCos(-45).sin == -Degrees.sinCos(45).sin)
    #expect(Degrees.sinCos(135).cos == -Degrees.sinCos(45).cos)
  }

  @Test("What is not finite has no sine", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(degrees: Double) {
    let (sine, cosine) = Degrees.sinCos(degrees)
    #expect(sine.isNaN && cosine.isNaN)
    #expect(Degrees.sinCos(.greatestFiniteMagnitude).sin.magnitude <= 1)
  }

  @Test("The turn between longitudes is the short one, and loses nothing across the date line")
  func turn() {
    #expect(Degrees.turn(from: 10, to: 20) == 10 && Degrees.turn(from: 20, to: 10) == -10)
    #expect(Degrees.turn(from: 179, to: -179) == 2 && Degrees.turn(from: -179, to: 179) == -2)
    #expect(Degrees.turn(from: 0, to: 190) == -170)
    #expect(Degrees.turn(from: 180.0.nextDown, to: -180) == 180 - 180.0.nextDown)
  }

  @Test(
    "Azimuths are clockwise from north",
    arguments: [
      (0, 1, 0), (1, 1, 45), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (-1, 1, 315), (0, 0, 0),
      (-1e-300, 1, 0),
    ] as [(Double, Double, Double)])
  func azimuth(east: Double, north: Double, degrees: Double) {
    #expect(Degrees.azimuth(east: east, north: north) == degrees)
  }
}
