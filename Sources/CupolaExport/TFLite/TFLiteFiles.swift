internal import Crypto
internal import Cupola

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The files that travel in a TFLite model: labels, what else Cupola knows, and the map.
struct TFLiteFiles: Equatable, Sendable {
  static let labelsName = TFLiteMetadata.labelsFile
  static let propertiesName = "cupola.json"
  static let campusName = "campus.geojson"
  static let labelsKey = "labels"
  /// What `properties` itself must not hold.
  private static let digestKey = "tflite_sha256"

  /// In the order of the probabilities.
  let labels: [String]
  let properties: [String: JSONValue]
  /// GeoJSON.
  let campus: [UInt8]?
  /// Of the model that the files were written for, where they were read.
  private let digest: JSONValue?

  init(labels: [String], properties: [String: JSONValue], campus: [UInt8]?) {
    self.labels = labels
    self.properties = properties.merging([Self.labelsKey: Self.value(of: labels)]) { $1 }
    self.campus = campus
    digest = nil
  }

  // MARK: - Writing

  /// `labels.txt` has one label a line, and its readers know no way to write a line break.
  func checkLabels() throws {
    for label in labels {
      guard !label.isEmpty, !label.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 })
      else {
        throw TFLiteFault.badLabel(label)
      }
    }
  }

  /// What the metadata say of the files, without the labels.
  var descriptions: [TFLiteMetadata.File] {
    var files = [
      TFLiteMetadata.File(
        name: Self.propertiesName, description: "Labels, thresholds and geometry of the picture.")
    ]
    if campus != nil {
      files.append(
        TFLiteMetadata.File(
          name: Self.campusName, description: "The geofence and the buildings, as GeoJSON."))
    }
    return files
  }

  /// The archive for a model of these bytes.
  func entries(model: ArraySlice<UInt8>) throws -> [StoredZip.Entry] {
    var properties = properties
    properties[Self.digestKey] = .string(SHA256.hash(data: model).hexadecimal)
    let json = try ModelFile.json(JSONValue.object(properties))
    var entries = [
      StoredZip.Entry(
        name: Self.labelsName, contents: Array(labels.map { $0 + "\n" }.joined().utf8)),
      StoredZip.Entry(name: Self.propertiesName, contents: Array(json.utf8)),
    ]
    if let campus { entries.append(StoredZip.Entry(name: Self.campusName, contents: campus)) }
    return entries
  }

  // MARK: - Reading

  /// Takes the files of an archive.
  init(entries: [StoredZip.Entry]) throws {
    let names = entries.map(\.name)
    guard
      names == [Self.labelsName, Self.propertiesName]
        || names == [Self.labelsName, Self.propertiesName, Self.campusName]
    else { throw TFLiteFault.badFiles("\(Self.labelsName), \(Self.propertiesName) are not there") }
    guard let text = String(validating: entries[0].contents, as: UTF8.self), text.hasSuffix("\n")
    else { throw TFLiteFault.badFiles("\(Self.labelsName) is no text of whole lines") }
    labels = Self.lines(of: text)
    let json = try? JSONDecoder().decode(JSONValue.self, from: Data(entries[1].contents))
    guard case .object(var properties) = json else {
      throw TFLiteFault.badFiles("\(Self.propertiesName) is no JSON object")
    }
    guard properties[Self.labelsKey] == Self.value(of: labels) else {
      throw TFLiteFault.badFiles(
        "\(Self.labelsName) and \(Self.propertiesName) have different labels, or another order")
    }
    digest = properties.removeValue(forKey: Self.digestKey)
    self.properties = properties
    campus = entries.count > 2 ? entries[2].contents : nil
  }

  /// Compares a model with the one that the files were written for.
  func check(model: ArraySlice<UInt8>) throws {
    guard digest == .string(SHA256.hash(data: model).hexadecimal) else {
      throw TFLiteFault.changed
    }
  }

  private static func value(of labels: [String]) -> JSONValue { .array(labels.map { .string($0) }) }

  /// Lines by their line feeds only: a label may hold anything else.
  private static func lines(of text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
