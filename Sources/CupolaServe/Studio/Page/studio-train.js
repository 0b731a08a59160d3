// The step Train: starts a training, and shows its figures, the mistakes and the runs so far.

import { inWords, make, write } from "./answer.js";
import { number, object, text } from "./connection.js";
import { act, folders, isNew, list, nameOf, page, plural, state, watch } from "./studio-core.js";
import { thumb } from "./studio-photos.js";

const mostMistakes = 60;
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
let wanted = null;

export function startTrain() {
  page["train-button"].addEventListener("click", train);
  page["measure-button"].addEventListener("click", () => act("api/job", { kind: "evaluate" }));
  watch(show);
}

async function train() {
  wanted = (await act("api/job", { kind: "train", options: {} }))?.job ?? null;
}

function show({ runs, job, missing, model }) {
  const now = object(job), isRunning = now?.state === "running", buildings = folders().filter((one) => !one.isShelf && one.photos);
  page["train-button"].disabled = isRunning || buildings.length < 2;
  page["measure-button"].disabled = isRunning || !model;
  write(page["train-button"], runs.length ? "Train again" : "Train");
  write(page["train-note"], buildings.length < 2 ? "Add photos of at least two buildings first." : isRunning ? "You can close this page; the training continues." :
    `${plural(buildings.reduce((sum, one) => sum + one.photos, 0), "photo")} of ${plural(buildings.length, "building")}.${missing.length ? ` Missing: ${missing.join("; ")}` : ""}`);
  // The window that started a training also measures the model.
  if (wanted !== null && now?.id === wanted && !isRunning) {
    wanted = null;
    if (now.state === "done") act("api/job", { kind: "evaluate" });
  }
  const run = runs.reduce((newest, one) => !newest || one.id > newest.id ? one : newest, null);
  if (!isNew("runs", runs, missing, state.labels)) return;
  showRun(run);
  showHistory(runs);
}

// The values of a run, from the training or, if there was one, from an evaluation.
function valuesOf(run) {
  const all = object(run.figures) ?? {}, verdicts = object(all.verdicts?.buildings);
  const count = (...names) => names.reduce((sum, name) => sum + (number(verdicts?.[name]) ?? 0), 0);
  const named = count("right", "wrong", "mapped_right", "mapped_wrong"), asked = named + count("unsure", "not_a_campus_building", "not_on_campus");
  const rejected = number(all.false_rejection_rate);
  return {
    isMeasured: asked > 0, right: number(all.top1) ?? number(all.held_out_accuracy), named: asked ? named / asked : rejected === null ? null : 1 - rejected,
    wrong: named ? count("wrong", "mapped_wrong") / named : null, unknown: number(all.unknown_named) ?? number(all.left_out_named) ?? number(all.unknown_named_rate),
    photos: number(run.photos), labels: number(run.labels), warnings: list(all.warnings).filter(text),
  };
}

export function percent(share) { return share === null ? "\u2013" : `${(share * 100).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)}%`; }

function showRun(run) {
  page.verdict.hidden = !run;
  if (!run) return;
  const values = valuesOf(run), isGood = (values.right ?? 0) >= 0.9;
  page.verdict.dataset.verdict = isGood ? "good" : (values.right ?? 0) >= 0.7 ? "fair" : "poor";
  write(page["verdict-title"], values.right === null ? "The model is ready." : `The model names the right building first for ${percent(values.right)} of photos it was not trained with.`);
  const cards = [
    ["Right building first", percent(values.right), "of held-out photos"],
    ["Gets a name", percent(values.named), "of photos of your buildings; the rest get no answer"],
    ["Wrong names", percent(values.wrong), values.wrong === null ? "choose Measure to know" : "of photos that get a name"],
    ["Unknown buildings named", percent(values.unknown), "of photos of buildings without a folder"],
    ["Photos", values.photos === null ? "\u2013" : values.photos.toLocaleString("en"), values.labels === null ? "" : `of ${plural(values.labels, "label")}`],
  ];
  page.figures.replaceChildren(...cards.map(([title, value, note]) => {
    const card = make("div", "card");
    card.append(Object.assign(make("dt"), { textContent: title }), Object.assign(make("dd", "figure"), { textContent: value }), Object.assign(make("dd", "note"), { textContent: note }));
    return card;
  }));
  const steps = [...values.warnings, ...state.missing.map((one) => `Missing: ${one}`)].filter(text);
  page["next-steps"].replaceChildren(...(steps.length ? steps : ["Try photos that were not used for training."]).map((words) => Object.assign(make("li"), { textContent: words })));
  showMistakes(list(run.mistakes), values.isMeasured);
  page.report.parentElement.hidden = !values.isMeasured;
}

function showMistakes(mistakes, isMeasured) {
  if (!mistakes.length) return page.mistakes.replaceChildren(Object.assign(make("li", "note"), { textContent: isMeasured ? "None on held-out photos." : "Not measured yet." }));
  page.mistakes.replaceChildren(...mistakes.slice(0, mostMistakes).map(({ photo, label, answer, verdict, probability }) => {
    const row = make("li"), words = make("span"), share = number(probability), isNamed = verdict === "building" || verdict === "mapped_building";
    const said = isNamed ? ` was taken for ${nameOf(answer)}${share === null ? "" : ` (${percent(share)})`}` : ` got no name (${inWords(text(verdict) ?? "unsure").toLowerCase()})`;
    words.append(Object.assign(make("b"), { textContent: nameOf(label) }), said);
    row.append(Object.assign(make("img"), { src: thumb(photo), alt: photo.split("/").pop(), loading: "lazy" }));
    row.append(words);
    return row;
  }));
}

function showHistory(runs) {
  [page["no-runs"].hidden, page.history.hidden] = [runs.length > 0, !runs.length];
  page.runs.replaceChildren(...runs.toSorted((a, b) => b.id - a.id).map((run) => {
    const row = make("tr"), values = valuesOf(run), time = number(run.time);
    const cells = [time === null ? `Run ${run.id}` : moment.format(time * 1000), percent(values.right), percent(values.named), values.photos ?? "\u2013", list(run.changed).filter(text).join("; ")];
    for (const words of cells) row.insertCell().textContent = words;
    return row;
  }));
}
