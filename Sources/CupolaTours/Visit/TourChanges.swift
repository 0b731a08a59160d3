/// What a visit could not take along because the tour has changed since it was written down.
public struct TourChanges: Equatable, Sendable {
  /// Stops that the tour has not had before.
  public let added: [String]
  /// Stops that it has no more; what was answered there is gone.
  public let removed: [String]
  /// Questions that it has no more, as `stop/question`.
  public let removedQuestions: [String]

  /// One line for people.
  public var message: String {
    let parts = [("new", added), ("gone", removed), ("questions gone", removedQuestions)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    return "the tour has changed since the visit began"
      + (parts.isEmpty ? "; all that was done still counts" : "; " + parts.joined(separator: "; "))
  }
}
