/// The memory that pictures are worked on in, kept from one picture to the next: as many as there were threads at
/// work at once.
final class WorkspacePool<Workspace: Sendable>: Sendable {
  private let free = Locked<[Workspace]>([])

  init() {}

  /// What `body` makes in a workspace that nobody else uses meanwhile.
  ///
  /// - Parameters:
  ///   - fits: whether one that is left from before will do.
  ///   - make: makes a new one.
  func with<Result, Failure: Error>(
    fitting fits: (Workspace) -> Bool = { _ in true }, orMade make: () -> Workspace,
    _ body: (inout Workspace) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var workspace: Workspace
    if let kept = free.withLock({ $0.popLast() }), fits(kept) {
      workspace = kept
    } else {
      workspace = make()
    }
    defer { give(back: workspace) }
    return try body(&workspace)
  }

  private func give(back workspace: consuming Workspace) {
    let workspace = workspace
    free.withLock { $0.append(workspace) }
  }
}
