import CoreGraphics
import Cupola
import Foundation
import SwiftUI

/// The camera image, the answer, the building's record and the map.
struct LensView: View {
  @ObservedObject var lens: Lens

  var body: some View {
    VStack(alignment: .leading, spacing: 12) {
      if let picture = lens.picture {
        Image(decorative: picture, scale: 1, orientation: .right).resizable().scaledToFit()
      }
      Text(lens.headline).font(.largeTitle).bold()
      if let hint = lens.hint {
        Text(hint).font(.headline)
      }
      if let problem = lens.problem {
        Text(problem)
      }
      if let building = lens.answer?.building {
        Text(building.description ?? "")
        Text(building.address ?? "")
      }
      if let campus = lens.campus {
        MapView(campus: campus, position: lens.position, label: lens.answer?.label)
      }
    }
    .padding()
    .task { await lens.start() }
  }
}

/// The buildings, the named one highlighted, and the phone's position.
struct MapView: View {
  let campus: Campus
  let position: Position?
  let label: String?

  var body: some View {
    Canvas { context, size in
      let sheet = Sheet(campus, size)
      for building in campus.buildings {
        var path = Path()
        for ring in building.footprint.flatMap(\.rings) {
          path.addLines(ring.map { sheet.point($0.longitude, $0.latitude) })
          path.closeSubpath()
        }
        context.fill(path, with: .color(building.label == label ? .blue : .gray))
      }
      if let position {
        let place = sheet.point(position.longitude, position.latitude)
        let dot = CGRect(x: place.x - 5, y: place.y - 5, width: 10, height: 10)
        context.fill(Path(ellipseIn: dot), with: .color(.green))
      }
    }
    .frame(height: 160)
  }

  /// Converts degrees to points, north up.
  private struct Sheet {
    /// The reference longitude; others are relative to it, on the same side of the antimeridian.
    private let start: Double
    private let west: Double
    private let north: Double
    private let across: Double
    private let down: Double

    init(_ campus: Campus, _ size: CGSize) {
      let corners = campus.buildings.flatMap(\.footprint).flatMap(\.rings).joined()
      let start = corners.first?.longitude ?? 0
      let longitudes = corners.map { ($0.longitude - start).remainder(dividingBy: 360) }
      let latitudes = corners.map(\.latitude)
      self.start = start
      west = longitudes.min() ?? 0
      north = latitudes.max() ?? 0
      let width = max((longitudes.max() ?? 0) - west, 1e-6)
      let height = max(north - (latitudes.min() ?? 0), 1e-6)
      // A degree of longitude is shorter than a degree of latitude.
      let shorter = cos(north * .pi / 180)
      let scale = min(Double(size.width) / (width * shorter), Double(size.height) / height)
      (across, down) = (scale * shorter, scale)
    }

    func point(_ longitude: Double, _ latitude: Double) -> CGPoint {
      let east = (longitude - start).remainder(dividingBy: 360)
      return CGPoint(x: (east - west) * across, y: (north - latitude) * down)
    }
  }
}
