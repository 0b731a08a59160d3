import ArgumentParser
import Cupola

extension Train {
  /// Refuses options that say nothing to the model that is gone on from, which is known only once it is read.
  func checkOptions(beside base: Model?) throws {
    if add, base?.classifierKind != .retrieval {
      throw ValidationError(
        "a softmax classifier cannot be added to, only a retrieval one; leave out --add and give all "
          + "photos")
    }
    guard base?.classifierKind == .retrieval, classifier != .softmax else { return }
    if regularization != nil || seed != nil || weights.map({ $0 != .float16 }) ?? false {
      throw ValidationError(
        "a retrieval model is only added to and stores halves; leave out --regularization, --seed and --weights"
      )
    }
  }
}
