package import CupolaCampus

/// A campus for those who visit it: places, ways, floors; read from a bundle, without a network.
public struct Guide: Sendable {
  /// What the campus is called.
  public let name: String
  /// Whose data it is made of, to be shown with every map; `nil` when nobody said.
  public let attribution: String?
  /// The identifier of the time zone of its opening hours, such as `Europe/Berlin`; `nil` when nobody said.
  public let timeZone: String?
  /// Buildings, then rooms, then points of interest.
  public let places: [Place]

  /// The timetable's part as bytes, which CupolaTransit reads; `nil` when the guide was built without one.
  package let transitBytes: [UInt8]?

  package let graph: PathGraph
  package let index: EdgeIndex
  let ground: [GroundArea]
  let landmarks: Landmarks
  private let search: PlaceIndex
  private let numbers: [String: Int]

  /// A place by its identifier.
  public func place(_ id: String) -> Place? { numbers[id].map { places[$0] } }

  /// The places that fit a text, the best first: `room 3.12`, `libary`, `coffee`.
  ///
  /// - Parameters:
  ///   - text: what somebody typed.
  ///   - limit: `nil` is all.
  public func search(_ text: String, limit: Int? = 20) -> [Place] {
    search.search(text, limit: limit)
  }

  /// What somebody who types a text means: places of that very name, or all of a kind, such as `café`, or else the
  /// place that fits best; empty when none does.
  public func places(meantBy text: String) -> [Place] {
    place(text).map { [$0] } ?? search.meant(by: text)
  }

  /// The building of a training label, as the recognizer names it: by its label, identifier or name on the map, or else
  /// the only one that has it for a name, another name or an abbreviation but for case, accents and what parts words, as
  /// `knott_hall` is "Knott Hall" for a training, too; `nil` when the map has none.
  public func building(labeled label: String) -> Place? {
    building(labeled: label, by: buildingNames)
  }

  /// - Parameter names: ``buildingNames``, which who asks for many labels makes once.
  package func building(labeled label: String, by names: @autoclosure () -> LabelMatching.Names)
    -> Place?
  {
    places.first { $0.tags["cupola:label"] == label }
      ?? places.first { $0.kind == .building && ($0.id == label || $0.name == label) }
      ?? names().building(called: label).flatMap { place($0.label) }
  }

  /// All that the buildings are called.
  package var buildingNames: LabelMatching.Names {
    LabelMatching.Names(
      of: places.filter { $0.kind == .building }.map { place in
        Building(
          label: place.id, name: place.name ?? "", abbreviation: place.ref, category: nil,
          description: nil, properties: place.tags.mapValues { .string($0) })
      })
  }

  /// Ways for somebody who goes in a mode; keep it to ask more than once.
  public func directions(_ mode: TravelMode = .walk, shortest: Bool = false) -> Directions {
    Directions(self, mode, shortest: shortest)
  }

  package init(
    name: String, attribution: String?, timeZone: String?, places: [Place], graph: PathGraph,
    ground: [GroundArea], transitBytes: [UInt8]? = nil
  ) {
    (self.name, self.attribution, self.timeZone) = (name, attribution, timeZone)
    (self.places, self.graph, self.ground) = (places, graph, ground)
    self.transitBytes = transitBytes
    index = EdgeIndex(graph)
    landmarks = Landmarks(ground.compactMap { Landmarks.Landmark($0) })
    search = PlaceIndex(places)
    numbers = Dictionary(places.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }
}
