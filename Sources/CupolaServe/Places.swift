#if Serve
  internal import Cupola

  /// How many there are of what may not become too many.
  final class Places: Sendable {
    private let taken = Locked(0)
    private let most: Int

    init(_ most: Int) { self.most = most }

    var areLeft: Bool { taken.withLock { $0 < most } }

    /// Whether there was one left.
    func take() -> Bool {
      taken.withLock { taken in
        guard taken < most else { return false }
        taken += 1
        return true
      }
    }

    func leave() { taken.withLock { $0 -= 1 } }
  }
#endif
