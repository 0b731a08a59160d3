/// The tables of a JPEG file as its markers bring them (ITU-T T.81, B.2.4).
struct JPEGTables {
  /// By number, those of means before those of the other coefficients: how many codes have 1, 2 ... 16 bits, and their
  /// symbols. Made when they are asked for: a file may bring millions.
  private var codes: [Int: (counts: ArraySlice<UInt8>, symbols: ArraySlice<UInt8>)] = [:]
  /// By number, as bytes: one or two for each of 64.
  private var steps: [Int: ArraySlice<UInt8>] = [:]
  /// Units between restarts; 0 without.
  private(set) var restartInterval = 0
  /// What an Adobe program says of the colors; `nil` when none does.
  private var adobe: UInt8?
  private var isJFIF = false
  private let identifiers: [UInt8]

  private init(_ header: JPEGHeader) { identifiers = header.parts.map(\.identifier) }

  /// Reads all markers, and calls a function with the tables as they are then, a scan's header, and where
  /// its data stand.
  init(
    _ bytes: [UInt8], _ header: JPEGHeader,
    _ scan: (JPEGTables, ArraySlice<UInt8>, Range<Int>) -> Void
  ) {
    self.init(header)
    var at = 2
    while let payload = readToScan(bytes, from: at) {
      at = JPEGMarkers.endOfData(in: bytes.span, from: payload.endIndex)
      scan(self, payload, payload.endIndex..<at)
    }
  }

  /// Reads the markers before the first scan; its header, behind which its data begin, or `nil` when there is none.
  static func toFirstScan(
    _ bytes: [UInt8], _ header: JPEGHeader
  ) -> (tables: JPEGTables, scan: ArraySlice<UInt8>)? {
    var tables = JPEGTables(header)
    return tables.readToScan(bytes, from: 2).map { (tables, $0) }
  }

  private mutating func readToScan(_ bytes: [UInt8], from start: Int) -> ArraySlice<UInt8>? {
    var at = start
    while let (marker, payload) = JPEGMarkers.anySegment(in: bytes, from: at) {
      if marker == JPEGMarkers.startOfScan { return payload }
      read(marker, payload)
      at = payload.endIndex
    }
    return nil
  }

  private mutating func read(_ marker: UInt8, _ payload: ArraySlice<UInt8>) {
    switch marker {
    case 0xC4: readHuffman(payload)
    case 0xDB: readSteps(payload)
    case 0xDD where payload.count >= 2:
      restartInterval = payload.prefix(2).bigEndian
    case 0xE0 where payload.starts(with: Array("JFIF".utf8)): isJFIF = true
    case 0xEE where payload.count >= 12 && payload.starts(with: Array("Adobe".utf8)):
      adobe = payload[payload.startIndex + 11]
    default: break
    }
  }

  /// The code of means of that number.
  func means(_ number: Int) -> HuffmanTable? { code(number) }

  /// The code of the other coefficients of that number.
  func details(_ number: Int) -> HuffmanTable? { code(16 + number) }

  private func code(_ number: Int) -> HuffmanTable? {
    codes[number].flatMap { HuffmanTable(counts: $0.counts, symbols: $0.symbols) }
  }

  /// By how much the coefficients of that table are to be multiplied, in the order of the file.
  func steps(_ number: Int) -> [Int32]? {
    steps[number].map { bytes in
      let size = bytes.count / 64
      return (0..<64).map { Int32(bytes.dropFirst($0 * size).prefix(size).bigEndian) }
    }
  }

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
      codes[Int(kind)] = (counts, symbols)
      rest = rest.dropFirst(17 + symbols.count)
    }
  }

  private mutating func readSteps(_ payload: ArraySlice<UInt8>) {
    var rest = payload
    while let kind = rest.first {
      let size = kind >> 4 > 0 ? 2 : 1
      let values = rest.dropFirst().prefix(64 * size)
      guard values.count == 64 * size else { return }
      steps[Int(kind & 15)] = values
      rest = rest.dropFirst(1 + values.count)
    }
  }
}
