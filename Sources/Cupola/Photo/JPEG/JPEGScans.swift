/// The scans of a JPEG file: how often a decoder goes over the picture.
struct JPEGScans {
  /// Where a scan stands.
  struct Scan {
    /// Where its header's marker may be looked for.
    let start: Int
    /// Where its data end.
    let end: Int
  }

  /// All of them in a file of several, else only the first.
  let all: [Scan]
  /// Whether the picture is only known after the last, so that a decoder must keep it all.
  let isBuffered: Bool
  /// Whether the picture's end stands behind the last one that was looked for.
  let endWithPicture: Bool

  init(of bytes: [UInt8], _ header: JPEGHeader) {
    var scans: [Scan] = []
    var at = header.end
    var isBuffered = header.isProgressive
    while let (marker, payload) = JPEGMarkers.anySegment(in: bytes, from: at) {
      let start = at
      at = payload.endIndex
      guard marker == JPEGMarkers.startOfScan else { continue }
      // In one scan of everything a decoder needs to keep nothing: the data need not be looked at.
      isBuffered = isBuffered || payload.first.map { Int($0) != header.components } ?? true
      if isBuffered { at = JPEGMarkers.endOfData(in: bytes.span, from: at) }
      scans.append(Scan(start: start, end: at))
      if !isBuffered || scans.count > JPEGCost.mostScans { break }
    }
    (all, self.isBuffered) = (scans, isBuffered)
    endWithPicture = JPEGMarkers.isEnd(in: bytes, from: at)
  }
}
