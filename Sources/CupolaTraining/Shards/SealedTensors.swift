internal import Cupola
internal import CupolaCampus

/// A safetensors file that tells when a byte of it is lost: its last tensor, `sha256` (32, `U8`), is the SHA-256 of
/// all bytes before it but the first 8.
struct SealedTensors {
  let index: SafeTensorsIndex
  private let path: String

  static let seal = "sha256"
  private static let blockBytes = 4 << 20

  /// Reads the header, and all bytes once.
  ///
  /// - Parameter check: asked first whether the header is that of what is looked for.
  /// - Throws: `CupolaError/badModel(_:)`, a `FileError`, and what `check` throws.
  init(path: String, check: (SafeTensorsIndex) throws -> Void) throws {
    self.path = path
    index = try SafeTensorsIndex(path: path)
    try check(index)
    let seal = try tensor(Self.seal)
    var hash = SHA256()
    let end = seal.place.bytes.lowerBound
    for start in stride(from: 8, to: end, by: Self.blockBytes) {
      hash.update(try FileAccess.read(path, bytes: start..<min(start + Self.blockBytes, end)))
    }
    guard seal.bytes == hash.digest() else { throw CupolaError.badModel(.wrongDigest) }
  }

  /// - Throws: `CupolaError/badModel(_:)` when there is none of that name.
  func place(_ name: String) throws -> SafeTensorsIndex.Place {
    guard let place = index.places[name] else {
      throw CupolaError.badModel(.missing("tensor \(name)"))
    }
    return place
  }

  func tensor(_ name: String) throws -> (place: SafeTensorsIndex.Place, bytes: [UInt8]) {
    let place = try place(name)
    return (place, try FileAccess.read(path, bytes: place.bytes))
  }

  /// The files of a folder that can be such, in order.
  static func paths(in folder: String) throws(TrainingError) -> [String] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return try TrainingError.files { () throws(FileError) in
      try Directory.entries(of: folder)
    }
    .filter { !$0.isDirectory && $0.name.hasSuffix(".safetensors") }.map { base + $0.name }.sorted()
  }

  /// Runs what reads a shard, and says in one sentence what is wrong with it.
  static func reading<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(TrainingError) -> Value {
    do {
      return try body()
    } catch let error as TrainingError {
      throw error
    } catch CupolaError.file(let error) {
      throw .file(error)
    } catch let error as FileError {
      throw .file(error)
    } catch CupolaError.badModel(let fault) {
      throw .badShard(path: path, problem: "not a usable shard: \(fault.message)")
    } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
  }

  /// Writes a file, replacing one only when the new one is whole.
  ///
  /// - Parameters:
  ///   - tensors: all but the seal, in order.
  ///   - bytes: theirs, in the same order and in any pieces.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badShard(path:problem:)``.
  static func write(
    _ tensors: [(name: String, type: String, shape: [Int])], metadata: [String: String],
    bytes: some Sequence<[UInt8]>, to path: String
  ) throws(TrainingError) {
    let head: [UInt8]
    do {
      head = try SafeTensors.head(tensors + [(Self.seal, "U8", [32])], metadata: metadata)
    } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(to: path) { write throws(FileError) in
        var hash = SHA256()
        hash.update(Array(head.dropFirst(8)))
        try write(head)
        for piece in bytes {
          hash.update(piece)
          try write(piece)
        }
        try write(hash.digest())
      }
    }
  }
}
