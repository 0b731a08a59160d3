public final class DispatchQueue: @unchecked Sendable {
  public init(label: String) {}
  public static func global() -> DispatchQueue { fatalError() }
  public func async(execute work: @escaping @Sendable () -> Void) {}
}

public protocol DispatchSourceSignal: Sendable {
  func setEventHandler(handler: (() -> Void)?)
  func resume()
}

public enum DispatchSource {
  public static func makeSignalSource(
    signal: Int32, queue: DispatchQueue?
  ) -> any DispatchSourceSignal { fatalError() }
}
