/// Returns a number of bytes for people, such as `256 MiB`; exact below 10 KiB.
package func byteText(_ bytes: Int) -> String {
  let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
  guard bytes >= 10 << 10 else {
    return bytes == 1 ? "1 byte" : "\(NumberText.grouped(bytes)) bytes"
  }
  var value = Double(bytes) / 1024
  var unit = 0
  while value >= 1024, unit + 1 < units.count {
    value /= 1024
    unit += 1
  }
  let tenths = Int((value * 10).rounded())
  return tenths >= 1000 || tenths % 10 == 0
    ? "\((tenths + 5) / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
}
