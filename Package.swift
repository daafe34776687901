// swift-tools-version: 6.2
import PackageDescription

let refusesWarnings = Context.environment["LEARN2048_WARNINGS"] == "error"
let warnings: [SwiftSetting] = refusesWarnings ? [.treatAllWarnings(as: .error)] : []
let warningsOfC: [CSetting] = refusesWarnings ? [.treatAllWarnings(as: .error)] : []

/// Whether `scripts/attacks/fuzz --guided` builds for libFuzzer, which counts what is executed.
let isForFuzzer = Context.environment["LEARN2048_FUZZER"] == "libfuzzer"
let coverage: [SwiftSetting] =
  isForFuzzer
  ? [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]), .define("LIBFUZZER")] : []
let strict: [SwiftSetting] = [.strictMemorySafety()] + warnings + coverage

/// What the repository calls this build: what `scripts/build` passes on, or the tag or commit that was checked
/// out when the package manager last read this file. It goes into one C file, so that a new commit compiles
/// no Swift module again.
let version =
  Context.environment["LEARN2048_VERSION"] ?? Context.gitInformation?.currentTag
  ?? Context.gitInformation.map { String($0.currentCommit.prefix(7)) } ?? "unknown"

/// The MPI library, as pkg-config names it, if `scripts/build --mpi` builds `learn2048-mpi` as well.
let mpiLibrary = Context.environment["LEARN2048_MPI"]

/// A library target of this package; every one is compiled with strict memory safety.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
  settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: strict + settings)
}

/// The tests of a module or of a part of one.
///
/// - Parameter isOptimized: Whether the tests themselves are optimised, too. Without that they compile three times as
///   fast; those that compare with a slow reference need it.
func tests(
  of name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  isOptimized: Bool = false
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: isOptimized ? [] : [.unsafeFlags(["-Onone"])])
}

/// The files of the web page, which `PageFile` lists, too.
let pageFiles = [
  "page.html", "page.css", "main.js", "common.js", "rules.js", "game.js", "board.js", "analysis.js",
  "play.js", "review.js", "runs.js", "chart.js", "curves.js", "configurations.js",
]

let web = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOEmbedded"].map {
  Target.Dependency.product(name: $0, package: "swift-nio")
}
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// What the test targets that are built test: everything, or what LEARN2048_TESTS lists, such as "Search Training".
/// A build with a sanitizer leaves out other tests, and what only they require.
let tested = Context.environment["LEARN2048_TESTS"].map { $0.split(whereSeparator: \.isWhitespace) }

/// Whether the fuzz targets include the readers of Play, Experiments and WebInterface. Builds with a sanitizer leave them
/// out: the readers have no unsafe operations, and with NIO, these modules take more than three minutes of processor time.
let fuzzesAll = tested == nil

