import Foundation

/// The memory of this machine.
package enum Memory {
  /// The bytes that stay free for everything but the weights.
  package static let reserve = 64 << 20

  /// The bytes that count as available in a task, for fuzz targets; nil asks the system.
  @TaskLocal package static var assumed: Int?

  /// Returns the number of bytes that this process can still use without swapping; nil if the system does not
  /// report it.
  ///
  /// On Linux it is the least of the kernel's estimate of available memory, the memory that the control
  /// groups of the process leave, and the limit on its address space. On macOS, which compresses and swaps
  /// instead of refusing, it is the memory of the machine.
  package static func available() -> Int? {
    if let assumed { return assumed }
    #if os(Linux)
      let system = available(inMemoryInfo: text("/proc/meminfo"))
      let candidates = [system, controlGroups(), AddressSpace.available()]
      return candidates.compactMap { $0 }.min()
    #else
      var bytes: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      guard unsafe sysctlbyname("hw.memsize", &bytes, &size, nil, 0) == 0 else { return nil }
      return Int(clamping: bytes)
    #endif
  }

  /// Throws before an allocation that would not fit.
  ///
  /// - Parameters:
  ///   - available: the bytes available; nil if unknown.
  ///   - purpose: the purpose of the memory for the message, such as `the network's weights`.
  ///   - path: the file or configuration that needs the memory, for the message.
  /// - Throws: ``LocatedError`` of kind `insufficientMemory`, with the numbers.
  package static func require(
    _ bytes: Int, of available: Int? = Memory.available(), for purpose: String, path: String,
    remedy: String = "use fewer or shorter patterns, or free some memory"
  ) throws {
    guard let available, bytes > available - reserve else { return }
    throw LocatedError(
      .insufficientMemory, path: path,
      "\(purpose) would need \(byteText(bytes)), but \(byteText(max(0, available - reserve))) are "
        + "available",
      remedy: remedy)
  }

  /// Returns the `MemAvailable` of a `/proc/meminfo`, in bytes.
  static func available(inMemoryInfo text: String?) -> Int? {
    guard let line = text?.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") })
    else { return nil }
    let words = line.split(separator: " ")
    guard words.count >= 2, let kibibytes = Int(words[1]) else { return nil }
    return kibibytes.multipliedReportingOverflow(by: 1024).partialValue
  }

  /// Returns the text of a file of the system.
  static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  #if os(Linux)
    /// Returns the bytes that the control groups of the process and those above them leave.
    private static func controlGroups() -> Int? {
      let lines = text("/proc/self/cgroup")?.split(separator: "\n") ?? []
      return lines.compactMap { line -> Int? in
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return nil }
        if fields[1].isEmpty {
          return leastRemaining(
            root: "/sys/fs/cgroup", group: fields[2], limit: "memory.max",
            usage: "memory.current", reclaimable: "inactive_file")
        }
        guard fields[1].split(separator: ",").contains("memory") else { return nil }
        return leastRemaining(
          root: "/sys/fs/cgroup/memory", group: fields[2], limit: "memory.limit_in_bytes",
          usage: "memory.usage_in_bytes", reclaimable: "total_inactive_file")
      }.min()
    }

    /// Returns the least that a group and those above it leave; file caches count as free.
    private static func leastRemaining(
      root: String, group: Substring, limit: String, usage: String, reclaimable: String
    ) -> Int? {
      var names = group.split(separator: "/")
      var least: Int?
      while true {
        let directory = ([root] + names.map(String.init)).joined(separator: "/")
        if let maximum = number(text("\(directory)/\(limit)")),
          let used = number(text("\(directory)/\(usage)"))
        {
          let cache = text("\(directory)/memory.stat")?.split(separator: "\n")
            .first { $0.hasPrefix("\(reclaimable) ") }
            .flatMap { number($0.split(separator: " ").last.map(String.init)) }
          least = min(least ?? .max, max(0, maximum - used + (cache ?? 0)))
        }
        if names.popLast() == nil { return least }
      }
    }

    private static func number(_ text: String?) -> Int? {
      text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
  #endif
}

/// The limit on the address space of the process (`ulimit -v`).
package enum AddressSpace {
  /// The bytes that the limit leaves; nil without a limit.
  package static func available() -> Int? {
    #if os(Linux)
      guard let limit,
        let pages = Memory.text("/proc/self/statm")?.split(separator: " ").first,
        let used = Int(pages)
      else { return nil }
      return limit - used * sysconf(Int32(_SC_PAGESIZE))
    #else
      return nil
    #endif
  }

  /// Starts the program again if its address space is limited, such that its libraries reserve little of it.
  ///
  /// When it is loaded, OpenBLAS starts a thread per core, and each reserves 128 MiB. If that fails, they try
  /// again forever, and the end of the program waits for them. The memory allocator reserves another 64 MiB
  /// for each thread that allocates. Environment variables prevent both, and are read before `main`.
  package static func restartIfLimited() {
    #if os(Linux)
      guard limit != nil else { return }
      let settings = [("OPENBLAS_NUM_THREADS", "1"), ("MALLOC_ARENA_MAX", "1")]
      let environment = ProcessInfo.processInfo.environment
      // After a restart nothing is left to set.
      guard settings.contains(where: { environment[$0.0] != $0.1 }) else { return }
      for (name, value) in settings { unsafe setenv(name, value, 1) }
      // If it fails, the program continues as it is.
      _ = unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
    #endif
  }

  #if os(Linux)
    /// The limit in bytes; nil if there is none.
    private static var limit: Int? {
      var limit = rlimit()
      guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
        limit.rlim_cur != .max
      else { return nil }
      return Int(clamping: limit.rlim_cur)
    }
  #endif
}
