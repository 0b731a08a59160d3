// swift-tools-version: 6.2

import PackageDescription

// MARK: - Settings shared by every Swift target

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let linux: TargetDependencyCondition? = .when(platforms: [.linux])

let package = Package(
  name: "Cupola",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Cupola", targets: ["Cupola"]),
    .library(name: "CupolaTraining", targets: ["CupolaTraining"]),
    .executable(name: "cupola", targets: ["CupolaTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
  ],
  targets: [
    // MARK: - C libraries, on Linux only: Apple platforms bring ImageIO and Accelerate

    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "COpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev"]), .brew(["openblas"])]),
    .target(
      name: "CJPEG",
      dependencies: [.target(name: "CLibJPEG", condition: linux)],
      linkerSettings: [.linkedLibrary("jpeg", .when(platforms: [.linux]))]),

    // MARK: - The phone: from a photo to an answer

    .target(
      name: "Cupola",
      dependencies: [
        .target(name: "CJPEG", condition: linux),
        .target(name: "COpenBLAS", condition: linux),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    // MARK: - The bench: from photos to a model, its evaluation and its export

    .target(
      name: "CupolaTraining",
      dependencies: [
        "Cupola", "SampleScenes", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [
        .embedInCode("Evaluation/Page/report.mustache"),
        .embedInCode("Evaluation/Page/table.mustache"),
        .embedInCode("Evaluation/Page/report.css"),
        .embedInCode("Export/C/Runtime"),
      ],
      swiftSettings: strict),

    .target(name: "SampleScenes", dependencies: ["Cupola"], swiftSettings: strict),

    // MARK: - Programs

    .executableTarget(
      name: "CupolaTool",
      dependencies: [
        "Cupola", "CupolaTraining",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "SampleCampus", dependencies: ["Cupola", "SampleScenes"], swiftSettings: strict),

    // MARK: - Tests

    .testTarget(
      name: "CupolaTests", dependencies: ["Cupola"],
      resources: [.copy("Fixtures")], swiftSettings: strict),
    .testTarget(
      name: "CupolaTrainingTests", dependencies: ["Cupola", "CupolaTraining"],
      resources: [.copy("Fixtures")], swiftSettings: strict),
    .testTarget(
      name: "CupolaToolTests", dependencies: ["Cupola", "CupolaTraining", "CupolaTool"],
      exclude: ["Snapshots"], swiftSettings: strict),
  ]
)
