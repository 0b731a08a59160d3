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

/// Settings for tests with little computation of their own: without optimization, they compile twice as fast. The
/// tested code is still optimized.
let quicklyBuilt = strict + [.unsafeFlags(["-Onone"])]

let linux: TargetDependencyCondition? = .when(platforms: [.linux])

/// An image format that a trait adds on Linux: a C target that is empty without the trait.
struct ImageFormat {
  let trait: String
  let library: String
  let debianPackage: String
  let brewPackage: String

  var system: Target {
    .systemLibrary(
      name: "CLib" + trait, pkgConfig: "lib" + library,
      providers: [.apt([debianPackage]), .brew([brewPackage])])
  }

  var shim: Target {
    .target(
      name: "C" + trait,
      dependencies: [
        .target(name: "CLib" + trait, condition: .when(platforms: [.linux], traits: [trait]))
      ],
      cSettings: [
        .define(
          "CUPOLA_" + trait.uppercased(), .when(platforms: [.linux], traits: [trait]))
      ],
      linkerSettings: [.linkedLibrary(library, .when(platforms: [.linux], traits: [trait]))])
  }
}

let formats = [
  ImageFormat(trait: "HEIF", library: "heif", debianPackage: "libheif-dev", brewPackage: "libheif"),
  ImageFormat(trait: "PNG", library: "png", debianPackage: "libpng-dev", brewPackage: "libpng"),
  ImageFormat(trait: "WebP", library: "webp", debianPackage: "libwebp-dev", brewPackage: "webp"),
]

/// Dependencies of the server and its tests, if the trait is enabled.
let network: [Target.Dependency] = ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"].map {
  .product(name: $0, package: "swift-nio", condition: .when(traits: ["Serve"]))
}

/// The fuzz targets: an executable for `Scripts/verify fuzz`, else a test that runs the corpus.
let fuzzes = Context.environment["CUPOLA_FUZZ"] != nil
let fuzzTarget: Target = {
  let path = "Tests/Fuzz"
  let dependencies: [Target.Dependency] =
    [
      "CupolaSupport", "CupolaCampus", "Cupola", "CupolaTraining", "CupolaExport", "CupolaGuide",
      "CupolaGuideBuilder", "CupolaTransit", "CupolaTours", "CupolaJournal", "CupolaServe",
    ] + network
  guard fuzzes else {
    return .testTarget(
      name: "FuzzTests", dependencies: dependencies + ["CupolaTestSupport"], path: path,
      exclude: ["Corpus", "Driver"], swiftSettings: quicklyBuilt)
  }
  return .executableTarget(
    name: "Fuzz", dependencies: dependencies, path: path,
    exclude: ["Corpus", "FuzzCorpusTests.swift"], swiftSettings: strict)
}()

