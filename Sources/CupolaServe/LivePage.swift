#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOHTTP1

  // 1. Send the files of the camera page and the visitors' page with headers that block requests to other servers.
  // 2. Describe the model and its map as JSON.

  enum LivePage {
    private static let files = [
      "/": PackageResources.page_html, "/page.css": PackageResources.page_css,
      "/page.js": PackageResources.page_js, "/answer.js": PackageResources.answer_js,
      "/connection.js": PackageResources.connection_js, "/map.js": PackageResources.map_js,
      "/position.js": PackageResources.position_js, "/source.js": PackageResources.source_js,
      "/visit/": PackageResources.visit_html, "/visit/visit.css": PackageResources.visit_css,
      "/visit/visit.js": PackageResources.visit_js, "/visit/plan.js": PackageResources.plan_js,
      "/visit/worker.js": PackageResources.worker_js,
    ]

    private static let policy = """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
      media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
      frame-ancestors 'none'
      """

    /// The page uses the camera, the position and the compass.
    private static let permissions = """
      camera=(self), geolocation=(self), accelerometer=(self), gyroscope=(self), magnetometer=(self), \
      microphone=(), display-capture=(), payment=(), usb=()
      """

    /// The file at a path; `nil` if there is none.
    static func response(_ path: String) -> ServedResponse? {
      let type = path.hasSuffix("/") ? MediaType.html : MediaType.of(path)
      return files[path].map { response(.bytes($0), type: type) }
    }

    static func response(
      _ body: ServedResponse.Body, type: String, status: HTTPResponseStatus = .ok
    ) -> ServedResponse {
      ServedResponse(
        status: status,
        headers: [
          "Content-Type": type, "Content-Security-Policy": policy,
          "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
          "Cross-Origin-Opener-Policy": "same-origin",
          "Cross-Origin-Resource-Policy": "same-origin",
          "Permissions-Policy": permissions, "Cache-Control": "no-store",
        ], body: body)
    }

    static func text(_ line: String, status: HTTPResponseStatus) -> ServedResponse {
      response(
        .bytes(Array("\(line)\n".utf8)), type: MediaType.text, status: status)
    }
  }

  extension JSONObject {
    var line: [UInt8] { Array(((try? JSONObject.text(self)) ?? "{}").utf8) }
  }

  /// The description of a model and its map for the page, schema `cupola.campus/1`.
  enum CampusDescription {
    static func json(
      of recognizer: Recognizer, named name: String, collects: Bool
    ) -> [UInt8] {
      let model = recognizer.model
      let known = Set(model.labels.names)
      let mapped = model.campus?.buildings ?? []
      let rest = model.labels.names.filter { label in
        !Labels.isBackground(label) && !mapped.contains { $0.label == label }
      }
      let sheet: JSONObject = [
        "schema": "cupola.campus/1", "model": name, "recipe": model.recipe.features.kind,
        "collects": collects,
        "photo_formats": recognizer.decoder.formats.map(\.rawValue).sorted(),
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
      return sheet.line
    }

    private static func rings(of area: Polygon) -> [[[Double]]] {
      area.rings.map { ring in ring.map { [$0.longitude, $0.latitude] } }
    }
  }
#endif
