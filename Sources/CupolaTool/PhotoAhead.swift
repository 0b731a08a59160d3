import Cupola

/// A photo that is opened and decoded beside what comes before its answer.
struct PhotoAhead: Sendable {
  private let path: String
  private let opened: Task<Result<Photo, CupolaError>, Never>
  /// `nil` where it cannot be decoded: its turn will tell why.
  private let decoded: Task<Photo?, Never>
  private let isDecoded = Locked(false)

  /// Begins to decode; `nil` where the argument is no single photo.
  ///
  /// - Parameter side: of the square of the model that is to answer.
  init?(
    _ argument: String, by decoder: PhotoDecoder,
    forSide side: @escaping @Sendable () async -> Int?
  ) {
    guard argument != "-", !Directory.isDirectory(argument) else { return nil }
    path = argument
    let opened = Task.detached {
      Result { () throws(CupolaError) in try decoder.open(path: argument) }
    }
    self.opened = opened
    decoded = Task.detached { [isDecoded] in
      defer { isDecoded.withLock { $0 = true } }
      guard case .success(let photo) = await opened.value, let side = await side() else {
        return nil
      }
      return try? photo.decoded(forSide: side)
    }
  }

  /// The photo in the place of what it was given as.
  ///
  /// While it is decoded the recognizer works on a made-up picture: the photo then takes as long as one that is not
  /// the first.
  ///
  /// - Parameter position: where a photo was taken; one that is off the campus is not decoded for its answer.
  func input(_ recognizer: Recognizer, position: (Photo) -> Position?) async -> PhotoInput {
    let result = await opened.value
    guard case .success(let photo) = result,
      !(position(photo).map(recognizer.isOutside) ?? false)
    else { return PhotoInput(path, .opened(result)) }
    if !isDecoded.withLock({ $0 }) { recognizer.warmUp() }
    return PhotoInput(path, .opened(.success(await decoded.value ?? photo)))
  }
}
