import Cupola
import Testing

@testable import CupolaTool

@Suite("Which classifier cupola train asks for")
struct TrainClassifierTests {
  @Test("what only the softmax has is not passed over where the number of buildings would choose")
  func softmax() {
    func asked(
      _ named: ClassifierKind? = nil, regularization: Double? = nil, weights: WeightFormat? = nil
    ) -> ClassifierKind? {
      Train.askedClassifier(named, regularization: regularization, weights: weights)
    }
    #expect(asked() == nil)
    #expect(asked(weights: .float16) == nil)
    #expect(asked(weights: .int8) == .softmax)
    #expect(asked(weights: .float32) == .softmax)
    #expect(asked(regularization: 10) == .softmax)
    #expect(asked(.retrieval, weights: .float16) == .retrieval)
  }
}
