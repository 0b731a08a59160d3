import CupolaTestSupport
import CupolaTraining
import Testing

@Suite("Confusion matrix")
struct ConfusionMatrixTests {
  private static func matrix(_ labels: [String], _ counts: [[Int]]) -> ConfusionMatrix {
    var matrix = ConfusionMatrix(labels: labels)
    for (truth, row) in counts.enumerated() {
      for (answer, count) in row.enumerated() {
        for _ in 0..<count { matrix.add(truth: truth, answer: answer) }
      }
    }
    return matrix
  }

  private static func expect(_ found: [Double?], _ wanted: [Double]) {
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) { #expect(abs((found ?? .nan) - wanted) < 1e-12) }
  }

  @Test("counts truths by rows and answers by columns")
  func counts() {
    let matrix = Self.matrix(["a", "b", "c"], [[5, 1, 0], [2, 3, 0], [0, 0, 4]])
    #expect(matrix.counts == [[5, 1, 0], [2, 3, 0], [0, 0, 4]])
    #expect(matrix.total == 15)
    #expect(matrix.correct == 12)
  }

  @Test("precision, recall and F1 of each label, and their mean")
  func figures() throws {
    let matrix = Self.matrix(["a", "b", "c"], [[5, 1, 0], [2, 3, 0], [0, 0, 4]])
    #expect(matrix.perLabel.map(\.label) == ["a", "b", "c"])
    #expect(matrix.perLabel.map(\.support) == [6, 5, 4])
    Self.expect(matrix.perLabel.map(\.precision), [5.0 / 7, 3.0 / 4, 1])
    Self.expect(matrix.perLabel.map(\.recall), [5.0 / 6, 3.0 / 5, 1])
    Self.expect(matrix.perLabel.map(\.f1), [10.0 / 13, 6.0 / 9, 1])
    let mean: Double = (10.0 / 13 + 6.0 / 9 + 1) / 3
    Self.expect([matrix.macroF1], [mean])
  }

  @Test("a figure with nothing to divide by is absent, not zero and not NaN")
  func absent() {
    // Nothing was named b; no photo is of c; d has neither.
    let matrix = Self.matrix(
      ["a", "b", "c", "d"], [[1, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    let figures = matrix.perLabel
    #expect(figures[1].precision == nil)
    #expect(figures[1].recall == 0)
    #expect(figures[1].f1 == 0)
    #expect(figures[2].precision == 0)
    #expect(figures[2].recall == nil)
    #expect(figures[2].f1 == 0)
    #expect(figures[3].f1 == nil)
    // a has 2 * 1 / (1 + 2); b and c have 0; d does not count.
    Self.expect([matrix.macroF1], [2.0 / 9])
    #expect(ConfusionMatrix(labels: ["a"]).macroF1 == nil)
  }

  @Test("lists confused pairs, most often first, then in the order of the labels")
  func pairs() {
    let matrix = Self.matrix(["a", "b", "c"], [[9, 1, 2], [3, 9, 1], [0, 1, 9]])
    let pairs = matrix.confusedPairs
    #expect(pairs.map(\.truth) == [1, 0, 0, 1, 2])
    #expect(pairs.map(\.answer) == [0, 2, 1, 2, 1])
    #expect(pairs.map(\.count) == [3, 2, 1, 1, 1])
  }
}
