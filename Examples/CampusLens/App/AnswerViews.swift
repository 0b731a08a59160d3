import Cupola
import Foundation
import SwiftUI

/// The answer in large text, with what the map says about the building.
struct AnswerView: View {
  let text: AnswerText
  let building: Building?

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(text.title).font(.largeTitle).bold().accessibilityAddTraits(.isHeader)
      if let detail = text.detail { Text(detail).foregroundStyle(.secondary) }
      ForEach([building?.description, building?.address].compactMap(\.self), id: \.self) {
        Text($0)
      }
    }
    .accessibilityElement(children: .combine)
  }
}

/// The most probable buildings; for a rejected photo, the most similar ones without probabilities.
struct CandidateList: View {
  let candidates: [Candidate]
  let campus: Campus?
  var showsProbabilities = true

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      Text(showsProbabilities ? "Most Probable Buildings" : "Most Similar Buildings")
        .font(.headline).accessibilityAddTraits(.isHeader)
      ForEach(candidates, id: \.label) { candidate in
        let percent = candidate.probability.formatted(.percent.precision(.fractionLength(1)))
        VStack(alignment: .leading, spacing: 2) {
          HStack {
            Text(campus?.building(labeled: candidate.label)?.name ?? candidate.label)
            Spacer()
            if showsProbabilities {
              Text(percent).monospacedDigit().foregroundStyle(.secondary)
            }
          }
          if showsProbabilities {
            ProgressView(value: min(candidate.probability, 1)).accessibilityHidden(true)
          }
        }
        .accessibilityElement(children: .combine)
      }
    }
  }
}

/// The nearest buildings, also those without training photos.
struct NearbyList: View {
  let buildings: [NearbyBuilding]

  var body: some View {
    if !buildings.isEmpty {
      VStack(alignment: .leading, spacing: 8) {
        Text("Nearby").font(.headline).accessibilityAddTraits(.isHeader)
        ForEach(Array(buildings.prefix(3).enumerated()), id: \.offset) { _, nearby in
          HStack {
            Text(nearby.building.name)
            Spacer()
            Text(place(of: nearby)).foregroundStyle(.secondary)
          }
          .accessibilityElement(children: .combine)
        }
      }
    }
  }

  private func place(of nearby: NearbyBuilding) -> String {
    let meters = "\(Int(nearby.distance.rounded())) m"
    return switch nearby.side {
    case .ahead: "\(meters) ahead"
    case .behind: "\(meters) behind you"
    case .left: "\(meters) to the left"
    case .right: "\(meters) to the right"
    case nil: meters
    }
  }
}
