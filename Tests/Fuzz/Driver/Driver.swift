import Foundation

/// The entry point that libFuzzer calls with each input. The environment selects the target because libFuzzer
/// restarts itself with its own arguments.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let target else {
    FileHandle.standardError.write(Data("CUPOLA_FUZZ_TARGET is not the name of a target\n".utf8))
    exit(2)
  }
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    try target.run(bytes)
  } catch {
    FileHandle.standardError.write(Data("\(target.name): \(error)\n".utf8))
    abort()
  }
  return 0
}

private let target = FuzzTarget.all.first {
  $0.name == ProcessInfo.processInfo.environment["CUPOLA_FUZZ_TARGET"]
}
