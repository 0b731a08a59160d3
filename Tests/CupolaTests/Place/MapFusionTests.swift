import Foundation
import Testing

@testable import Cupola

@Suite("MapFusion") struct MapFusionTests {
  private static let labels = Labels(["_street", "hall", "tower"])

  private static func fusion(untrained: [Int] = [3, 4], heading: Bool = true, doubt: Double = 0)
    -> MapFusion
  {
    MapFusion(
      labels: labels, untrained: untrained, untrainedCount: 2, hasHeading: heading, doubt: doubt)
  }

  @Test("Without untrained buildings nearby the probabilities are those of the labels")
  func none() {
    let image = [0.1, 0.6, 0.3]
    let fused = Self.fusion(untrained: []).fused(image, [0, -1, 0, 0, 0])
    #expect(Array(fused.prefix(3)) == PlaceEvidence.fused(image, [0, -1, 0]))
    #expect(fused.dropFirst(3).allSatisfy { $0 == 0 })
    #expect(Self.fusion(untrained: []).knownShare == 1)
  }

  @Test("The backgrounds never lose, and all is 1 together")
  func backgrounds() {
    for doubt in [-8.0, -1, 0, 1] {
      for shift in [-4.0, -1, 0] {
        let fused = Self.fusion(doubt: doubt).fused([0.4, 0.35, 0.25], [0, shift, -2, 0, shift])
        #expect((fused.reduce(0, +) - 1).magnitude < 1e-12)
        #expect(fused[0] >= 0.4 - 1e-12)
      }
    }
  }

  @Test("A building without photos wins where the place speaks for it and the picture doubts")
  func doubt() {
    let shifts = [0, -3.5, -3.5, 0, -3.5]
    let doubting = Self.fusion(doubt: 1).fused([0.02, 0.55, 0.43], shifts)
    #expect(doubting[3] > 0.7)
    let sure = Self.fusion(doubt: -8).fused([0.001, 0.998, 0.001], shifts)
    #expect(sure[1] > sure[3])
    let turned = Self.fusion(heading: false, doubt: 1).fused([0.02, 0.55, 0.43], shifts)
    #expect(turned[3] < doubting[3])
  }

  @Test("One visit in three is to a building that did not train")
  func visits() {
    #expect((Self.fusion().knownShare - 2.0 / 3).magnitude < 1e-12)
  }
}
