// Shared by all steps of Cupola Studio.
// 1. Keeps the server's state with a long poll, so that all windows show the same, and calls the watchers of a change.
// 2. Sends requests. Shows messages. 3. Asks for a building.

import { inWords, make, write } from "./answer.js";
import { object, text } from "./connection.js";

export const page = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (found) => [found.id, found]));
export let state = null;

const watchers = [];
const retryPause = 1000, pollTimeout = 40_000, messageTime = 10_000;
const away = "The server does not answer. If it was stopped, start cupola studio again; nothing is lost.";
let messageTimer = 0;

export function list(value) { return Array.isArray(value) ? value : []; }

export function pause(milliseconds) { return new Promise((done) => setTimeout(done, milliseconds)); }

export function plural(count, word) { return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`; }

export function address(path) { return new URL(path, location.href); }

export function button(words, act, className = "small") {
  const made = Object.assign(make("button", className), { type: "button", textContent: words });
  made.addEventListener("click", act);
  return made;
}

// MARK: State

// Calls `show` with each new state.
export function watch(show) { watchers.push(show); }

export async function poll() {
  let isKnown = false;
  for (;;) {
    try {
      const after = isKnown ? `?after=${state.revision}` : "";
      const response = await fetch(address(`api/state${after}`), { cache: "no-store", signal: AbortSignal.timeout(pollTimeout) });
      const next = object(await response.json());
      if (!response.ok) say(text(next?.message) ?? away, true);
      if (!response.ok) throw new Error(away);
      showConnection("open", "Connected");
      if (next && (!isKnown || next.revision !== state.revision)) take(next);
      isKnown = state !== null;
    } catch {
      // The revisions of a restarted server can start again.
      isKnown = false;
      showConnection("closed", "Connection lost. Reconnecting...");
      await pause(retryPause);
    }
  }
}

function take(next) {
  state = { ...next };
  for (const key of ["labels", "negatives", "missing", "runs"]) state[key] = list(next[key]);
  for (const show of watchers) show(state);
}

function showConnection(kind, words) {
  page.state.dataset.state = kind;
  write(page.state, words);
}

const shownKeys = new Map();

// Whether values differ from those of the last call with this name, so that progress does not draw everything again.
export function isNew(name, ...values) {
  const key = JSON.stringify(values), isChanged = shownKeys.get(name) !== key;
  shownKeys.set(name, key);
  return isChanged;
}

// The shelf for photos that are not of buildings in the model.
export const shelf = [
  { kind: "photos", label: "_other_buildings", name: "Other buildings" },
  { kind: "negatives", label: "streets", name: "Streets" },
  { kind: "negatives", label: "indoors", name: "Indoors" },
];

// All folders of photos: { kind, label, name, photos, sessions, note, isShelf }.
export function folders() {
  const known = (kind, label) => shelf.find((one) => one.kind === kind && one.label === label)?.name;
  const named = (kind, isShelf) => (one) => ({ ...one, kind, isShelf, name: known(kind, one.label) ?? (one.name && one.name !== one.label ? one.name : inWords(one.label)) });
  const buildings = list(state?.labels).filter((one) => !one.isBackground).map(named("photos", false));
  const others = [...list(state?.labels).filter((one) => one.isBackground).map(named("photos", true)), ...list(state?.negatives).map(named("negatives", true))];
  const missing = shelf.filter((one) => !others.some(({ kind, label }) => kind === one.kind && label === one.label));
  return [...buildings, ...others, ...missing.map((one) => ({ ...one, photos: 0, isShelf: true }))];
}

export function nameOf(label, kind = "photos") {
  return folders().find((one) => one.kind === kind && one.label === label)?.name ?? inWords(label);
}

// MARK: Requests and messages

// Sends JSON or a file; returns the answer, or throws an Error for the page: with a status if the server refused the
// request, and with a cause if it did not answer.
export async function call(path, body = {}, signal = undefined) {
  const isFile = body instanceof Blob, headers = { "Content-Type": isFile ? "application/octet-stream" : "application/json" };
  const response = await fetch(address(path), { method: "POST", body: isFile ? body : JSON.stringify(body), headers, cache: "no-store", signal })
    .catch((error) => { throw new Error(signal?.aborted ? "Stopped." : away, { cause: error }); });
  const answer = object(await response.json().catch(() => null)) ?? {};
  if (!response.ok) throw Object.assign(new Error(text(answer.message) ?? `The server answered with status ${response.status}.`), { status: response.status });
  return answer;
}

// Like `call`, but shows an error and returns null.
export async function act(path, body, done) {
  try {
    const answer = await call(path, body);
    if (done) say(typeof done === "function" ? done(answer) : done);
    return answer;
  } catch (error) {
    say(error.message, true);
    return null;
  }
}

export function say(words, isError = false) {
  clearTimeout(messageTimer);
  page.said.hidden = !words;
  page.said.classList.toggle("bad", isError);
  write(page.said, words);
  messageTimer = setTimeout(() => { page.said.hidden = true; }, messageTime);
}

// MARK: Asking for a building

// Shows the dialog. Resolves to { kind, label, name, isNew }, or null if it was canceled. `value` is the text at the
// start, and `except` a folder that is not offered. `isNew` is whether a new name may be entered.
export function choose(title, verb, { value = "", isNew = true, except = null } = {}) {
  const dialog = page.chooser, field = page["chooser-name"], choices = page["chooser-list"];
  const all = folders().filter((one) => !(one.kind === except?.kind && one.label === except?.label));
  let offered = [];
  const refresh = () => {
    const typed = field.value.normalize("NFC").trim(), small = typed.toLowerCase();
    const isEqual = (one) => one.name.toLowerCase() === small || one.label.toLowerCase() === small;
    const found = typed && typed !== value ? all.filter((one) => one.name.toLowerCase().includes(small) || one.label.toLowerCase().includes(small)) : all;
    found.sort((a, b) => isEqual(b) - isEqual(a));
    const fresh = { kind: "photos", label: typed.replace(/\s+/g, "_"), name: typed, isNew: true };
    offered = isNew && typed && !found.some(isEqual) ? [...(typed === value ? [fresh, ...found] : [...found, fresh])] : found;
    choices.replaceChildren(...offered.map((one) => Object.assign(make("option"), {
      textContent: one.isNew ? `New: ${one.name}` : one.name, title: one.label })));
    choices.selectedIndex = offered.length ? 0 : -1;
    page["chooser-done"].disabled = !offered.length;
  };
  write(page["chooser-title"], title);
  write(page["chooser-done"], verb);
  field.value = value;
  refresh();
  dialog.showModal();
  field.focus();
  field.select();
  return new Promise((resolve) => {
    const events = new AbortController(), on = (element, name, heard) => element.addEventListener(name, heard, { signal: events.signal });
    const close = (found) => {
      events.abort();
      if (dialog.open) dialog.close();
      resolve(found ?? null);
    };
    const done = () => close(offered[choices.selectedIndex]);
    on(field, "input", refresh);
    on(dialog, "close", () => close(null));
    on(page["chooser-cancel"], "click", () => close(null));
    on(page["chooser-done"], "click", done);
    on(choices, "dblclick", done);
    on(dialog, "keydown", (event) => {
      if (event.key === "Enter" && event.target !== page["chooser-cancel"]) done();
      else if (event.target === field && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        choices.selectedIndex = Math.max(0, Math.min(offered.length - 1, choices.selectedIndex + (event.key === "ArrowDown" ? 1 : -1)));
      } else return;
      event.preventDefault();
    });
  });
}
