#if Serve
  internal import Cupola

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// What a page says in words.
  enum LiveMessage: Equatable {
    case place(Position?, Heading?)
    case overlay(Bool)
    case keep(label: String)
    case forget

    private struct Fields: Decodable {
      var type: String
      var latitude: Double?
      var longitude: Double?
      var accuracy: Double?
      var heading: Double?
      var reference: Heading.Reference?
      var on: Bool?
      var label: String?
    }

    /// `nil` for what no page says.
    init?(_ text: [UInt8]) {
      guard text.count <= 10_000,
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(text))
      else { return nil }
      switch fields.type {
      case "place":
        let heading = fields.heading.flatMap {
          Heading(degrees: $0, reference: fields.reference ?? .trueNorth)
        }
        self = .place(Self.position(fields), heading)
      case "overlay": self = .overlay(fields.on ?? false)
      case "keep":
        guard let label = fields.label else { return nil }
        self = .keep(label: label)
      case "forget": self = .forget
      default: return nil
      }
    }

    private static func position(_ fields: Fields) -> Position? {
      guard let latitude = fields.latitude, let longitude = fields.longitude else { return nil }
      return Position(
        latitude: latitude, longitude: longitude, horizontalError: fields.accuracy)
    }
  }
#endif
