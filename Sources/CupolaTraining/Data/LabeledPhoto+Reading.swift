internal import Cupola

extension [LabeledPhoto] {
  /// Reads every photo by a function of the caller's, at most `threads` at a time.
  ///
  /// - Parameter progress: told how many have been read.
  /// - Returns: what came of those that can be used, and the others with the reason, both in the order
  ///   of the photos.
  func reading<Value: Sendable>(
    threads: Int, progress: (@Sendable (Int) -> Void)? = nil,
    _ read: @escaping @Sendable (LabeledPhoto) throws(CupolaError) -> Value
  ) async -> (values: [Value], skipped: [SkippedFile]) {
    let results = await parallelMap(self, threads: threads, progress: progress) { photo in
      Result { () throws(CupolaError) in try read(photo) }
    }
    var values: [Value] = []
    var skipped: [SkippedFile] = []
    for (photo, result) in zip(self, results) {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        skipped.append(SkippedFile(name: photo.name, reason: .unusable(error)))
      }
    }
    return (values, skipped)
  }
}
