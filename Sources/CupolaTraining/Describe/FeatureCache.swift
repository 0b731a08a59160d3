public import Cupola
internal import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Name each file with a digest of everything that determines its contents.
// 2. Check the digest of the tensors when reading; treat damaged files as missing.
// 3. Remove the least recently used files when trimming, and measure the rest.
// 4. Cache finished fits (`FitCache`).

/// A folder that caches feature vectors and fits between training runs.
///
/// File names are digests of all inputs, so files never become stale. Damaged files are ignored and replaced.
/// Concurrent training runs may share a folder. Models are byte-identical with and without the cache.
public struct FeatureCache: Sendable {
  package let folder: String
  /// The maximum size in bytes; `trim()` removes the least recently used files.
  public var limit = 2_000_000_000

  /// The version of the file layout and keys; changing it makes older files unused.
  static let version = "3"
  private static let format = "cupola.features"
  private static let maximumBytes = 256 << 20
  static let mostTensors = 256

  private enum Name {
    static let format = "format"
    static let key = "key"
    static let digest = "tensors_sha256"
  }

  /// Creates a cache in a folder, which does not have to exist.
  public init(folder: String) { self.folder = folder.isEmpty ? "." : folder }

  private let lost = Locked<FileError?>(nil)
  package var failure: FileError? { lost.withLock { $0 } }

  /// Creates the folder if needed; if the folder is not writable, nothing is cached.
  ///
  /// - Throws: `FileError.cannotWrite(path:code:)`.
  public func prepare() throws(FileError) {
    try Directory.createAll(folder)
    try FileAccess.checkFolder(of: folder + "/")
  }

  func read(_ key: Key) -> SafeTensors? {
    let path = path(of: key)
    guard let bytes = try? FileAccess.read(path, limit: Self.maximumBytes),
      let file = try? SafeTensors(bytes: bytes, mostTensors: Self.mostTensors),
      file.metadata[Name.format] == Self.format, file.metadata[Name.key] == key.name,
      file.metadata[Name.digest] == ModelFile.digest(of: file.tensors)
    else { return nil }
    Self.markAsUsed(path)
    return file
  }

  func place(of name: String, _ key: Key) -> SafeTensorsIndex.Place? {
    (try? SafeTensorsIndex(path: path(of: key)))?.places[name]
  }

  @discardableResult
  func write(_ tensors: [String: SafeTensors.Tensor], _ key: Key) -> Bool {
    guard tensors.count <= Self.mostTensors else { return false }
    var file = SafeTensors()
    file.tensors = tensors
    file.metadata = [
      Name.format: Self.format, Name.key: key.name, Name.digest: ModelFile.digest(of: tensors),
    ]
    guard let bytes = try? file.bytes(), bytes.count <= Self.maximumBytes else { return false }
    do throws(FileError) {
      try FileAccess.write(bytes, to: path(of: key), synced: false)
      return true
    } catch {
      lost.withLock { $0 = $0 ?? error }
      return false
    }
  }

  func path(of key: Key) -> String { folder + "/" + key.name + Self.suffix }
}

extension FeatureCache {
  /// The file name: the SHA-256, in hexadecimal, of everything that determines the contents.
  struct Key: Equatable, Sendable {
    let name: String

    init(_ parts: [String]) {
      var hash = SHA256()
      // Include lengths, so that different lists produce different texts.
      for part in [version] + parts { hash.update(Array("\(part.utf8.count):\(part)".utf8)) }
      name = hash.hexadecimal()
    }
  }

  /// A fingerprint of the decoder, numeric kernel and algorithm: the digest of a synthetic image's features.
  static func probe(
    _ recipe: Recipe, _ decoder: PhotoDecoder,
    _ describe: (RGBImage) throws -> [Float]
  ) -> String {
    var generator = SplitMix64(seed: 0)
    let (width, height) = (400, 300)
    let pixels = (0..<width * height * 3).map { index in
      let (x, y) = (index / 3 % width, index / 3 / width)
      let stripe = (x + y * (index % 3)) / 16 % 2 * 120
      return UInt8(stripe + generator.below(100))
    }
    do {
      let photo = try JPEGEncoder.encode(RGBImage(width: width, height: height, pixels: pixels))
      let image = try recipe.decode(decoder.open(photo))
      let values = try describe(recipe.prepare(image, geometry: recipe.geometry))
      let tensor = SafeTensors.Tensor(floats: values, shape: [values.count])
      return SHA256.hexadecimal(of: tensor.bytes)
    } catch {
      return "\(error)"
    }
  }
}

extension FeatureCache {
  static let suffix = ".safetensors"

  private struct Entry {
    let path: String
    let bytes: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// Removes the least recently used files until the cache fits its limit; keeps files that are not from a cache.
  package func trim() { trim(sparing: 0) }

