import Cupola

/// A photo that is opened and decoded beside what comes before its answer.
struct PhotoAhead: Sendable {
  private let path: String
  private let opened: Task<Result<Photo, CupolaError>, Never>
  /// `nil` where it cannot be decoded: its turn will tell why.
  private let decoded: Task<Photo?, Never>

  /// Begins to decode; `nil` where the argument is no single photo.
  ///
  /// - Parameters:
  ///   - modelPath: of the model that is to answer.
  ///   - next: what is done when it is decoded.
  init?(
    _ argument: String, by decoder: PhotoDecoder, forModelAt modelPath: String,
    then next: @escaping @Sendable () -> Void
  ) {
    guard argument != "-", !Directory.isDirectory(argument) else { return nil }
    path = argument
    let opened = Task.detached(priority: Task.currentPriority) {
      Result { () throws(CupolaError) in try decoder.open(path: argument) }
    }
    self.opened = opened
    decoded = Task.detached(priority: Task.currentPriority) {
      defer { next() }
      guard let side = ModelGlance.inputSide(inFileAt: modelPath),
        case .success(let photo) = await opened.value
      else { return nil }
      return try? photo.decoded(forSide: side)
    }
  }

  /// The photo in the place of what it was given as.
  ///
  /// - Parameter position: where a photo was taken; one that is off the campus is not decoded for its answer.
  func input(_ recognizer: Recognizer, position: (Photo) -> Position?) async -> PhotoInput {
    let result = await opened.value
    guard case .success(let photo) = result,
      !(position(photo).map(recognizer.isOutside) ?? false)
    else { return PhotoInput(path, .opened(result)) }
    return PhotoInput(path, .opened(.success(await decoded.value ?? photo)))
  }
}
