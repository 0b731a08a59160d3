#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import CupolaTraining

  // 1. Store the JSON of `cupola check`, and read it when Studio starts.
  // 2. Assign each finding to its photos. Findings follow photos that are moved.

  /// What `cupola check` found in a project.
  struct StudioFindings: Sendable {
    private struct Item: Sendable {
      let kind: String
      let text: String
      var other: String?
    }

    private let time: Double
    private var byPhoto: [String: [Item]] = [:]
    private var general: [String] = []
    private var next: [JSONObject] = []

    /// Reads the findings of the last check; `nil` if there are none.
    init?(_ folder: StudioFolder) {
      guard let bytes = try? FileAccess.read(folder[StudioFolder.findings]),
        let value = try? JSONReader.value(of: bytes)
      else { return nil }
      self.init(value, in: folder)
    }

    /// Stores the report of a check.
    init?(of report: JSONValue?, in folder: StudioFolder) throws {
      guard case .object(var members) = report else { return nil }
      members["time"] = .number(LocalTime.secondsSince1970Now.rounded())
      try FileAccess.write(
        JSONWriter.bytes(of: .object(members)) + [0x0A], to: folder[StudioFolder.findings])
      self.init(.object(members), in: folder)
    }

    private init(_ report: JSONValue, in folder: StudioFolder) {
      time = report["time"]?.double ?? 0
      for finding in report["findings"]?.elements ?? [] { add(finding, in: folder) }
      next = (report["coverage"]?.elements ?? []).flatMap { building in
        (building["shots"]?.elements ?? []).map { shot in Self.place(shot, of: building) }
      }
    }

    private mutating func add(_ finding: JSONValue, in folder: StudioFolder) {
      let (message, advice) = (finding["message"]?.text ?? "", finding["advice"]?.text ?? "")
      let items = finding["items"]?.elements ?? []
      guard let kind = Self.kinds[finding["kind"]?.text ?? ""] else {
        let names = items.prefix(5).compactMap { $0["name"]?.text }
        let list = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
        return general.append("\(message)\(list): \(advice)")
      }
      for item in items {
        guard let name = item["name"]?.text else { continue }
        let note = item["note"]?.text
        byPhoto[Self.path(name, in: folder), default: []].append(
          Item(
            kind: kind, text: [note, advice].compactMap(\.self).joined(separator: "; "),
            other: item["other"]?.text.map { Self.path($0, in: folder) }))
      }
    }

    private static let kinds = [
      "copies": "duplicate", "equal_photos": "duplicate", "copies_across_labels": "duplicate",
      "copies_across_parts": "duplicate", "alike_across_parts": "duplicate",
      "suspect_label": "label", "blurred": "blurred", "too_dark": "dark", "too_bright": "dark",
      "unreadable": "unusable", "truncated": "unusable", "damaged": "unusable",
      "not_jpeg": "unusable", "left_out": "unusable", "too_small": "unusable",
      "off_campus": "elsewhere", "far_from_building": "elsewhere",
    ]

    /// The path in the project: names of photos are relative to `photos`, those of negatives are whole paths.
    static func path(_ name: String, in folder: StudioFolder) -> String {
      name.hasPrefix(folder.path + "/")
        ? String(name.dropFirst(folder.path.utf8.count + 1)) : "photos/" + name
    }

    private static func place(_ shot: JSONValue, of building: JSONValue) -> JSONObject {
      let (label, side) = (building["label"]?.text ?? "", shot["side"]?.text ?? "")
      return [
        "label": label, "lon": shot["position"]?["longitude"], "lat": shot["position"]?["latitude"],
        "heading": shot["heading_deg"], "text": "\(label) from \(side)",
      ]
    }

    /// Applies the renames of a change. A suspected label is settled when the photo was moved.
    mutating func follow(_ moves: [RenameJournal.Move]) {
      let targets = Dictionary(moves.map { ($0.from, $0.to) }) { first, _ in first }
      guard byPhoto.keys.contains(where: { targets[$0] != nil }) else { return }
      var followed: [String: [Item]] = [:]
      for (path, items) in byPhoto {
        let new = targets[path] ?? path
        followed[new] = items.filter { $0.kind != "label" || new == path }.map { item in
          var item = item
          item.other = item.other.map { targets[$0] ?? $0 }
          return item
        }
      }
      byPhoto = followed
    }

    /// The findings of photos that still exist.
    func json(_ isPhoto: (String) -> Bool) -> JSONObject {
      let photos = byPhoto.filter { isPhoto($0.key) }.mapValues { items in
        items.filter { $0.kind != "duplicate" || $0.other.map(isPhoto) ?? true }
      }
      let members = photos.filter { !$0.value.isEmpty }.map { path, items in
        let found = items.map { item -> JSONObject in
          let other = item.other.flatMap { isPhoto($0) ? $0 : nil }
          return ["kind": item.kind, "text": item.text, "other": other]
        }
        return (path, found as JSONObject.Member?)
      }
      return [
        "time": time, "byPhoto": JSONObject(members), "general": general, "standNext": next,
      ]
    }
  }
#endif
