// swift-tools-version: 6.2
import PackageDescription

let refusesWarnings = Context.environment["LEARN2048_WARNINGS"] == "error"
let warnings: [SwiftSetting] = refusesWarnings ? [.treatAllWarnings(as: .error)] : []
let warningsOfC: [CSetting] = refusesWarnings ? [.treatAllWarnings(as: .error)] : []
let strict: [SwiftSetting] = [.strictMemorySafety()] + warnings

/// A library target of this package; every one is compiled with strict memory safety.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.byName(name: name), "TestSupport"] + dependencies)
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let web: [Target.Dependency] = ["FlyingFox", "FlyingSocks"].map {
  .product(name: $0, package: "FlyingFox")
}
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

// Arrows point down only: a target depends on targets listed above it, never below.
let package = Package(
  name: "learn2048",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "learn2048", targets: ["learn2048"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    .systemLibrary(
      name: "COpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev"]), .brew(["openblas"])]),
    .systemLibrary(
      name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"]), .brew(["xz"])]),
    .target(name: "CIntrinsics", cSettings: warningsOfC),

    library("RandomSources"),
    library("Game2048", ["CIntrinsics"]),
    library("Evaluators", ["CIntrinsics", "Game2048"]),
    library("NTupleNetwork", ["CIntrinsics", "Game2048", "Evaluators"]),
    library("DenseKernels", ["COpenBLAS"]),
    library("TDLearning", ["Game2048", "NTupleNetwork", "DenseKernels"]),
    library("Search", ["CIntrinsics", "Game2048", "RandomSources", "Evaluators", "NTupleNetwork"]),
    library("Arena", ["Game2048", "RandomSources", "NTupleNetwork", "Search"]),
    library("ModelFiles", ["CLZMA", "Game2048", "NTupleNetwork", crypto]),
    library(
      "Training",
      [
        "CIntrinsics", "RandomSources", "Game2048", "NTupleNetwork", "DenseKernels", "TDLearning",
        "Search", "Arena",
        "ModelFiles", logging,
      ]),
    library(
      "Benchmarks",
      [
        "RandomSources", "Game2048", "NTupleNetwork", "DenseKernels", "TDLearning", "Search",
        "Arena", "ModelFiles", "Training",
      ]),
    library(
      "Experiments",
      ["NTupleNetwork", "Search", "Arena", "ModelFiles", "Training", logging]),
    library("Console", ["Game2048"]),
    library(
      "WebInterface",
      ["RandomSources", "Game2048", "NTupleNetwork", "Search", "Arena", "Training"] + web,
      resources: [.embedInCode("Page/page.html")]),
    .executableTarget(
      name: "learn2048",
      dependencies: [
        "RandomSources", "Game2048", "NTupleNetwork", "TDLearning", "Search", "Arena", "ModelFiles",
        "Training", "Benchmarks", "Experiments", "Console", "WebInterface", argumentParser, logging,
      ],
      swiftSettings: strict),

    .target(name: "CCounters", path: "Tests/CCounters", cSettings: warningsOfC),
    .target(
      name: "TestSupport",
      dependencies: ["CCounters", "Game2048", "NTupleNetwork", "RandomSources"],
      path: "Tests/TestSupport", swiftSettings: warnings),
    tests(of: "CIntrinsics", ["RandomSources"]),
    tests(of: "RandomSources"),
    tests(of: "Game2048", ["RandomSources"]),
    tests(of: "Evaluators"),
    tests(of: "NTupleNetwork", ["Game2048", "RandomSources"]),
    tests(of: "TDLearning", ["DenseKernels", "Game2048", "NTupleNetwork", "RandomSources"]),
    tests(of: "Search"),
    tests(of: "Arena", ["Game2048", "NTupleNetwork", "RandomSources"]),
    tests(of: "ModelFiles", ["Game2048"]),
    tests(
      of: "Training",
      ["Game2048", "ModelFiles", "NTupleNetwork", "RandomSources", "TDLearning", logging]),
    tests(of: "Benchmarks", ["Game2048", "NTupleNetwork", "TDLearning", "Training"]),
    tests(of: "Experiments", ["Arena", "ModelFiles", "Training"]),
    tests(of: "Console", ["Game2048"]),
    tests(of: "WebInterface", ["Arena", "Game2048", "NTupleNetwork", "Search", "Training"] + web),
    .testTarget(
      name: "CommandLineTests", dependencies: ["learn2048", "Arena", "Training", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
