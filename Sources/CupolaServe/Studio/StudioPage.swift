#if Serve
  internal import CupolaCampus
  internal import CupolaTraining

  /// The files of Studio's page. It also uses files of the live page, at the same paths.
  enum StudioPage {
    private static let files: [String: [UInt8]] = [
      "studio.html": PackageResources.studio_html, "studio.css": PackageResources.studio_css,
      "studio.js": PackageResources.studio_js,
      "studio-core.js": PackageResources.studio_core_js,
      "studio-drop.js": PackageResources.studio_drop_js,
      "studio-grid.js": PackageResources.studio_grid_js,
      "studio-map.js": PackageResources.studio_map_js,
      "studio-photos.js": PackageResources.studio_photos_js,
      "studio-qr.js": PackageResources.studio_qr_js,
      "studio-ship.js": PackageResources.studio_ship_js,
      "studio-train.js": PackageResources.studio_train_js,
      "studio-try.js": PackageResources.studio_try_js,
      "studio-zip.js": PackageResources.studio_zip_js,
    ]

    /// The file at a path; `nil` if there is none.
    static func response(_ path: String) -> ServedResponse? {
      let name = path == "/" ? "studio.html" : String(path.dropFirst())
      guard let bytes = files[name] else {
        return path.hasPrefix("/visit") ? nil : LivePage.response(path)
      }
      return LivePage.response(.bytes(bytes), type: MediaType.of(name))
    }
  }
#endif
