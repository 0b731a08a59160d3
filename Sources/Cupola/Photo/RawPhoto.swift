/// Raw photos, which contain sensor data instead of an image. Programs that do not develop them return a small preview.
package enum RawPhoto {
  private static let extensions: Set<String> = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "gpr", "iiq", "kdc", "mef",
    "mos", "mrw", "nef", "nrw", "orf", "pef", "raf", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]
  private static let signatures: [(format: String, text: String, offset: Int)] = [
    ("CR2", "CR", 8), ("CR3", "ftypcrx ", 4), ("CRW", "HEAPCCDR", 6), ("MRW", "\0MRM", 0),
    ("ORF", "IIRO", 0), ("ORF", "IIRS", 0), ("ORF", "MMOR", 0), ("RAF", "FUJIFILMCCD-RAW", 0),
    ("RW2", "IIU\0", 0), ("X3F", "FOVb", 0),
  ]

  private enum Tag {
    static let photometric: UInt16 = 262
    static let make: UInt16 = 271
    static let dngVersion: UInt16 = 50706
  }
  /// Color filter array, and linear raw data (DNG 1.7).
  private static let rawPhotometrics = [32803, 34892]

  /// Returns the raw format that a file name specifies, such as `DNG`.
  package static func format(ofFile name: some StringProtocol) -> String? {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return extensions.contains(ending) ? ending.uppercased() : nil
  }

  /// Returns the raw format of a file's content; `nil` for other files.
  package static func format(of bytes: [UInt8]) -> String? {
    let isTIFF = PhotoFormat(of: bytes) == .tiff
    for (format, text, offset) in signatures where bytes.dropFirst(offset).starts(with: text.utf8) {
      if format != "CR2" || isTIFF { return format }
    }
    guard isTIFF, let pages = TIFFPages(bytes) else { return nil }
    if pages.first[Tag.dngVersion] != nil { return "DNG" }
    let isRaw = pages.all.contains { page in
      page[Tag.photometric].flatMap { pages.block.integer($0) }.map(rawPhotometrics.contains)
        ?? false
    }
    guard isRaw else { return nil }
    let make = pages.first[Tag.make].flatMap { pages.block.text($0) }?.uppercased() ?? ""
    return make.hasPrefix("NIKON") ? "NEF" : make.hasPrefix("SONY") ? "ARW" : "raw"
  }
}

/// The directories of a TIFF file: pages, and their reduced or full images.
struct TIFFPages {
  let block: TIFFBlock
  let first: TIFFBlock.Directory
  let all: [TIFFBlock.Directory]

  private enum Tag {
    static let newSubfileType: UInt16 = 254
    static let subfileType: UInt16 = 255
    static let directories: UInt16 = 330
  }
  private static let mostInner = 16

  init?(_ bytes: [UInt8]) {
    guard let block = TIFFBlock(bytes: bytes),
      let first = block.directory(at: block.firstDirectory)
    else { return nil }
    (self.block, self.first) = (block, first)
    let inner = first[Tag.directories].map { entry in
      (0..<min(entry.count, Self.mostInner)).compactMap {
        block.integer(at: entry.offset + 4 * $0, bytes: 4)
      }
    }
    all = [first] + (inner ?? []).compactMap { block.directory(at: $0) }
  }

  /// Whether the first image is a reduced copy of another one (TIFF 6.0, tags 254 and 255).
  var startsReduced: Bool {
    let type = first[Tag.newSubfileType].flatMap { block.integer($0) } ?? 0
    return type & 1 == 1 || first[Tag.subfileType].flatMap { block.integer($0) } == 2
  }
}
