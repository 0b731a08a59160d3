internal import CupolaSupport

// 1. Recognize binary formats by their first bytes, zips by the names of their files, and XML by its root element.
// 2. Recognize other kinds of JSON by their members.
// 3. Name the format and the command that converts it to GeoJSON.
// 4. Join a sequence or array of features into a FeatureCollection (`featureCollection(of:)`).

/// A map format other than a GeoJSON FeatureCollection.
package enum MapFormat: CaseIterable, Equatable, Sendable {
  case kml, kmz, gpx, osmXML, osmPBF, html, xml
  case shapefile, zippedShapefile, zippedIMDF, zip, gzip, bzip2, geoPackage, flatGeobuf
  case topoJSON, esriJSON
  /// Features without a collection: one per line (NDJSON), each after a record separator (RFC 8142), or in an array.
  case featureSequence

  /// Recognizes a format by the first bytes of a file; the whole file gives a more exact result. Returns `nil` for other
  /// JSON.
  package init?(firstBytes bytes: [UInt8]) {
    let signatures: [([UInt8], MapFormat)] = [
      ([0x1F, 0x8B], .gzip), (Array("BZh".utf8), .bzip2), ([0, 0, 0x27, 0x0A], .shapefile),
      (Array("SQLite format 3\0".utf8), .geoPackage), (Array("fgb\u{3}fgb".utf8), .flatGeobuf),
    ]
    if let found = signatures.first(where: { bytes.starts(with: $0.0) }) {
      self = found.1
    } else if bytes.starts(with: ZipNames.fileSignature) {
      self = ZipNames.format(of: bytes)
    } else if bytes.dropFirst(4).starts(with: [0x0A, 9] + Array("OSMHeader".utf8)) {
      self = .osmPBF
    } else if let root = XMLRoot.name(of: bytes) {
      self = ["kml": .kml, "gpx": .gpx, "osm": .osmXML, "html": .html][root] ?? .xml
    } else if FeatureSequence.isSequence(bytes) {
      self = .featureSequence
    } else {
      return nil
    }
  }

  /// Recognizes a format by the members of its JSON object. Returns `nil` for GeoJSON and unknown objects.
  package init?(members: [String: JSONValue]) {
    if members["type"] == .string("Topology") {
      self = .topoJSON
    } else if members["type"] == nil, Self.isEsri(members) {
      self = .esriJSON
    } else {
      return nil
    }
  }

  private static func isEsri(_ members: [String: JSONValue]) -> Bool {
    if members["geometryType"]?.text?.hasPrefix("esri") ?? false { return true }
    if members["spatialReference"] != nil { return true }
    guard case .array(let features) = members["features"], case .object(let first) = features.first
    else { return false }
    return first["attributes"] != nil
  }

  package var name: String {
    switch self {
    case .kml: "KML"
    case .kmz: "KMZ"
    case .gpx: "GPX"
    case .osmXML: "OpenStreetMap XML"
    case .osmPBF: "OpenStreetMap PBF"
    case .html: "a web page"
    case .xml: "XML"
    case .shapefile: "a shapefile"
    case .zippedShapefile: "a zipped shapefile"
    case .zippedIMDF: "a zipped IMDF map"
    case .zip: "a zip archive"
    case .gzip: "a gzip file"
    case .bzip2: "a bzip2 file"
    case .geoPackage: "a GeoPackage"
    case .flatGeobuf: "FlatGeobuf"
    case .topoJSON: "TopoJSON"
    case .esriJSON: "Esri JSON"
    case .featureSequence: "a sequence of GeoJSON features"
    }
  }

  /// What to do: usually the command that converts the file to GeoJSON.
  package var remedy: String {
    switch self {
    case .kml: Self.ogr2ogr("IN.kml")
    case .kmz: Self.ogr2ogr("IN.kmz")
    case .gpx: Self.ogr2ogr("IN.gpx tracks")
    case .osmXML: "convert it: osmtogeojson IN.osm > OUT.geojson"
    case .osmPBF: "convert it: osmium export -o OUT.geojson IN.osm.pbf"
    case .html: "download the map file itself"
    case .xml: Self.ogr2ogr("IN.xml")
    case .shapefile: Self.ogr2ogr("IN.shp")
    case .zippedShapefile: Self.ogr2ogr("/vsizip/IN.zip")
    case .zippedIMDF: "use it for a guide: cupola guide build IN.zip -o GUIDE"
    case .zip: "unpack it, and use the map inside: unzip IN.zip -d FOLDER"
    case .gzip: "unpack it: gzip -dc IN.gz > OUT.geojson"
    case .bzip2: "unpack it: bzip2 -dc IN.bz2 > OUT.geojson"
    case .geoPackage: Self.ogr2ogr("IN.gpkg LAYER")
    case .flatGeobuf: Self.ogr2ogr("IN.fgb")
    case .topoJSON: Self.ogr2ogr("IN.topojson")
    case .esriJSON: Self.ogr2ogr("IN.json")
    case .featureSequence: Self.ogr2ogr("GeoJSONSeq:IN.geojsons")
    }
  }

  /// The sentence for messages: what the file is, and what to do.
  package var problem: String { "this is \(name); \(remedy)" }

  private static func ogr2ogr(_ source: String) -> String {
    "convert it: ogr2ogr -f GeoJSON -t_srs EPSG:4326 OUT.geojson \(source)"
  }

  /// Returns a sequence or array of features as the text of a FeatureCollection with the same lines.
  package static func featureCollection(of bytes: [UInt8]) -> [UInt8] {
    FeatureSequence.collection(of: bytes)
  }
}

// MARK: - Sequences

