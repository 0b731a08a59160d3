// What Cupola uses of CoreFoundation. Its types are bridged to Swift's by `as` on Apple platforms; here they
// are the same types, so that `as` type-checks without Objective-C.

public struct Data: RandomAccessCollection, RangeReplaceableCollection, Sendable {
  public typealias Index = Int
  public typealias SubSequence = Data
  public init() {}
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(position: Int) -> UInt8 { fatalError() }
  public subscript(bounds: Range<Int>) -> Data { fatalError() }
  public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes)
  where Bytes.Element == UInt8 {}
}

public final class NSMutableData {
  public init() {}
}

extension Data {
  public init(referencing data: NSMutableData) {}
}

public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFDictionary = [AnyHashable: Any]
public typealias CFString = String
public typealias OSStatus = Int32