let package = Package(
  name: "Cupola",
  // iOS 16.4 provides the current BLAS and LAPACK interface, and ContinuousClock for timing. Backport.swift contains
  // newer functions (Array.span and String(validating:as:)). The command uses Mutex, which needs macOS 15.
  // Scripts/verify apple checks both.
  platforms: [.macOS(.v15), .iOS("16.4")],
  products: [
    .library(name: "CupolaCampus", targets: ["CupolaCampus"]),
    .library(name: "Cupola", targets: ["Cupola"]),
    .library(name: "CupolaTraining", targets: ["CupolaTraining"]),
    .library(name: "CupolaExport", targets: ["CupolaExport"]),
    .library(name: "CupolaGuide", targets: ["CupolaGuide"]),
    .library(name: "CupolaGuideBuilder", targets: ["CupolaGuideBuilder"]),
    .library(name: "CupolaTransit", targets: ["CupolaTransit"]),
    .library(name: "CupolaTours", targets: ["CupolaTours"]),
    .library(name: "CupolaJournal", targets: ["CupolaJournal"]),
    .executable(name: "cupola", targets: ["CupolaTool"]),
  ],
  // Apple platforms support these formats without traits.
  traits: [
    .trait(name: "HEIF", description: "Read HEIC and AVIF on Linux, using libheif"),
    .trait(name: "PNG", description: "Read PNG on Linux, using libpng"),
    .trait(name: "WebP", description: "Read WebP on Linux, using libwebp"),
    .trait(name: "Serve", description: "Serve the live page, using SwiftNIO"),
    .default(enabledTraits: ["Serve"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // MARK: - C libraries; Apple platforms use ImageIO and Accelerate instead

    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .target(
      name: "CJPEG",
      dependencies: [.target(name: "CLibJPEG", condition: linux)],
      linkerSettings: [.linkedLibrary("jpeg", .when(platforms: [.linux]))]),
    .target(name: "CVectors"),
    .target(name: "CSHA256"),
    // Timetables are .zip files, and PNG files contain compressed text.
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CMemory"),
    .target(
      name: "CLinearAlgebra",
      // Defined on the command line, because modules ignore definitions in source files.
      cSettings: [.define("ACCELERATE_NEW_LAPACK")],
      linkerSettings: [
        // OpenBLAS is loaded on first use.
        .linkedLibrary("dl", .when(platforms: [.linux])),
        .linkedFramework("Accelerate", .when(platforms: [.macOS, .iOS])),
      ]),

    // MARK: - Shared foundations: files, JSON, digests, text, dates, locks

    .target(
      name: "CupolaSupport",
      // Apple platforms use CryptoKit instead.
      dependencies: ["CMemory", "CZlib", .target(name: "CSHA256", condition: linux)],
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),

    // MARK: - The map: positions, fence and catalog

    .target(
      name: "CupolaCampus", dependencies: ["CupolaSupport"],
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    // MARK: - Recognition: from a photo to an answer

    .target(
      name: "Cupola",
      dependencies: [
        "CupolaSupport", "CupolaCampus",
        .target(name: "CJPEG", condition: linux), "CHEIF", "CPNG", "CWebP",
        "CLinearAlgebra", "CVectors",
      ],
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),

    // MARK: - Training: from photos to a model and its evaluation

    .target(
      name: "CupolaTraining",
      dependencies: [
        "CupolaSupport", "CupolaCampus", "Cupola", "DrawnPictures",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [
        .embedInCode("Report/Page/report.mustache"),
        .embedInCode("Report/Page/gallery.mustache"),
        .embedInCode("Report/Page/head.mustache"),
        .embedInCode("Report/Page/table.mustache"),
        .embedInCode("Report/Page/plot.mustache"),
        .embedInCode("Report/Page/closed.mustache"),
        .embedInCode("Report/Page/photo.mustache"),
        .embedInCode("Report/Page/report.css"),
        .embedInCode("Report/Page/gallery.js"),
        .embedInCode("Report/Page/report.js"),
      ],
      swiftSettings: strict),

    // MARK: - Export: from a model to other runtimes

    .target(
      name: "CupolaExport",
      dependencies: [
        "CupolaSupport", "CupolaCampus", "Cupola", "DrawnPictures",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [
        .embedInCode("C/Runtime"), .embedInCode("Features/HOG/C"),
        .embedInCode("Features/Fisher/C"), .embedInCode("Guide/Code"),
        .embedInCode("Guide/Text"), .embedInCode("Web/Code"),
      ],
      swiftSettings: strict),

    // MARK: - The guide in an app: places, paths, directions and drawing

    .target(
      name: "CupolaGuide", dependencies: ["CupolaSupport", "CupolaCampus"], swiftSettings: strict),
    .target(
      name: "CupolaTransit", dependencies: ["CupolaSupport", "CupolaCampus", "CupolaGuide"],
      swiftSettings: strict),
    .target(
      name: "CupolaTours", dependencies: ["CupolaSupport", "CupolaCampus", "CupolaGuide"],
      swiftSettings: strict),
    .target(
      name: "CupolaJournal", dependencies: ["CupolaSupport", "CupolaCampus", "CupolaGuide"],
      swiftSettings: strict),

    // MARK: - The guide builder: from maps and timetables to a guide

    .target(
      name: "CupolaGuideBuilder",
      dependencies: ["CupolaSupport", "CupolaCampus", "CupolaGuide", "CupolaTransit"],
      swiftSettings: strict),

    // MARK: - Drawn pictures for training and exports, embedded in the program as one file

    .target(name: "CDrawnPictures", exclude: ["drawn.safetensors"]),
    .target(
      name: "DrawnPictures", dependencies: ["Cupola", "CDrawnPictures"], swiftSettings: strict),

    // MARK: - The server of the live page and of Studio

    .target(
      name: "CupolaServe",
      dependencies: [
        "CupolaSupport", "CupolaCampus", "Cupola", "CupolaTraining", "CupolaGuide",
        "CupolaGuideBuilder", "CupolaTours", "CupolaTransit",
      ] + network,
      resources: [.embedInCode("Page"), .embedInCode("Studio/Page")], swiftSettings: strict),

    // MARK: - Programs

    .target(name: "CBuild"),
    .executableTarget(
      name: "CupolaTool",
      dependencies: [
        "CBuild", "CMemory",
        "CupolaSupport", "CupolaCampus", "Cupola", "CupolaTraining", "CupolaExport", "CupolaGuide",
        "CupolaGuideBuilder", "CupolaTransit", "CupolaTours", "CupolaJournal", "CupolaServe",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // MARK: - The tool that draws the sample campus and the drawn pictures; no product links it

    .executableTarget(
      name: "SampleCampus", dependencies: ["Cupola", "DrawnPictures"], path: "Tools/SampleCampus",
      swiftSettings: strict),

    // MARK: - Tests

    // Counts memory allocations.
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    .target(
      name: "CupolaTestSupport", dependencies: ["CupolaSupport", "CupolaCampus", "Cupola"],
      path: "Tests/CupolaTestSupport", swiftSettings: strict),
    .testTarget(
      name: "CupolaSupportTests",
      dependencies: ["CupolaSupport", "CupolaCampus", "Cupola", "CupolaTestSupport"],
      swiftSettings: quicklyBuilt),
    .testTarget(
      name: "CupolaCampusTests",
      dependencies: ["CupolaSupport", "CupolaCampus", "Cupola", "CupolaTestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: quicklyBuilt),
    .testTarget(
      name: "CupolaTests",
      dependencies: ["Cupola", "CupolaTestSupport", "CAllocations"],
      resources: [.copy("Fixtures")], swiftSettings: quicklyBuilt),
    .testTarget(
      name: "CupolaTrainingTests",
      dependencies: [
        "CupolaSupport", "Cupola", "CupolaTraining", "DrawnPictures", "SampleCampus",
        "CupolaTestSupport",
      ],
      resources: [.copy("Fixtures")], swiftSettings: quicklyBuilt),
    .testTarget(
      name: "CupolaExportTests",
      dependencies: ["Cupola", "CupolaTraining", "CupolaExport", "CupolaTestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: quicklyBuilt),
    .testTarget(
      name: "CupolaGuideTests",
      dependencies: [
        "CupolaSupport", "CupolaCampus", "Cupola", "CupolaGuide", "CupolaGuideBuilder",
        "CupolaTransit", "CupolaTours", "CupolaJournal", "CupolaTestSupport",
      ],
      exclude: ["Hours/opening-hours.json", "Drawing/Snapshots"], swiftSettings: quicklyBuilt),
    .testTarget(
      name: "CupolaToolTests",
      dependencies: [
        "CupolaSupport", "CupolaCampus", "Cupola", "CupolaTraining", "CupolaGuide",
        "CupolaGuideBuilder", "CupolaTransit", "CupolaTours", "CupolaJournal", "CupolaServe",
        "CupolaTool", "CupolaTestSupport",
      ] + network,
      exclude: ["Snapshots"], swiftSettings: quicklyBuilt),
  ] + formats.flatMap { [$0.system, $0.shim] } + [fuzzTarget]
)
