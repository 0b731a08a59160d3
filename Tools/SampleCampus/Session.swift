import Cupola

/// A photo session: a day with its weather and season.
struct Session {
  let group: String
  let split: String
  let month: Int
  let day: Int
  let hour: Int
  let light: Light
  private let startMinute: Int

  var zone: String { month >= 4 && month <= 10 ? "+02:00" : "+01:00" }

  init(group: String, split: String, weather: Weather, using random: inout SplitMix64) {
    self.group = group
    self.split = split
    month = random.whole(3...11)
    day = random.whole(1...28)
    let summer = Double(6 - abs(month - 6)) / 6
    hour =
      weather == .dusk
      ? Int(17.2 + 4 * summer) : random.whole(8...16)
    startMinute = random.whole(0...40)
    let azimuth =
      weather == .dusk
      ? 250 + 60 * summer + random.unit * 20 : Double(hour) * 15 - 10 + 12 * random.unit
    let noon = 22 + 40 * summer
    let elevation =
      weather == .dusk ? 3 : max(noon - Double(abs(hour - 13)) * 5.5, 12)
    var light = weather.light(
      azimuth: azimuth, elevation: elevation, mood: random.unit,
      seed: random.whole(0...999))
    light.leaf = Self.leaf(month, random.unit)
    self.light = light
  }

  /// Returns the capture time of a photo, such as "2025:06:03 14:05:09".
  func taken(_ number: Int, using random: inout SplitMix64) -> String {
    let minute = min(startMinute + number * 5, 59)
    let second = random.whole(0...59)
    func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    return "2025:\(two(month)):\(two(day)) \(two(hour)):\(two(minute)):\(two(second))"
  }

  private static func leaf(_ month: Int, _ mood: Double) -> Vector {
    let summer = Vector(0.08, 0.18, 0.04)
    let autumn = Vector(0.34, 0.16 + 0.08 * mood, 0.03)
    let spring = Vector(0.17, 0.27, 0.06)
    switch month {
    case 3, 4: return spring
    case 10, 11: return autumn
    case 9: return summer.mixed(with: autumn, 0.5 * mood)
    default: return summer * (0.85 + 0.4 * mood)
    }
  }
}
