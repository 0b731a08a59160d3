// The parts of Darwin, Foundation and the modules it re-exports that Cupola and its dependencies use. Each part is a
// separate module, compiled with -D MODULE.

#if Darwin
  // The parts of Swift's overlay for Darwin that Cupola uses.

  @_exported import CDarwin

  public func sin(_ x: Float) -> Float { fatalError() }
  public func cos(_ x: Float) -> Float { fatalError() }
  public func atan2(_ y: Float, _ x: Float) -> Float { fatalError() }
  public func exp(_ x: Float) -> Float { fatalError() }
  public func log(_ x: Float) -> Float { fatalError() }
  public func pow(_ x: Float, _ y: Float) -> Float { fatalError() }

  public var errno: Int32 { fatalError() }

  public var S_IFMT: mode_t { 0o170000 }
  public var S_IFCHR: mode_t { 0o020000 }
  public var S_IFDIR: mode_t { 0o040000 }
  public var S_IFREG: mode_t { 0o100000 }
  public var S_IFLNK: mode_t { 0o120000 }
  public var SIG_DFL: (@convention(c) (Int32) -> Void)? { nil }
  public var SIG_IGN: (@convention(c) (Int32) -> Void)? { nil }
  public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { fatalError() }
  public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
  public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
  public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
    fatalError()
  }

  public var TIOCGWINSZ: UInt { 0x4008_7468 }
  public func ioctl(_ file: Int32, _ request: UInt, _ into: UnsafeMutableRawPointer) -> Int32 {
    fatalError()
  }
#endif

#if Synchronization
  // The parts of Synchronization that the command uses; its interface for Linux depends on Linux.

  @available(macOS 15, iOS 18, *)
  public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    public init(_ value: consuming sending Value) {}
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result { fatalError() }
  }
#endif

#if os
  // The parts of os that swift-argument-parser uses.

  public struct os_unfair_lock {
    public init() {}
  }
  public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}
  public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}

  public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(initialState: State) where State: Sendable { fatalError() }
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
      fatalError()
    }
  }
#endif

#if CoreFoundation
  // The parts of CoreFoundation that Cupola uses. On Apple platforms, `as` bridges its types to Swift; here they are
  // the same types, so that `as` type-checks without Objective-C.

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
#endif

#if Dispatch
  public final class DispatchQueue: @unchecked Sendable {
    public init(label: String) {}
    public static func global() -> DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable () -> Void) {}
  }

  public protocol DispatchSourceSignal: Sendable {
    func setEventHandler(handler: (() -> Void)?)
    func resume()
  }

  public struct DispatchTime: Sendable {
    public static func now() -> DispatchTime { fatalError() }
  }

  public protocol DispatchSourceTimer: DispatchSourceSignal {
    func schedule(deadline: DispatchTime, repeating interval: Double)
  }

  public enum DispatchSource {
    public static func makeTimerSource(queue: DispatchQueue?) -> any DispatchSourceTimer {
      fatalError()
    }

    public static func makeSignalSource(
      signal: Int32, queue: DispatchQueue?
    ) -> any DispatchSourceSignal { fatalError() }
  }
#endif

#if Foundation
  @_exported import CoreFoundation
  @_exported import Darwin
  @_exported import Dispatch

  public struct URL: Hashable, Sendable {
    public init(fileURLWithPath path: String, isDirectory: Bool) {}
    public var isFileURL: Bool { fatalError() }
    public var absoluteString: String { fatalError() }
    @available(macOS 13, iOS 16, *)
    public func path(percentEncoded: Bool = true) -> String { fatalError() }
  }

  open class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
      public let rawValue: UInt
      public init(rawValue: UInt) { self.rawValue = rawValue }
      public static let prettyPrinted = OutputFormatting(rawValue: 1)
      @available(macOS 10.13, iOS 11, *)
      public static let sortedKeys = OutputFormatting(rawValue: 2)
      @available(macOS 10.15, iOS 13, *)
      public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    open var outputFormatting: OutputFormatting = []
    public init() {}
    open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
  }

  open class JSONDecoder {
    public init() {}
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
  }

  open class FileManager {
    public static var `default`: FileManager { fatalError() }
    public init() {}
    open func contents(atPath path: String) -> Data? { fatalError() }
    open func enumerator(atPath path: String) -> [Any]? { fatalError() }
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
      fatalError()
    }
    open func createDirectory(
      atPath path: String, withIntermediateDirectories: Bool,
      attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
  }

  public struct FileAttributeKey: Hashable {
    public static let type = FileAttributeKey()
  }

  extension Data {
    public func base64EncodedString() -> String { fatalError() }
  }

  // MARK: - Parts that the dependencies use

  public protocol LocalizedError: Error {
    var errorDescription: String? { get }
  }

  open class NSError: Error {}

  extension Error {
    public var localizedDescription: String { fatalError() }
  }

  open class NSNull {}

  public struct Date: Sendable {
    public init() {}
    public init(timeIntervalSince1970: Double) {}
    public var timeIntervalSince1970: Double { 0 }
    public var timeIntervalSinceNow: Double { 0 }
  }

  public struct TimeZone: Sendable {
    public init?(identifier: String) { return nil }
    public static var current: TimeZone { fatalError() }
    public var identifier: String { "" }
    public func secondsFromGMT(for date: Date = Date()) -> Int { 0 }
  }

  open class NSLock: @unchecked Sendable {
    public init() {}
    open func lock() {}
    open func unlock() {}
    open func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { fatalError() }
  }

  extension String {
    public struct Encoding: Sendable {
      public static let utf8 = Encoding()
    }
    public init?(data: Data, encoding: Encoding) { fatalError() }
  }

  extension StringProtocol {
    public var capitalized: String { fatalError() }
  }

  // The parts that Examples/CampusLens uses.

  open class NSObject {
    public init() {}
  }

  public final class Bundle: @unchecked Sendable {
    public static var main: Bundle { fatalError() }
    public var executablePath: String? { fatalError() }
    public func url(forResource name: String?, withExtension type: String?) -> URL? { fatalError() }
  }

  extension Data {
    public init(contentsOf url: URL) throws { fatalError() }
  }

  public struct UUID: Hashable, Sendable {
    public init() {}
  }

  extension URL {
    public init?(string: String) { return nil }
  }

  public struct FloatingPointFormatStyle<Value>: Sendable {
    public struct Percent: Sendable {
      public struct Precision: Sendable {
        public static func fractionLength(_ digits: Int) -> Precision { .init() }
      }
      public func precision(_ precision: Precision) -> Percent { self }
    }
  }

  extension FloatingPointFormatStyle<Double>.Percent {
    public static var percent: Self { fatalError() }
  }

  extension Double {
    public func formatted(_ style: FloatingPointFormatStyle<Double>.Percent) -> String {
      fatalError()
    }
  }

  public final class ProcessInfo: @unchecked Sendable {
    public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
    public static var processInfo: ProcessInfo { fatalError() }
    public var environment: [String: String] { fatalError() }
    public var thermalState: ThermalState { fatalError() }
    public var isLowPowerModeEnabled: Bool { fatalError() }
    public var systemUptime: Double { fatalError() }
  }
#endif

#if CryptoKit
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
#endif
