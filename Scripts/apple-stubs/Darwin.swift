// What Swift's own part of Darwin adds to the C library, as far as Cupola uses it.

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
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  fatalError()
}

public var TIOCGWINSZ: UInt { 0x4008_7468 }
public func ioctl(_ file: Int32, _ request: UInt, _ into: UnsafeMutableRawPointer) -> Int32 {
  fatalError()
}