// Arrows point down only: a target depends on targets listed above it, never below.
let package = Package(
  name: "learn2048",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "learn2048", targets: ["learn2048"]),
    .library(name: "Game2048", targets: ["Game2048"]),
    .library(name: "NTupleNetwork", targets: ["NTupleNetwork", "ModelFiles", "Basics"]),
    .library(name: "Search", targets: ["Search"]),
    .library(name: "Training", targets: ["Training", "Learning"]),
    .library(name: "Play", targets: ["Play"]),
    .library(name: "learn2048c", type: .dynamic, targets: ["LibraryInterface"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .systemLibrary(
      name: "COpenBLAS", pkgConfig: "openblas",
      providers: [.apt(["libopenblas-dev"]), .brew(["openblas"])]),
    .systemLibrary(
      name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"]), .brew(["xz"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "CIntrinsics", cSettings: warningsOfC),
    .target(
      name: "CVersion",
      cSettings: [.define("LEARN2048_VERSION", to: "\"\(version)\"")] + warningsOfC),

    library("Basics", ["CIntrinsics", "CVersion", "COpenSSL"]),
    library("Game2048", ["CIntrinsics"]),
    library("NTupleNetwork", ["CIntrinsics", "Game2048"]),
    library("ModelFiles", ["CLZMA", "CZstd", "Basics", "Game2048", "NTupleNetwork"]),
    library("Learning", ["COpenBLAS", "Basics", "Game2048", "NTupleNetwork"]),
    library("EndgameTables", ["Basics", "CIntrinsics", "Game2048", "NTupleNetwork"]),
    library("Search", ["CIntrinsics", "Game2048", "NTupleNetwork"]),
    library(
      "Training", ["Basics", "Game2048", "NTupleNetwork", "ModelFiles", "Learning", logging]),
    library(
      "Play",
      ["Basics", "Game2048", "NTupleNetwork", "ModelFiles", "EndgameTables", "Search", "Training"]),
    library(
      "Experiments",
      [
        "Basics", "Game2048", "NTupleNetwork", "ModelFiles", "Learning", "Search", "Training",
        "Play",
        logging,
      ]),
    library(
      "WebInterface",
      ["Basics", "Game2048", "NTupleNetwork", "Search", "Training", "Play"] + web,
      resources: pageFiles.map { .embedInCode("Page/\($0)") }),
    library(
      "Commands",
      [
        "Basics", "Game2048", "NTupleNetwork", "ModelFiles", "Learning", "EndgameTables", "Search",
        "Training", "Play", "Experiments", "WebInterface", argumentParser, logging,
      ]),
    .executableTarget(name: "learn2048", dependencies: ["Commands"], swiftSettings: strict),

    .systemLibrary(name: "CLearn2048"),
    .target(
      name: "LibraryInterface",
      dependencies: [
        "CLearn2048", "CIntrinsics", "Basics", "Game2048", "NTupleNetwork", "ModelFiles",
        "Learning", "Search", "Training", "Play",
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "Example",
      dependencies: ["Game2048", "NTupleNetwork", "ModelFiles", "Search", "Training", "Play"],
      path: "Docs/Example/Sources/Example", packageAccess: false, swiftSettings: warnings),

    library(
      "FuzzTargets",
      [
        "Basics", "Game2048", "EndgameTables", "NTupleNetwork", "ModelFiles", "Training",
      ] + (fuzzesAll ? ["Play", "Experiments", "WebInterface"] : []),
      settings: fuzzesAll ? [.define("ALL_INPUTS")] : []),
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets", argumentParser], swiftSettings: strict),

    .target(name: "CCounters", path: "Tests/CCounters", cSettings: warningsOfC),
    .target(
      name: "TestSupport",
      dependencies: ["CCounters", "Basics", "Game2048", "ModelFiles", "NTupleNetwork", logging],
      path: "Tests/TestSupport", swiftSettings: warnings),
    tests(of: "CIntrinsics", ["CIntrinsics", "Game2048"], isOptimized: true),
    tests(of: "Basics", ["Basics", "ModelFiles", "NTupleNetwork"]),
    tests(of: "Game2048", ["Game2048"], isOptimized: true),
    tests(of: "NTupleNetwork", ["Game2048", "Learning", "NTupleNetwork"], isOptimized: true),
    tests(of: "ModelFiles", ["CLZMA", "Basics", "Game2048", "ModelFiles", "NTupleNetwork"]),
    tests(of: "Learning", ["Game2048", "Learning", "NTupleNetwork"], isOptimized: true),
    tests(
      of: "EndgameTables", ["Basics", "EndgameTables", "Game2048", "NTupleNetwork", "Search"],
      isOptimized: true),
    tests(of: "Search", ["Game2048", "NTupleNetwork", "Play", "Search"], isOptimized: true),
    tests(of: "Configuration", ["Basics", "Game2048", "Learning", "NTupleNetwork", "Training"]),
    tests(of: "Checkpoints", ["Basics", "ModelFiles", "NTupleNetwork", "Training"]),
    tests(
      of: "Training",
      [
        "Basics", "Game2048", "Learning", "ModelFiles", "NTupleNetwork", "Play", "Training",
        logging,
      ]),
    tests(
      of: "Play",
      [
        "Basics", "EndgameTables", "Game2048", "ModelFiles", "NTupleNetwork", "Play", "Search",
        "Training",
      ]),
    tests(
      of: "Experiments",
      [
        "Basics", "Experiments", "Game2048", "Learning", "ModelFiles", "NTupleNetwork", "Play",
        "Search", "Training",
      ]),
    tests(
      of: "WebInterface",
      [
        "Basics", "EndgameTables", "Game2048", "NTupleNetwork", "Play", "Search", "Training",
        "WebInterface",
      ] + web),
    tests(
      of: "Commands", ["Basics", "Commands", "Game2048", "Play", "Training", "learn2048"]),
    // What threads share, which `.ci/run threads` runs with the thread sanitizer.
    tests(
      of: "Threads",
      [
        "Basics", "Game2048", "Learning", "ModelFiles", "NTupleNetwork", "Play", "Search",
        "Training", logging,
      ]),
    tests(of: "FuzzTargets", ["FuzzTargets"], exclude: ["Corpus"]),
  ],
  swiftLanguageModes: [.v6]
)

if let mpiLibrary {
  package.targets += [
    .systemLibrary(
      name: "MPILibrary", pkgConfig: mpiLibrary,
      providers: [.apt(["libopenmpi-dev"]), .brew(["open-mpi"])]),
    .target(name: "CMPI", dependencies: ["MPILibrary"], cSettings: warningsOfC),
    library("MPIRanks", ["CMPI", "Basics"]),
    .executableTarget(
      name: "learn2048-mpi", dependencies: ["Commands", "MPIRanks"], swiftSettings: strict),
  ]
}

if let tested {
  let names = Set(tested.map { "\($0)Tests" })
  let unknown = names.subtracting(package.targets.map(\.name))
  if !unknown.isEmpty { fatalError("LEARN2048_TESTS: no targets \(unknown.sorted())") }
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