/// GeoJSON features without a collection: in an array, or separated by line ends, record separators or nothing.
private enum FeatureSequence {
  static let recordSeparator: UInt8 = 0x1E

  static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  /// Whether a text starts with a record separator, has an object directly after its first object, or is an array whose
  /// first object is a feature.
  static func isSequence(_ bytes: [UInt8]) -> Bool {
    var text = withoutMark(bytes).drop(while: isSpace)
    if text.first == recordSeparator { return true }
    let isArray = text.first == UInt8(ascii: "[")
    if isArray { text = text.dropFirst().drop(while: isSpace) }
    guard text.first == UInt8(ascii: "{") else { return false }
    var scanner = Scanner()
    guard let end = text.firstIndex(where: { scanner.endsObject(with: $0) }) else { return false }
    if isArray { return text[...end].contains(#""Feature""#.utf8) }
    let next = text[(end + 1)...].first { !isSpace($0) }
    return next == UInt8(ascii: "{") || next == recordSeparator
  }

  static func collection(of bytes: [UInt8]) -> [UInt8] {
    let isArray = withoutMark(bytes).first { !isSpace($0) } == UInt8(ascii: "[")
    var result = Array((#"{"type":"FeatureCollection","features":"# + (isArray ? "" : "[")).utf8)
    result.reserveCapacity(bytes.count + bytes.count / 64 + 64)
    var scanner = Scanner()
    var isFirst = true
    for byte in withoutMark(bytes) where byte != recordSeparator {
      if scanner.depth == 0, !isSpace(byte) {
        if !isFirst { result.append(UInt8(ascii: ",")) }
        isFirst = false
      }
      _ = scanner.endsObject(with: byte)
      result.append(byte)
    }
    // Leave a truncated feature open, so that the reader reports where the file ends.
    if scanner.depth == 0 { result += Array((isArray ? "}" : "]}").utf8) }
    return result
  }

  static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.dropFirst(ByteOrderMark.length(in: bytes))
  }

  /// Tracks the nesting of braces and brackets outside strings.
  private struct Scanner {
    private(set) var depth = 0
    private var isText = false
    private var isEscaped = false

    mutating func endsObject(with byte: UInt8) -> Bool {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        return false
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        return depth == 0
      default: break
      }
      return false
    }
  }
}

// MARK: - XML and zip

private enum XMLRoot {
  /// Returns the name of the root element in lowercase without its namespace; `nil` if the text is not XML.
  static func name(of bytes: [UInt8]) -> String? {
    var rest = FeatureSequence.withoutMark(bytes).prefix(1 << 16)
    while true {
      rest = rest.drop(while: FeatureSequence.isSpace)
      guard rest.first == UInt8(ascii: "<") else { return nil }
      let second = rest.dropFirst().first
      guard second == UInt8(ascii: "?") || second == UInt8(ascii: "!") else { break }
      let isComment = rest.starts(with: "<!--".utf8)
      guard let end = end(of: rest, isComment: isComment) else { return "" }
      rest = rest[(end + 1)...]
    }
    let name = rest.dropFirst().prefix { !FeatureSequence.isSpace($0) && $0 != 0x3E && $0 != 0x2F }
    let text = String(decoding: name, as: UTF8.self)
    return text.split(separator: ":").last?.lowercased() ?? ""
  }

  private static func end(of text: ArraySlice<UInt8>, isComment: Bool) -> Int? {
    guard isComment else { return text.firstIndex(of: UInt8(ascii: ">")) }
    let dashes = Array("--".utf8)
    return text.indices.dropFirst(6).first {
      text[$0] == UInt8(ascii: ">") && text[($0 - 2)..<$0].elementsEqual(dashes)
    }
  }
}

private enum ZipNames {
  static let fileSignature: [UInt8] = [0x50, 0x4B, 3, 4]
  private static let entrySignature: [UInt8] = [0x50, 0x4B, 1, 2]
  private static let endSignature: [UInt8] = [0x50, 0x4B, 5, 6]
  private static let mostEntries = 10_000

  static func format(of bytes: [UInt8]) -> MapFormat {
    let names = names(in: bytes).map { $0.lowercased() }
    func has(_ ending: String) -> Bool { names.contains { $0.hasSuffix(ending) } }
    if has(".shp") || has(".shx") || has(".dbf") { return .zippedShapefile }
    if has(".kml") { return .kmz }
    return has("manifest.json") || has("venue.geojson") ? .zippedIMDF : .zip
  }

  /// Returns the names in the central directory, or the name of the first file if only the first bytes are present.
  private static func names(in bytes: [UInt8]) -> [String] {
    let tail = max(0, bytes.count - 22 - 0xFFFF)
    let ends = stride(from: bytes.count - 22, through: tail, by: -1)
    guard let end = ends.first(where: { bytes[$0...].starts(with: endSignature) }) else {
      return [name(bytes, at: 30, length: number(bytes, at: 26, count: 2))]
    }
    var offset = number(bytes, at: end + 16, count: 4)
    var names: [String] = []
    while names.count < mostEntries, offset < bytes.count,
      bytes[offset...].starts(with: entrySignature)
    {
      let lengths = [28, 30, 32].map { number(bytes, at: offset + $0, count: 2) }
      names.append(name(bytes, at: offset + 46, length: lengths[0]))
      offset += 46 + lengths.reduce(0, +)
    }
    return names
  }

  private static func number(_ bytes: [UInt8], at offset: Int, count: Int) -> Int {
    bytes.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func name(_ bytes: [UInt8], at offset: Int, length: Int) -> String {
    String(decoding: bytes.dropFirst(offset).prefix(length), as: UTF8.self)
  }
}
