import Testing

@testable import Cupola

@Suite("FieldOfView") struct FieldOfViewTests {
  @Test("A phone sees 65 degrees held level, and less upright or zoomed")
  func phones() {
    #expect((FieldOfView.usual.degrees - 65.3).magnitude < 0.1)
    let upright = FieldOfView(focalLength: 26, width: 3, height: 4)
    let level = FieldOfView(focalLength: 26, width: 4, height: 3)
    let zoomed = FieldOfView(focalLength: 68, width: 3, height: 4)
    #expect((upright.degrees - 53.1).magnitude < 0.1 && level.degrees > upright.degrees)
    #expect(zoomed.degrees < 25)
  }

  @Test("What cannot be a focal length is none", arguments: [-1, 0, 5, 1e6, .infinity, .nan])
  func nonsense(length: Double) {
    #expect(FieldOfView(focalLength: length, width: 4, height: 3) == .usual)
  }
}
