// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Example",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a package of yours: .package(url: "https://…/learn2048", branch: "main")
    .package(name: "learn2048", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Example",
      dependencies: [
        .product(name: "Game2048", package: "learn2048"),
        .product(name: "NTupleNetwork", package: "learn2048"),
        .product(name: "Search", package: "learn2048"),
        .product(name: "Training", package: "learn2048"),
        .product(name: "Play", package: "learn2048"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
