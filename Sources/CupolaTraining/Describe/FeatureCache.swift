public import Cupola
internal import CupolaCampus

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. A key is a digest of everything that the contents depend on.
// 2. Reading checks the digest of the tensors; damaged files count as absent.
// 3. Trimming removes the files that were not used for longest.
// 4. `FitMemory` keeps finished fits beside the features.

/// A folder of feature vectors, so that a second training need not compute them again.
///
/// Every file is named by a digest of all that its contents depend on, so nothing in the folder is
/// ever out of date. Damaged and foreign files count as absent and are replaced. Trainings may share
/// a folder. Models trained with and without a cache are the same, byte for byte.
public struct FeatureCache: Sendable {
  package let folder: String
  /// Bytes to keep: `trim()` removes what was not used for longest.
  public var limit = 2 << 30

  /// The layout of the files and the making of keys; another number leaves older files behind.
  static let version = "3"
  private static let format = "cupola.features"
  private static let maximumBytes = 256 << 20
  static let mostTensors = 256

  private enum Name {
    static let format = "format"
    static let key = "key"
    static let digest = "tensors_sha256"
  }

  /// A cache in a folder that need not be there yet.
  public init(folder: String) { self.folder = folder.isEmpty ? "." : folder }

  private let lost = Locked<FileError?>(nil)
  /// Why something could not be kept, the first time; `nil` where all was.
  package var failure: FileError? { lost.withLock { $0 } }

  /// Makes the folder unless it is there.
  ///
  /// Without it, or when it is closed, nothing is kept and every training computes anew.
  /// - Throws: `FileError.cannotWrite(path:code:)`.
  public func prepare() throws(FileError) {
    try Directory.createAll(folder)
    try FileAccess.checkFolder(of: folder + "/")
  }

  /// What was written under a key; `nil` when nothing was, or when it is not whole.
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

  /// Keeps tensors under a key; what cannot be written is not kept.
  ///
  /// - Returns: whether it was.
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
  /// The name of a file: SHA-256, in hexadecimal, over what its contents depend on.
  struct Key: Equatable, Sendable {
    let name: String

    init(_ parts: [String]) {
      var hash = SHA256()
      // With their lengths, so that no two lists run together into the same text.
      for part in [version] + parts { hash.update(Array("\(part.utf8.count):\(part)".utf8)) }
      name = hash.hexadecimal()
    }
  }

  /// What pictures and numbers look like here: other kernels, decoders or versions of the
  /// algorithms that change any bit of it change the keys.
  ///
  /// - Parameter describe: from a drawn picture, prepared by the recipe, to numbers.
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

  /// Removes the files that were not used for longest until the rest fits the limit.
  ///
  /// Files that were not written by a cache stay, whatever their size.
  package func trim() { trim(sparing: 0) }

  /// The same, but so many that were used last stay: what works with them would have to make them anew.
  func trim(sparing newest: Int) {
    let entries = ((try? Directory.entries(of: folder)) ?? [])
      .filter { Self.isOwn($0.name) && !$0.isDirectory }
      .compactMap { Self.entry(folder + "/" + $0.name) }
    // Files with holes may claim more bytes together than a whole number has room for.
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

  /// Whether a name is one that a cache gives, or gave while it wrote.
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

/// Keeps finished fits in the cache, so that a training that was interrupted, or is repeated with another map or
/// format of weights, goes on from them.
struct FitMemory: Sendable {
  let cache: FeatureCache
  /// A digest of all that fits depend on but what is asked of each: photos, features, kernels.
  private let identity: String
  /// Of features: what is fitted to the zeros in their place is not kept.
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

  func adding(_ part: String) -> FitMemory {
    FitMemory(cache, identity: [identity, part], failures: failures)
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
    // What a canceled task makes is not finished, and the key says nothing of features that could not be read.
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

  /// `nil` when there is none, or one that no training makes.
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

  /// No weight of a model that can be read is larger.
  private static let mostWeight: Float = 1_000_000
}
