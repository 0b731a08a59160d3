internal import CupolaCampus
public import CupolaGuide

/// A journal with the map and the names of a guide.
extension Guide {
  /// The names of the guide's buildings and its clocks, for exports of a journal.
  public var journalNames: JournalNames {
    let names = buildingNames
    return JournalNames(timeZone: timeZone ?? "UTC") { building(labeled: $0, by: names)?.title }
  }

  /// A journal as one HTML page with the guide's map, on which the entries' numbers stand.
  public func page(of entries: [JournalEntry], title: String) -> String {
    JournalPage.html(
      of: entries, title: title, names: journalNames, map: map(of: entries))
  }

  private func map(of entries: [JournalEntry]) -> String {
    var drawing = MapDrawing(drawnGround, attribution: attribution)
    drawing.pins = JournalPage.mapPins(of: entries)
    return drawing.svg()
  }
}

extension JournalPage {
  /// A journal as one HTML page; its map shows the numbers of the entries and nothing else. ``Guide`` has a map for it.
  public static func html(
    of entries: [JournalEntry], title: String, names: JournalNames = JournalNames()
  ) -> String {
    var drawing = MapDrawing(MapDrawing.Ground())
    drawing.pins = mapPins(of: entries)
    let map = drawing.pins.isEmpty ? nil : drawing.svg()
    return html(of: entries, title: title, names: names, map: map)
  }

  /// Each number once, leading to the first entry there.
  fileprivate static func mapPins(of entries: [JournalEntry]) -> [MapDrawing.Pin] {
    var last = 0
    return pins(of: entries).compactMap { pin in
      guard pin.number > last else { return nil }
      last = pin.number
      let point = RoutePoint(latitude: pin.at.latitude, longitude: pin.at.longitude)
      return MapDrawing.Pin(point, number: pin.number, link: "#\(pin.entry)")
    }
  }
}
