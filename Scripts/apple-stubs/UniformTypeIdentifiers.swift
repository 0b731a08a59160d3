// What Cupola uses of UniformTypeIdentifiers.

@available(macOS 11, iOS 14, *)
public struct UTType: Sendable {
  public static var jpeg: UTType { fatalError() }
  public var identifier: String { fatalError() }
}
