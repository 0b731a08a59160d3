// What the command uses of Synchronization, whose interface on Linux is made of Linux.

@available(macOS 15, iOS 18, *)
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  public init(_ value: consuming sending Value) {}
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result { fatalError() }
}
