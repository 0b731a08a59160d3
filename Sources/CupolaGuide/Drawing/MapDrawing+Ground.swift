extension MapDrawing {
  /// What a map shows besides a route: areas, lines and marks.
  ///
  /// Points of them that are no places on Earth are left out; a point's own level is not looked at.
  public struct Ground: Equatable, Sendable {
    /// Parts of the ground and of floors.
    public var areas: [Area]
    /// Ways.
    public var lines: [Line]
    /// Points with signs.
    public var marks: [Mark]

    /// A ground of what a map has; any may be missing.
    public init(areas: [Area] = [], lines: [Line] = [], marks: [Mark] = []) {
      (self.areas, self.lines, self.marks) = (areas, lines, marks)
    }
  }

  /// A part of the ground or of a floor.
  public struct Area: Equatable, Sendable {
    /// The kinds that look different; later ones lie on top.
    public enum Kind: Int, CaseIterable, Sendable {
      case park, water
      /// A square or another open place.
      case area
      case building, corridor, room, stairs, elevator
      /// A wall, or what nobody may enter.
      case closed
    }

    /// What it looks like.
    public var kind: Kind
    /// The outline, then the holes: at least three points each, the first one not repeated.
    public var rings: [[RoutePoint]]
    /// Its name; `nil` for none.
    public var label: String?
    /// The floors that it is on; empty where it is on none, as outdoors, or on all.
    public var levels: [Double]

    /// An area of a kind.
    public init(
      _ kind: Kind, rings: [[RoutePoint]], label: String? = nil, levels: [Double] = []
    ) {
      (self.kind, self.rings, self.label, self.levels) = (kind, rings, label, levels)
    }
  }

  /// A way.
  public struct Line: Equatable, Sendable {
    /// What it looks like; elevators are shown as marks only.
    public var kind: WayKind
    /// Where it goes, two or more.
    public var points: [RoutePoint]
    /// Its name; `nil` for none.
    public var label: String?
    /// The floors that it is on; empty outdoors.
    public var levels: [Double]

    /// A way of a kind.
    public init(
      _ kind: WayKind, points: [RoutePoint], label: String? = nil, levels: [Double] = []
    ) {
      (self.kind, self.points, self.label, self.levels) = (kind, points, label, levels)
    }
  }

  /// A point with a sign.
  public struct Mark: Equatable, Sendable {
    /// The signs; earlier ones come first where there is no room for all.
    public enum Kind: Int, CaseIterable, Sendable {
      case entrance, elevator, stairs, escalator, toilets, information, stop, food, shop, parking
      case place, door
    }

    /// Which sign it has.
    public var kind: Kind
    /// Where it is.
    public var point: RoutePoint
    /// Its name; `nil` for none.
    public var label: String?
    /// The floors that it is on; empty outdoors.
    public var levels: [Double]

    /// A sign at a point.
    public init(_ kind: Kind, at point: RoutePoint, label: String? = nil, levels: [Double] = []) {
      (self.kind, self.point, self.label, self.levels) = (kind, point, label, levels)
    }
  }
}
