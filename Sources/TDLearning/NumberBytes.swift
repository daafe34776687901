// Numbers as bytes in the byte order of the machine, as ranks send them to each other.

extension [UInt8] {
  /// Appends the bytes of numbers.
  package mutating func append<Number: BitwiseCopyable>(numbers: [Number]) {
    unsafe numbers.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension ArraySlice<UInt8> {
  /// Removes and returns the numbers at the start.
  ///
  /// - Precondition: The slice has the bytes of `count` numbers.
  package mutating func removeNumbers<Number: BitwiseCopyable>(
    _ count: Int, of type: Number.Type
  ) -> [Number] {
    let byteCount = count * MemoryLayout<Number>.stride
    precondition(byteCount <= self.count, "a message that ends too early")
    defer { removeFirst(byteCount) }
    return unsafe withUnsafeBytes { bytes in
      unsafe [Number](unsafeUninitializedCapacity: count) { numbers, initializedCount in
        unsafe UnsafeMutableRawBufferPointer(numbers)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        initializedCount = count
      }
    }
  }
}
