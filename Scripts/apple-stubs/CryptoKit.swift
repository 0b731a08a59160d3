// What Cupola uses of CryptoKit.

public protocol HashFunction {
  associatedtype Digest: Sequence<UInt8>
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  mutating func update<Bytes: Sequence<UInt8>>(data: Bytes)
  func finalize() -> Digest
}

@available(macOS 10.15, iOS 13, *)
public struct SHA256: HashFunction, Sendable {
  public struct Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
  }
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public mutating func update<Bytes: Sequence<UInt8>>(data: Bytes) {}
  public func finalize() -> Digest { fatalError() }
  public static func hash<Bytes: Sequence<UInt8>>(data: Bytes) -> Digest { fatalError() }
}
