// Compares this device's answers for the photos in golden with Cupola's answers.

/** Returns an object with the properties file, kind, passes, difference and logarithm for each photo. */
export async function check(recognizer, folder = ".") {
  const expected = await (await fetch(`${folder}/golden/expected.json`)).json(), results = [];
  for (const picture of expected.pictures) {
    const photo = await (await fetch(`${folder}/golden/${picture.file}`)).blob();
    const { p } = await recognizer.probabilities(photo);
    const pairs = picture.probabilities.map((b, i) => [Math.max(p[i] ?? 1e-30, 1e-30), Math.max(b, 1e-30)]);
    const difference = Math.max(...pairs.map(([a, b]) => Math.abs(a - b)));
    const logarithm = Math.max(...pairs.map(([a, b]) => Math.abs(Math.log(a / b))));
    let passes = p.length === expected.labels.length && difference <= picture.tolerance && logarithm <= picture.log_tolerance;
    if (picture.verdict === "not_on_campus") {
      const { latitude, longitude } = picture, place = { latitude, longitude, accuracy: 10 };
      passes &&= (await recognizer.answer(photo, place)).verdict === "not_on_campus";
    }
    results.push({ file: picture.file, kind: picture.kind, passes, difference, logarithm });
  }
  return results;
}
