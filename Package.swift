// swift-tools-version: 6.2
import PackageDescription

let refusesWarnings = Context.environment["LEARN2048_WARNINGS"] == "error"
let warnings: [SwiftSetting] = refusesWarnings ? [.treatAllWarnings(as: .error)] : []
let warningsOfC: [CSetting] = refusesWarnings ? [.treatAllWarnings(as: .error)] : []

/// Whether `scripts/fuzz --guided` builds for libFuzzer, which counts what is executed.
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

/// The MPI library, as pkg-config names it, if `scripts/build --mpi` builds for jobs of several processes.
let mpiLibrary = Context.environment["LEARN2048_MPI"]

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

// Arrows point down only: a target depends on targets listed above it, never below.
let package = Package(
  name: "learn2048",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "learn2048", targets: ["learn2048"]),
    .library(name: "Game2048", targets: ["Game2048", "RandomSources"]),
    .library(
      name: "NTupleNetwork", targets: ["NTupleNetwork", "Evaluators", "ModelFiles", "Basics"]),
    .library(name: "Search", targets: ["Search", "Players"]),
    .library(name: "Arena", targets: ["Arena"]),
    .library(
      name: "Training",
      targets: ["Training", "SelfPlay", "Configuration", "Checkpoints", "TDLearning"]),
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
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "CIntrinsics", cSettings: warningsOfC),

    .target(
      name: "CVersion",
      cSettings: [.define("LEARN2048_VERSION", to: "\"\(version)\"")] + warningsOfC),

    library("Basics", ["CIntrinsics", "CVersion", "COpenSSL"]),
    library("Ranks", ["Basics"]),
    library("RandomSources"),
    library("Game2048", ["CIntrinsics"]),
    library("Evaluators", ["CIntrinsics", "Game2048"]),
    library("NTupleNetwork", ["CIntrinsics", "Game2048", "Evaluators"]),
    library(
      "Search", ["CIntrinsics", "Game2048", "RandomSources", "Evaluators", "NTupleNetwork"]),
    library("EndgameTables", ["Basics", "CIntrinsics", "Game2048", "Evaluators"]),
    library("DenseKernels", ["COpenBLAS"]),
    library("TDLearning", ["Game2048", "NTupleNetwork", "DenseKernels", "Ranks"]),
    library("ModelFiles", ["CLZMA", "Basics", "Game2048", "NTupleNetwork"]),
    library(
      "Arena",
      ["Basics", "Ranks", "Game2048", "RandomSources", "NTupleNetwork", "ModelFiles", "Search"]),
    library("Checkpoints", ["Basics", "NTupleNetwork", "ModelFiles"]),
    library(
      "Configuration", ["Basics", "Game2048", "RandomSources", "NTupleNetwork", "TDLearning"]),
    library(
      "SelfPlay",
      [
        "Basics", "Ranks", "RandomSources", "Game2048", "NTupleNetwork", "DenseKernels",
        "TDLearning", "Configuration",
      ]),
    library(
      "Training",
      [
        "Basics", "Ranks", "Game2048", "RandomSources", "NTupleNetwork", "TDLearning", "ModelFiles",
        "Checkpoints", "Configuration", "SelfPlay", logging,
      ]),
    library(
      "Players",
      [
        "Basics", "Ranks", "RandomSources", "Game2048", "Evaluators", "EndgameTables",
        "NTupleNetwork",
        "Search", "Arena", "ModelFiles", "Checkpoints", "SelfPlay", "Training",
      ]),
    library("Review", ["Basics", "Game2048", "Search", "Arena", "Players"]),
    library(
      "Benchmarks",
      [
        "Basics", "Ranks", "RandomSources", "Game2048", "NTupleNetwork", "DenseKernels",
        "TDLearning", "Search", "Arena", "ModelFiles", "Configuration", "SelfPlay", "Players",
      ]),
    library(
      "Sweeps",
      [
        "Basics", "Ranks", "NTupleNetwork", "Search", "Arena", "ModelFiles", "Checkpoints",
        "Configuration", "SelfPlay", "Training", "Players", logging,
      ]),
    library("Console", ["Basics", "Game2048"]),
    library(
      "WebInterface",
      [
        "Basics", "RandomSources", "Game2048", "NTupleNetwork", "Search", "Arena", "Checkpoints",
        "Configuration", "Training", "Players", "Review",
      ] + web,
      resources: pageFiles.map { .embedInCode("Page/\($0)") }),
    .executableTarget(
      name: "learn2048",
      dependencies: [
        "Basics", "Ranks", "RandomSources", "Game2048", "NTupleNetwork", "TDLearning", "Search",
        "Arena", "ModelFiles", "Checkpoints", "Configuration", "SelfPlay", "Training", "Players",
        "EndgameTables", "Benchmarks", "Review", "Sweeps", "Console", "WebInterface",
        argumentParser, logging,
      ] + (mpiLibrary == nil ? [] : ["MPIRanks"]),
      swiftSettings: strict + (mpiLibrary == nil ? [] : [.define("MPI")])),

    library(
      "FuzzTargets",
      [
        "Basics", "RandomSources", "Game2048", "EndgameTables", "NTupleNetwork", "ModelFiles",
        "Arena", "Checkpoints", "Configuration", "SelfPlay", "Training", "Players", "Review",
        "Sweeps", "WebInterface",
      ]),
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets", argumentParser], swiftSettings: strict),

    .target(name: "CCounters", path: "Tests/CCounters", cSettings: warningsOfC),
    .target(
      name: "TestSupport",
      dependencies: [
        "CCounters", "Basics", "Game2048", "ModelFiles", "NTupleNetwork", "RandomSources", "Ranks",
      ],
      path: "Tests/TestSupport", swiftSettings: warnings),
    tests(of: "CIntrinsics", ["RandomSources"]),
    tests(of: "Ranks", ["Basics"]),
    tests(of: "Basics", ["ModelFiles", "NTupleNetwork"]),
    tests(of: "RandomSources"),
    tests(of: "Game2048", ["RandomSources"]),
    tests(of: "Evaluators", ["Game2048"]),
    tests(of: "NTupleNetwork", ["Game2048", "RandomSources", "TDLearning"]),
    tests(of: "Search", ["Evaluators", "Game2048", "NTupleNetwork", "Players"]),
    tests(of: "EndgameTables", ["Basics", "Evaluators", "Game2048"]),
    tests(of: "DenseKernels"),
    tests(of: "TDLearning", ["DenseKernels", "Game2048", "NTupleNetwork", "RandomSources"]),
    tests(of: "ModelFiles", ["CLZMA", "Basics", "Game2048", "NTupleNetwork"]),
    tests(
      of: "Arena",
      [
        "Basics", "Game2048", "ModelFiles", "NTupleNetwork", "Players", "RandomSources", "Ranks",
        "Search",
      ]),
    tests(of: "Checkpoints", ["Basics", "ModelFiles", "NTupleNetwork"]),
    tests(
      of: "Configuration",
      ["Basics", "Game2048", "NTupleNetwork", "SelfPlay", "TDLearning", "Training"]),
    tests(of: "SelfPlay", ["Configuration", "Game2048", "RandomSources"]),
    tests(
      of: "Training",
      [
        "Basics", "Checkpoints", "Configuration", "Game2048", "ModelFiles", "NTupleNetwork",
        "Players", "RandomSources", "Ranks", "SelfPlay", "TDLearning", logging,
      ]),
    tests(
      of: "Players",
      [
        "Arena", "Basics", "EndgameTables", "Evaluators", "Game2048", "ModelFiles",
        "NTupleNetwork", "Ranks", "Search",
      ]),
    tests(
      of: "Review",
      ["Arena", "Basics", "Game2048", "NTupleNetwork", "Players", "RandomSources", "Search"]),
    tests(
      of: "Benchmarks",
      [
        "Configuration", "Game2048", "NTupleNetwork", "Players", "Search", "SelfPlay", "TDLearning",
      ]),
    tests(
      of: "Sweeps",
      ["Arena", "Basics", "Configuration", "ModelFiles", "Ranks", "SelfPlay", "Training"]),
    tests(of: "Console", ["Basics", "Game2048"]),
    tests(
      of: "WebInterface",
      [
        "Arena", "Basics", "Checkpoints", "Configuration", "EndgameTables", "Game2048",
        "NTupleNetwork", "Players", "Review", "Search", "RandomSources", "Training",
      ] + web),
    .testTarget(
      name: "FuzzTargetsTests", dependencies: ["FuzzTargets"], exclude: ["Corpus"]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "learn2048", "Arena", "Basics", "Configuration", "SelfPlay", "Training", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if let mpiLibrary {
  package.targets += [
    .systemLibrary(
      name: "MPILibrary", pkgConfig: mpiLibrary,
      providers: [.apt(["libopenmpi-dev"]), .brew(["open-mpi"])]),
    .target(name: "CMPI", dependencies: ["MPILibrary"], cSettings: warningsOfC),
    library("MPIRanks", ["CMPI", "Ranks"]),
  ]
}

if let tested {
  let names = Set(tested.map { "\($0)Tests" })
  let unknown = names.subtracting(package.targets.map(\.name))
  if !unknown.isEmpty { fatalError("LEARN2048_TESTS: no targets \(unknown.sorted())") }
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
