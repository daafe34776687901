import Foundation

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
