internal import Cupola
internal import CupolaCampus

/// The feature vectors of one photo: in memory, or where a file has them.
enum FeatureBlock: Sendable {
  /// Views x features, of type `F16` or `F32`.
  case memory(SafeTensors.Tensor)
  /// Views x features, of type `F16`.
  case file(FeatureFile)

  /// Views, and features of each.
  var shape: [Int] {
    switch self {
    case .memory(let tensor): tensor.shape
    case .file(let file): file.shape
    }
  }

  /// The same in memory.
  var loaded: SafeTensors.Tensor {
    switch self {
    case .memory(let tensor): tensor
    case .file(let file): file.tensor(file.shape, from: 0)
    }
  }

  /// Whether halves can be of feature vectors, whose length is 1 at most: none is 2 or more, or no number.
  ///
  /// - Parameter count: how many bytes of halves stand before these.
  static func areFeatures(_ bytes: ArraySlice<UInt8>, after count: Int = 0) -> Bool {
    // The high byte, the second of each, has sign and exponent.
    let first = bytes.startIndex + (count.isMultiple(of: 2) ? 1 : 0)
    return stride(from: first, to: bytes.endIndex, by: 2).allSatisfy { bytes[$0] & 0x7F < 0x40 }
  }

  /// Adds some elements to others.
  func append(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    switch self {
    case .memory(let tensor): tensor.append(elements, to: &output)
    case .file(let file):
      file.tensor([elements.count], from: elements.lowerBound)
        .append(0..<elements.count, to: &output)
    }
  }
}

/// Halves in a file, which is read whenever they are asked for.
struct FeatureFile: Sendable {
  let path: String
  /// Where they begin, in bytes.
  let offset: Int
  let shape: [Int]
  /// Told when they could not be read; zeros stand for them then.
  let failures: ReadingFailures

  fileprivate func tensor(_ shape: [Int], from element: Int) -> SafeTensors.Tensor {
    let start = offset + 2 * element
    let count = 2 * shape.reduce(1, *)
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(FileError) {
      bytes = try FileAccess.read(path, bytes: start..<start + count)
    } catch {
      failures.note(error)
    }
    return SafeTensors.Tensor(type: "F16", shape: shape, bytes: bytes)
  }
}

/// Remembers the first failure of readings whose callers go on with zeros.
final class ReadingFailures: Sendable {
  private let first = Locked<FileError?>(nil)

  func note(_ error: FileError) {
    first.withLock { if $0 == nil { $0 = error } }
  }

  /// The first one, if there was any.
  var noted: FileError? { first.withLock { $0 } }

  /// Ends what should not go on with zeros.
  func check() throws(TrainingError) {
    if let noted { throw .file(noted) }
  }
}
