struct cupola_answer cupola_answer(const float *probabilities) {
  struct cupola_answer answer = {CUPOLA_NOT_A_CAMPUS_BUILDING, 0, 0, 0};
  int second = 0;
  double buildings = 0;
  for (int label = 1; label <= CUPOLA_BUILDINGS; label++) {
    buildings += (double)probabilities[label];
    if (answer.label == 0 || probabilities[label] > probabilities[answer.label]) {
      second = answer.label;
      answer.label = label;
    } else if (second == 0 || probabilities[label] > probabilities[second]) {
      second = label;
    }
  }
  if (answer.label == 0) return answer;
  const double best = (double)probabilities[answer.label], other = (double)probabilities[second];
  const double unknown = CUPOLA_HAS_UNKNOWN ? (double)probabilities[CUPOLA_LABELS - 1] : 0;
  answer.probability = (float)(unknown < 1 ? best / (1 - unknown) : best);
#if CUPOLA_HAS_BACKGROUND || CUPOLA_HAS_UNKNOWN
  /* Log odds of the best building against everything else. */
  const double odds = log(best) - log((double)probabilities[0] + unknown);
  if (!(odds >= CUPOLA_LEAST_ODDS)) return answer;
#endif
  /* The fractions of the total building probability for the two best buildings. */
  const double share = buildings > 0 ? best / buildings : 0;
  const double next = second != 0 && buildings > 0 ? other / buildings : 0;
  if (share >= CUPOLA_LEAST_SHARE) {
    answer.verdict = CUPOLA_BUILDING;
  } else if (share + next >= CUPOLA_LEAST_SHARE) {
    answer.verdict = CUPOLA_UNSURE, answer.other = second;
  }
  return answer;
}

