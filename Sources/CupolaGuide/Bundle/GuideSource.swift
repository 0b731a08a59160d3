/// Where an update comes from: the app's closure, whose errors become those of this module.
struct GuideSource: Sendable {
  let fetch: GuideUpdate.Fetch

  /// - Throws: ``GuideError/fetchFailed(part:problem:)``, ``GuideError/canceled``, and each ``GuideError`` that
  ///   the closure throws.
  func answer(to request: GuideRequest) async throws(GuideError) -> GuideResponse {
    guard !Task.isCancelled else { throw .canceled }
    do {
      return try await fetch(request)
    } catch let error as GuideError {
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError { throw .canceled }
      throw .fetchFailed(part: request.name, problem: "\(error)")
    }
  }
}
