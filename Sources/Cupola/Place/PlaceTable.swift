/// The data that exported models need to evaluate position and heading.
package struct PlaceTable {
  package struct Entry {
    package let label: String
    package var name: String { building?.name ?? label }
    package let isTrained: Bool
    package let viewpoints: [Viewpoint]
    package let building: Building?
    package let outline: BuildingOutline?
  }

  package let constants: [(name: String, value: Double)]
  /// The trained buildings, in the same order as the labels, followed by the other buildings on the map.
  package let buildings: [Entry]

  /// Creates a model's table; fails if the model has no place model.
  package init?(_ model: Model) {
    guard let place = model.place else { return nil }
    let scene = PlaceScene(model.labels, campus: model.campus, viewpoints: place.viewpoints)
    constants =
      [("position_weight", place.positionWeight), ("heading_weight", place.headingWeight)]
      + Self.densityConstants + Self.viewConstants + Self.fusionConstants
    buildings = scene.labels.buildings.map { number in
      let density = scene.densities[number]
      return Entry(
        label: scene.labels.names[number], isTrained: number < scene.trainedCount,
        viewpoints: density?.viewpoints ?? [], building: density?.building,
        outline: scene.outlines[number])
    }
  }

  private static var densityConstants: [(String, Double)] {
    [
      ("usual_error_m", Position.defaultError), ("most_error_m", Position.mostPlaceError),
      ("meters_per_degree", LocalPlane.metersPerDegree),
      ("bandwidth_m", PlaceDensity.bandwidth), ("building_reach_m", PlaceDensity.reach),
      ("catalog_count", PlaceDensity.catalogCount), ("broad_reach_m", PlaceDensity.broadReach),
      ("broad_share", PlaceDensity.broadShare), ("candidate_reach_m", PlaceScene.reach),
    ]
  }

  private static var viewConstants: [(String, Double)] {
    let upright = FieldOfView(focalLength: nil, width: 3, height: 4)
    return [
      ("sight_m", Panorama.reach), ("least_sight_error_m", Panorama.leastError),
      ("most_sight_error_m", Panorama.mostError), ("directions", Double(Panorama.directions)),
      ("compass_error_deg", ViewShare.compassError), ("aim_share", ViewShare.aimShare),
      ("level_view_deg", FieldOfView.usual.degrees), ("upright_view_deg", upright.degrees),
      ("view_margin_deg", ViewShare.viewMargin),
      ("uniform_share", ViewShare.uniformShare), ("least_view_share", ViewShare.least),
      ("usual_view_share", ViewShare.usual), ("half_view_error_m", ViewShare.errorForHalf),
      ("view_without_heading", ViewShare.withoutHeading),
    ]
  }

  private static var fusionConstants: [(String, Double)] {
    [
      ("unknown_visits", UnknownBuilding.visits), ("most_doubt", UnknownBuilding.mostLogRatio),
      ("least_doubt", UnknownBuilding.leastLogRatio), ("doubt_bend", UnknownBuilding.bend),
      ("doubt_slope", UnknownBuilding.slope),
      ("least_probability", UnknownBuilding.leastProbability),
      ("prior_without_heading", MapFusion.withoutHeading),
      ("contradicted_share", Contradiction.sureShare),
      ("contradicted_shift", Contradiction.muchLess),
    ]
  }
}
