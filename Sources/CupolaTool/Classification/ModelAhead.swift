import Cupola

/// A model that is read once, begun by whoever first has time for it.
struct ModelAhead: Sendable {
  private let path: String
  private let reading = Locked<Task<Result<Model, CupolaError>, Never>?>(nil)

  init(_ path: String) { self.path = path }

  /// Begins to read it unless somebody has.
  @discardableResult func begin() -> Task<Result<Model, CupolaError>, Never> {
    reading.withLock { [path] reading in
      if let begun = reading { return begun }
      let task = Task.detached(priority: Task.currentPriority) {
        Result { () throws(CupolaError) in try Model(contentsOf: path) }
      }
      reading = task
      return task
    }
  }

  /// - Throws: ``CupolaError``, as the reading itself does.
  var model: Model {
    get async throws(CupolaError) { try await begin().value.get() }
  }
}
