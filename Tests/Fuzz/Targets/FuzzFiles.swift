import CupolaSupport

@testable import CupolaGuide
@testable import CupolaGuideBuilder

/// Several files in one input. Each file begins with a line such as `=== stops.txt`.
struct FuzzFiles {
  let contents: [String: [UInt8]]

  private static let mark = Array("=== ".utf8)

  /// - Parameter names: Names of files to keep; others are ignored so that no path leads elsewhere.
  init(_ bytes: [UInt8], names: Set<String>) {
    var contents: [String: [UInt8]] = [:]
    var name: String?
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.starts(with: Self.mark) {
        name = String(validating: line.dropFirst(Self.mark.count), as: UTF8.self)
        if let name, names.contains(name) { contents[name] = [] }
      } else if let name, names.contains(name) {
        contents[name]? += line + [UInt8(ascii: "\n")]
      }
    }
    self.contents = contents
  }

  /// A valid zip archive of the files. Damaged archives are tested by another target.
  var zip: [UInt8] {
    var (data, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      let title = Array(name.utf8)
      let common =
        [20, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Self.little(Int(Inflate.crc32(0, bytes[...])), 4)
        + Self.little(bytes.count, 4) + Self.little(bytes.count, 4) + Self.little(title.count, 2)
        + [0, 0]
      directory += [0x50, 0x4B, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 10)
      directory += Self.little(data.count, 4) + title
      data += [0x50, 0x4B, 3, 4] + common + title + bytes
    }
    let count = Self.little(contents.count, 2)
    return data + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
      + Self.little(directory.count, 4) + Self.little(data.count, 4) + [0, 0]
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
