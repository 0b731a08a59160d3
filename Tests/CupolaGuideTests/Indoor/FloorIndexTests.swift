import CupolaCampus
import Testing

@testable import CupolaGuide

@Suite("Floor index") struct FloorIndexTests {
  @Test("Items are found on their floor only, in their order")
  func floors() {
    func box(_ west: Double, _ east: Double) -> BoxTree.Box { BoxTree.Box([west, 0], [east, 1]) }
    let index = FloorIndex([
      (level: 1, box: box(5, 9)), (level: 0, box: box(0, 9)), (level: 1, box: box(0, 6)),
      (level: 0.5, box: box(0, 9)), (level: 1, box: box(20, 21)),
    ])
    #expect(index.items(on: 1, meeting: box(6, 7)) == [0, 2])
    #expect(index.items(on: 1, meeting: box(7, 20)) == [0, 4])
    #expect(index.items(on: -0.0, meeting: box(3, 3)) == [1])
    #expect(index.items(on: 2, meeting: box(0, 30)) == [])
    #expect(FloorIndex([]).items(on: 0, meeting: box(0, 30)) == [])
  }
}
