import Cupola
import Foundation
import Testing

@testable import CupolaTraining

@Suite("TFLiteModel")
struct TFLiteModelTests {
  static func model(
    labels: [String] = ["not_a_campus_building", "hall", "tower"], weights: WeightFormat = .float32
  ) -> TFLiteModel {
    TFLiteModel(
      graph: SmallGraph.graph(labels: labels, weights: weights),
      card: TFLiteModel.Card(
        name: "Campus", description: "Names buildings.", version: "1", author: "Nobody",
        licence: "Apache-2.0"),
      properties: ["thresholds": .object(["least_odds": .number(0.5)])],
      campus: Array(#"{"type":"FeatureCollection","features":[]}"#.utf8))
  }

  @Test("dump", arguments: WeightFormat.allCases) func dump(format: WeightFormat) throws {
    let bytes = try Self.model(weights: format).bytes()
    try Data(bytes).write(to: URL(fileURLWithPath: "/tmp/tflite-dump-\(format.rawValue).tflite"))
  }
}
