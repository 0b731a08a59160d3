/// The tables of a JPEG file as its markers bring them (ITU-T T.81, B.2.4).
struct JPEGTables {
  private var means: [Int: HuffmanTable] = [:]
  private var steps: [Int: Int] = [:]
  /// Units between restarts; 0 without.
  private(set) var restartInterval = 0
  /// What an Adobe program says of the colors; `nil` when none does.
  private var adobe: UInt8?
  private var isJFIF = false
  private let identifiers: [UInt8]

  /// Reads all markers, and calls a function with the tables as they are then, a scan's header, and where
  /// its data stand.
  init(
    _ bytes: [UInt8], _ header: JPEGHeader,
    _ scan: (JPEGTables, ArraySlice<UInt8>, Range<Int>) -> Void
  ) {
    identifiers = header.parts.map(\.identifier)
    var at = 2
    while let (marker, payload) = JPEGMarkers.anySegment(in: bytes, from: at) {
      at = payload.endIndex
      switch marker {
      case 0xC4: readHuffman(payload)
      case 0xDB: readSteps(payload)
      case 0xDD where payload.count >= 2:
        restartInterval = payload.prefix(2).bigEndian
      case 0xE0 where payload.starts(with: Array("JFIF".utf8)): isJFIF = true
      case 0xEE where payload.count >= 12 && payload.starts(with: Array("Adobe".utf8)):
        adobe = payload[payload.startIndex + 11]
      case JPEGMarkers.startOfScan:
        let end = JPEGMarkers.endOfData(in: bytes.span, from: at)
        scan(self, payload, at..<end)
        at = end
      default: break
      }
    }
  }

  /// The code of means of that number.
  func huffman(_ number: Int) -> HuffmanTable? { means[number] }

  /// By how much the means of that table are to be multiplied.
  func step(_ number: Int) -> Int { steps[number] ?? 1 }

  /// Whether three components are luma and two of color, as libjpeg decides it.
  var isYCbCr: Bool {
    if isJFIF { return true }
    if let adobe { return adobe != 0 }
    return identifiers != Array("RGB".utf8)
  }

  private mutating func readHuffman(_ payload: ArraySlice<UInt8>) {
    var rest = payload
    while rest.count >= 17, let kind = rest.first {
      let counts = rest.dropFirst().prefix(16)
      let symbols = rest.dropFirst(17).prefix(counts.reduce(0) { $0 + Int($1) })
      if kind >> 4 == 0 { means[Int(kind)] = HuffmanTable(counts: counts, symbols: symbols) }
      rest = rest.dropFirst(17 + symbols.count)
    }
  }

  private mutating func readSteps(_ payload: ArraySlice<UInt8>) {
    var rest = payload
    while rest.count >= 65, let kind = rest.first {
      let isWide = kind >> 4 > 0
      let at = rest.startIndex + 1
      steps[Int(kind & 15)] = rest[at..<at + (isWide ? 2 : 1)].bigEndian
      rest = rest.dropFirst(isWide ? 129 : 65)
    }
  }
}
