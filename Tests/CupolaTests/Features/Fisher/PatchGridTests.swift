import Testing

@testable import Cupola

@Suite("Patch grid") struct PatchGridTests {
  @Test(
    "As many patches as fit, two pixels from the edges",
    arguments: [
      (256, 6, 40), (179, 6, 28), (128, 6, 19), (320, 4, 76), (16, 6, 0), (17, 6, 1), (17, 2, 1),
      (18, 2, 1), (19, 2, 2), (8, 2, 0), (4096, 64, 64),
    ])
  func count(side: Int, step: Int, expected: Int) {
    #expect(PatchGrid(side: side, step: step).count == expected)
  }

  @Test("Centers are the means of the cells' centers", arguments: [(256, 6), (179, 6), (33, 2)])
  func centers(side: Int, step: Int) {
    let grid = PatchGrid(side: side, step: step)
    let starts = Array(stride(from: 2, to: side - 14, by: step))
    #expect(grid.count == starts.count)
    for (index, start) in starts.enumerated() {
      let cells = (0..<4).map { Double(start + 4 * $0) }
      #expect(cells[3] + 2 < Double(side))
      let center = cells.reduce(0, +) / 4 / Double(side) - 0.5
      #expect(abs(Double(grid.center(index)) - center) < 1e-6)
    }
  }
}
