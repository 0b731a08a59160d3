internal import CupolaGuide
internal import CupolaSupport

/// A value of a file about tours, and where it stands there, so that faults name the place.
struct TourNode {
  let value: JSONValue
  /// Such as `stops[3].questions[0]`; empty for the whole.
  let place: String
  /// The file, as errors call it.
  let file: String

  func fault(_ problem: String) -> GuideError {
    .badTour(path: file, problem: place.isEmpty ? problem : "\(place): \(problem)")
  }

  /// The whole of a file.
  ///
  /// - Throws: ``GuideError/badTour(path:problem:)``, ``GuideError/newerFormat(_:)``.
  init(
    json bytes: [UInt8], format: String, mostBytes: Int, file: String
  ) throws(GuideError) {
    guard bytes.count <= mostBytes else {
      throw .badTour(path: file, problem: "more than \(mostBytes >> 20) MB; keep media beside it")
    }
    do throws(JSONFault) {
      value = try JSONReader.value(of: bytes, limits: .init(depth: 16, values: 1_000_000))
    } catch { throw .badTour(path: file, problem: error.message) }
    (place, self.file) = ("", file)
    guard case .object(let members) = value, case .string(let found) = members["format"],
      found.hasPrefix(format.prefix { $0 != "/" } + "/")
    else { throw .badTour(path: file, problem: "no \"format\": \"\(format)\"") }
    guard found == format else { throw .newerFormat(found) }
  }

  private init(_ value: JSONValue, place: String, file: String) {
    (self.value, self.place, self.file) = (value, place, file)
  }

  // MARK: - Parts

  /// Refuses what is no object, and members that are not known.
  func checkMembers(_ known: Set<String>) throws(GuideError) {
    guard case .object(let members) = value else { throw fault("no object") }
    if let stranger = members.keys.filter({ !known.contains($0) }).min() {
      throw fault("\"\(stranger.start(scalars: 40))\" is not known here; correct or remove it")
    }
  }

  /// A member; `nil` when it is missing or `null`.
  subscript(_ name: String) -> TourNode? {
    guard case .object(let members) = value, let value = members[name], value != .null else {
      return nil
    }
    return TourNode(value, place: place.isEmpty ? name : "\(place).\(name)", file: file)
  }

  /// A member that has to be there.
  func required(_ name: String) throws(GuideError) -> TourNode {
    guard let node = self[name] else { throw fault("no \"\(name)\"") }
    return node
  }

  /// The elements of a list.
  func list(_ counts: ClosedRange<Int>) throws(GuideError) -> [TourNode] {
    guard case .array(let elements) = value else { throw fault("no list") }
    guard counts.contains(elements.count) else {
      throw fault(
        "\(elements.count) are there, \(counts.lowerBound) to \(counts.upperBound) belong")
    }
    return elements.enumerated().map {
      TourNode($0.element, place: "\(place)[\($0.offset)]", file: file)
    }
  }

  /// The names and values of an object, in the order of the names.
  func members(atMost count: Int) throws(GuideError) -> [(name: String, node: TourNode)] {
    guard case .object(let members) = value else { throw fault("no object") }
    guard members.count <= count else { throw fault("more than \(count) members") }
    return members.sorted { $0.key < $1.key }.map {
      ($0.key, TourNode($0.value, place: "\(place).\($0.key.start(scalars: 40))", file: file))
    }
  }
}
