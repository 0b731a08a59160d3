import CoreLocation
import Cupola
import MapKit
import SwiftUI

/// The map of the campus, with the phone's position and the highlighted buildings.
struct CampusMap: View {
  let campus: Campus
  /// Labels of buildings.
  let highlighted: [String]

  var body: some View {
    Map(initialPosition: .automatic) {
      UserAnnotation()
      ForEach(outlines) { outline in
        MapPolygon(coordinates: outline.corners)
          .foregroundStyle(color(outline.label).opacity(0.4))
          .stroke(color(outline.label), lineWidth: 1)
      }
      ForEach(highlighted, id: \.self) { label in
        if let building = campus.building(labeled: label), let position = building.position {
          Marker(building.name, systemImage: "building.columns", coordinate: position.coordinate)
        }
      }
    }
    .mapControls {
      MapUserLocationButton()
      MapCompass()
    }
    .accessibilityLabel("Map of the campus")
  }

  private struct Outline: Identifiable {
    let id: Int
    let label: String
    let corners: [CLLocationCoordinate2D]
  }

  /// The outer ring of each building's polygons.
  private var outlines: [Outline] {
    let rings = campus.buildings.flatMap { building in
      building.footprint.compactMap(\.rings.first).map { (building.label, $0) }
    }
    return rings.enumerated().map { number, ring in
      Outline(
        id: number, label: ring.0,
        corners: ring.1.map {
          CLLocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude)
        })
    }
  }

  private func color(_ label: String) -> Color {
    highlighted.contains(label) ? .accentColor : .secondary
  }
}

extension Position {
  fileprivate var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }
}
