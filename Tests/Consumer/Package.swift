// swift-tools-version: 6.2

import PackageDescription

// A package that uses Cupola as an app would: by its address, with the traits for all kinds of images. Its sources are
// the snippets of all documents, collected by Scripts/verify consumer; its tests look at images.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15), .iOS("16.4")],
  dependencies: [
    .package(name: "Cupola", path: "../..", traits: ["HEIF", "PNG", "WebP"])
  ],
  targets: [
    .target(
      name: "Snippets",
      dependencies: [
        .product(name: "Cupola", package: "Cupola"),
        .product(name: "CupolaCampus", package: "Cupola"),
        .product(name: "CupolaGuide", package: "Cupola"),
        .product(name: "CupolaGuideBuilder", package: "Cupola"),
        .product(name: "CupolaTransit", package: "Cupola"),
        .product(name: "CupolaTours", package: "Cupola"),
        .product(name: "CupolaJournal", package: "Cupola"),
        .product(name: "CupolaTraining", package: "Cupola"),
        .product(name: "CupolaExport", package: "Cupola"),
      ], path: "Documents"),
    .testTarget(
      name: "FormatsTests",
      dependencies: [
        "Snippets", .product(name: "Cupola", package: "Cupola"),
        .product(name: "CupolaCampus", package: "Cupola"),
      ],
      resources: [.copy("Fixtures")]),
  ]
)
