internal import CupolaGuide
internal import CupolaTransit

// 1. Read the translations into a language, by record and by text.
// 2. Replace the names of stops, routes and agencies, and the headsigns.

/// The rows of `translations.txt` in one language.
struct FeedTranslations {
  enum Column: Int, FeedColumn {
    case table, field, language, translation, record, value

    static let file = FeedFile.translations
    static let names = [
      "table_name", "field_name", "language", "translation", "record_id", "field_value",
    ]
    static let required: [Column] = []
  }

  private struct Key: Hashable {
    let table: String
    let field: String
    let text: String
  }

  private var byRecord: [Key: String] = [:]
  private var byValue: [Key: String] = [:]

  init(_ input: FeedInput, language: String) throws(GuideError) {
    let wanted = language.lowercased()
    if var table = try input.table(of: Column.self) {
      while try table.next() {
        try input.checkCount(byRecord.count + byValue.count, limit: 1_000_000, of: "translations")
        add(table, wanted)
      }
    }
    if byRecord.isEmpty, byValue.isEmpty {
      input.faults.add(.noLanguage, in: .translations, value: language)
    }
  }

  private mutating func add(_ row: CSVTable<Column>, _ wanted: String) {
    guard let language = row.text(.language)?.lowercased(), let text = row.text(.translation),
      let table = row.text(.table), let field = row.text(.field)
    else { return }
    // `de` also matches `de-AT`, unless there is a translation into `de`.
    let isExact = language == wanted
    guard isExact || language.hasPrefix(wanted + "-") else { return }
    func take(_ id: String?, _ translations: inout [Key: String]) {
      guard let id else { return }
      let key = Key(table: table, field: field, text: id)
      if isExact || translations[key] == nil { translations[key] = text }
    }
    take(row.text(.record), &byRecord)
    take(row.text(.value), &byValue)
  }

  private func text(_ text: String, _ table: String, _ field: String, of id: String?) -> String {
    id.flatMap { byRecord[Key(table: table, field: field, text: $0)] }
      ?? byValue[Key(table: table, field: field, text: text)] ?? text
  }

  func apply(to feed: inout TransitFeed) {
    for number in feed.agencies.indices {
      let agency = feed.agencies[number]
      feed.agencies[number].name = text(agency.name, "agency", "agency_name", of: agency.id)
    }
    for number in feed.stops.indices {
      let stop = feed.stops[number]
      feed.stops[number].name = text(stop.name, "stops", "stop_name", of: stop.id)
      feed.stops[number].platform = stop.platform.map {
        text($0, "stops", "platform_code", of: stop.id)
      }
    }
    for number in feed.routes.indices {
      let route = feed.routes[number]
      feed.routes[number].shortName = route.shortName.map {
        text($0, "routes", "route_short_name", of: route.id)
      }
      feed.routes[number].longName = route.longName.map {
        text($0, "routes", "route_long_name", of: route.id)
      }
    }
    for number in feed.trips.indices {
      let trip = feed.trips[number]
      feed.trips[number].headsign = trip.headsign.map {
        text($0, "trips", "trip_headsign", of: trip.id)
      }
    }
    // Rows of `stop_times.txt` share their headsigns, so only translations by value apply.
    feed.stopHeadsigns = feed.stopHeadsigns.map {
      text($0, "stop_times", "stop_headsign", of: nil)
    }
  }
}