  /// The number of cached files and their total size in bytes.
  package var usage: (files: Int, bytes: Double) {
    let entries = entries
    return (entries.count, entries.reduce(0) { $0 + Double($1.bytes) })
  }

  private var entries: [Entry] {
    ((try? Directory.entries(of: folder)) ?? [])
      .filter { Self.isOwn($0.name) && !$0.isDirectory }
      .compactMap { Self.entry(folder + "/" + $0.name) }
  }

  /// Trims the cache, but keeps the newest files, which the current training still needs.
  func trim(sparing newest: Int) {
    let entries = entries
    // Use floating point, because sparse files may claim more bytes than `Int` can represent.
    var excess = entries.reduce(-Double(limit)) { $0 + Double($1.bytes) }
    let oldestFirst = entries.sorted {
      ($0.seconds, $0.nanoseconds, $0.path) < ($1.seconds, $1.nanoseconds, $1.path)
    }
    for entry in oldestFirst.dropLast(newest) where excess > 0 {
      unsafe unlink(entry.path)
      excess -= Double(entry.bytes)
    }
  }

  static func markAsUsed(_ path: String) { _ = unsafe utimensat(AT_FDCWD, path, nil, 0) }

  private static func isOwn(_ name: String) -> Bool {
    let digits = name.prefix(64)
    let rest = name.dropFirst(digits.count)
    return digits.isSHA256 && (rest == suffix || FileAccess.isPart(rest, of: suffix))
  }

  private static func entry(_ path: String) -> Entry? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Entry(
      path: path, bytes: Int(status.st_size), seconds: Int(time.tv_sec),
      nanoseconds: Int(time.tv_nsec))
  }
}

/// Caches finished fits, to resume training or to repeat it with another map or weight format.
struct FitCache: Sendable {
  let cache: FeatureCache
  private let identity: String
  private let failures: ReadingFailures

  private enum Name {
    static func weights(_ number: Int) -> String { "weights.\(number)" }
    static func biases(_ number: Int) -> String { "biases.\(number)" }
    static func steps(_ number: Int) -> String { "steps.\(number)" }
  }

  init(_ cache: FeatureCache, identity: [String], failures: ReadingFailures) {
    (self.cache, self.failures) = (cache, failures)
    self.identity = FeatureCache.Key(["fit", cupolaVersion, BLAS.kernel] + identity).name
  }

  func adding(_ part: String) -> FitCache {
    FitCache(cache, identity: [identity, part], failures: failures)
  }

  func fits(
    _ name: [String], count: Int, shape: [Int], make: () -> [SoftmaxRegression.Fit]
  ) -> [SoftmaxRegression.Fit] {
    let key = FeatureCache.Key([identity] + name)
    if let tensors = cache.read(key)?.tensors {
      let fits = (0..<count).compactMap { Self.fit($0, tensors, shape: shape) }
      if fits.count == count { return fits }
    }
    let fits = make()
    // Skip incomplete results: the key does not include cancellation or read errors.
    if !Task.isCancelled, failures.noted == nil { cache.write(Self.tensors(fits), key) }
    return fits
  }

  private static func tensors(_ fits: [SoftmaxRegression.Fit]) -> [String: SafeTensors.Tensor] {
    var tensors: [String: SafeTensors.Tensor] = [:]
    for (number, fit) in fits.enumerated() {
      let weights = fit.classifier.weights
      tensors[Name.weights(number)] = SafeTensors.Tensor(
        floats: weights.values, shape: [weights.rows, weights.columns])
      tensors[Name.biases(number)] = SafeTensors.Tensor(
        floats: fit.classifier.biases, shape: [weights.rows])
      tensors[Name.steps(number)] = SafeTensors.Tensor(
        floats: [Float(fit.iterations), fit.converged ? 1 : 0], shape: [2])
    }
    return tensors
  }

  private static func fit(
    _ number: Int, _ tensors: [String: SafeTensors.Tensor], shape: [Int]
  ) -> SoftmaxRegression.Fit? {
    func floats(_ name: String, _ shape: [Int]) -> [Float]? {
      guard let tensor = tensors[name], tensor.shape == shape, let floats = tensor.floats,
        floats.allSatisfy({ $0.magnitude <= mostWeight })
      else { return nil }
      return floats
    }
    guard let weights = floats(Name.weights(number), shape),
      let biases = floats(Name.biases(number), [shape[0]]),
      let steps = floats(Name.steps(number), [2])
    else { return nil }
    return SoftmaxRegression.Fit(
      classifier: LinearClassifier(
        weights: Matrix(rows: shape[0], columns: shape[1], values: weights), biases: biases),
      iterations: Int(saturating: Double(steps[0])), converged: steps[1] == 1)
  }

  private static let mostWeight: Float = 1_000_000
}
