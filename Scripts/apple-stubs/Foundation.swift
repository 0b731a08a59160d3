// What Cupola and its dependencies use of Apple's Foundation.

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

// MARK: - What the dependencies use

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

// What Examples/CampusLens uses.

open class NSObject {
  public init() {}
}

public final class Bundle: @unchecked Sendable {
  public static var main: Bundle { fatalError() }
  public func url(forResource name: String?, withExtension type: String?) -> URL? { fatalError() }
}

extension Data {
  public init(contentsOf url: URL) throws { fatalError() }
}

public final class ProcessInfo: @unchecked Sendable {
  public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
  public static var processInfo: ProcessInfo { fatalError() }
  public var thermalState: ThermalState { fatalError() }
  public var isLowPowerModeEnabled: Bool { fatalError() }
  public var systemUptime: Double { fatalError() }
}
