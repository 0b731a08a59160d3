#if Serve
  internal import Cupola
  internal import CupolaTraining

  /// What the page shows of a model and its map: `cupola.campus/1`.
  enum CampusSheet {
    /// - Parameters:
    ///   - name: what the model's file is called.
    ///   - collects: whether frames can be kept.
    static func json(of model: Model, named name: String, collects: Bool) -> [UInt8] {
      let known = Set(model.labels.names)
      let mapped = model.campus?.buildings ?? []
      let rest = model.labels.names.filter { label in
        !Labels.isBackground(label) && !mapped.contains { $0.label == label }
      }
      let sheet: JSONObject = [
        "schema": "cupola.campus/1", "model": name, "recipe": model.recipe.features.kind,
        "collects": collects,
        "labels": model.labels.names.filter { !Trainer.ownLabels.contains($0) },
        "fence": (model.campus?.geofence.polygons ?? []).flatMap(rings),
        "buildings": mapped.map { building -> JSONObject in
          [
            "label": building.label, "name": building.name, "record": building,
            "trained": known.contains(building.label),
            "rings": building.footprint.flatMap(rings),
          ]
        }
          + rest.map { label -> JSONObject in
            ["label": label, "name": label, "rings": [[[Double]]](), "trained": true]
          },
      ]
      return Array(((try? JSONObject.text(sheet)) ?? "{}").utf8)
    }

    private static func rings(of area: Polygon) -> [[[Double]]] {
      area.rings.map { ring in ring.map { [$0.longitude, $0.latitude] } }
    }
  }
#endif
