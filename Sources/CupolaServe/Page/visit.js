// The visitors' page of `cupola serve --guide`: search, floors, opening hours, routes, departures and "Where am I?".
// Places and map work without a connection, because worker.js stores them; the server computes routes and departures.

import { inWords, make, write } from "../answer.js";
import { askPhoto } from "../connection.js";
import { Position } from "../position.js";
import { Source } from "../source.js";
import { Plan } from "./plan.js";

const page = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (found) => [found.id, found]));
const mostResults = 50, knownDays = 8;
// The width of the map around a place and around a step, in meters.
const placeWidth = 150, stepWidth = 60;
const order = new Intl.Collator("en", { numeric: true });
const refusals = { 401: "Open this page with its secret token: /visit/?token=TOKEN", 503: "The server is busy. Try again in a moment." };
const offline = "This needs a connection to the server. Search, floors, opening hours and the map work without it.";

let guide = { places: [], hours: {}, labels: {} }, words = new Map(), byID = new Map();
let chosen = null, start = null, goal = null, turn = 0;

const plan = new Plan(page.map, (place) => choose(place, false));

// The server has stored the token in a cookie, so it need not stay in the address and the history.
const visible = new URL(location.href);
if (visible.searchParams.has("token")) {
  visible.searchParams.delete("token");
  history.replaceState(history.state, "", visible);
}

// MARK: The server

class Problem extends Error {}

async function get(name, query = {}) {
  const address = new URL(`${name}?${new URLSearchParams(query)}`, location.href);
  const response = await fetch(Object.keys(query).length ? address : new URL(name, location.href)).catch(() => null);
  if (!response) {
    showConnection(false);
    throw new Problem(offline);
  }
  if (!response.ok) throw new Problem(refusals[response.status] ?? await response.text());
  return response.json();
}

function showConnection(isOpen) {
  page.state.dataset.state = isOpen ? "open" : "closed";
  write(page.state, isOpen ? "Connected" : "Offline");
}

async function checkConnection() {
  showConnection(await fetch(new URL("../healthz", location.href), { cache: "no-store" }).then(({ ok }) => ok, () => false));
}

async function load() {
  try {
    const [places, map] = await Promise.all([get("places.json"), get("map.json")]);
    guide = places;
    byID = new Map(guide.places.map((place) => [place.id, place]));
    words = new Map(guide.places.map((place) => [place, wordsOf([place.title, place.category, place.ref, floorName(place.level), byID.get(place.building)?.title].join(" "))]));
    document.title = guide.name;
    write(page.title, guide.name);
    write(page.attribution, guide.attribution ?? "");
    page["departures-here"].hidden = !guide.departures;
    plan.load(map, guide.places);
    loadFloors(map);
    search();
    const linked = guide.places.find(({ id }) => [id, encodeURIComponent(id)].includes(location.hash.slice(1)));
    if (linked) choose(linked, false);
  } catch (error) {
    write(page.found, error instanceof Problem ? error.message : "The guide cannot be shown.");
  }
}

// MARK: Floors

function floorName(level) { return level === undefined || level === null ? "" : `Floor ${level}`; }

function loadFloors({ areas, lines, levels }) {
  const option = (value, words) => Object.assign(make("option"), { value, textContent: words });
  const isOutside = areas.some((area) => area.level === undefined) || lines.some((line) => !line.levels.length);
  const floors = [...levels].sort((a, b) => b - a).map((level) => option(level, level));
  page.floor.replaceChildren(...(isOutside ? [option("", "Outdoors")] : []), ...floors);
  page["floor-choice"].hidden = !levels.length;
  showFloor(isOutside || !levels.length ? null : levels.includes(0) ? 0 : levels[0]);
}

function showFloor(level) {
  plan.level = level ?? null;
  page.floor.value = level ?? "";
  plan.draw();
}

// MARK: Opening hours

const format = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: guide.time_zone, ...options });

function clock(time, now) {
  const hour = format({ hour: "2-digit", minute: "2-digit" }).format(time * 1000);
  const day = (at) => format({ year: "numeric", month: "2-digit", day: "2-digit" }).format(at * 1000);
  // Midnight and the hours after it belong to the evening before.
  if (day(time) === day(now) || day(time - 43_200) === day(now)) return hour === "00:00" ? "24:00" : hour;
  return `${format({ weekday: "long" }).format(time * 1000)} ${hour}`;
}

// Whether a place is open, and a sentence; null if its opening hours are not on the map.
function opening(place, now = Date.now() / 1000) {
  const { changes = [], unknown } = guide.hours[place.opening_hours] ?? {}, at = changes.findLastIndex(({ time }) => time <= now);
  if (!place.opening_hours) return null;
  const current = changes[at], next = changes[at + 1];
  if (current?.open === undefined || now > changes[0].time + knownDays * 86_400) return { isOpen: null, sentence: `Hours: ${place.opening_hours}` };
  const until = next?.open === undefined ? "" : current.open ? ` until ${clock(next.time, now)}` : `, opens ${clock(next.time, now)}`;
  const always = current.open && changes.length === 1 ? " 24 hours" : "";
  return { isOpen: current.open, sentence: `${current.open ? "Open" : "Closed"}${until || always}${unknown ? ` (${unknown} not known)` : ""}` };
}

// MARK: Search

function wordsOf(text) { return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean); }

function titleOf(place) { return place.title ? place.title.charAt(0).toUpperCase() + place.title.slice(1) : "Point on the map"; }

function detailsOf(place) {
  const kind = place.category ? inWords(place.category) : place.kind === "room" ? "Room" : "";
  const building = place.building === place.id ? "" : byID.get(place.building)?.title ?? "";
  return [kind === titleOf(place) ? "" : kind, floorName(place.level), building, opening(place)?.sentence].filter(Boolean).join(" \u00b7 ");
}

function search() {
  const asked = wordsOf(page.words.value), isOpenWanted = page["open-now"].checked;
  const showsAll = isOpenWanted || !guide.places.some((place) => place.kind === "building");
  const matches = (place) => asked.length ? asked.every((one) => words.get(place).some((word) => word.startsWith(one))) : showsAll || place.kind === "building";
  const rank = (place) => (asked.length && wordsOf(place.title).join(" ").startsWith(asked.join(" ")) ? 0 : 2) + (place.kind === "building" ? 0 : 1);
  const found = guide.places.filter((place) => matches(place) && (!isOpenWanted || opening(place)?.isOpen)).map((place) => [rank(place), place])
    .sort(([a, one], [b, other]) => a - b || order.compare(one.title, other.title)).map(([, place]) => place);
  const shown = found.slice(0, mostResults);
  page.results.replaceChildren(...shown.map((place) => item(titleOf(place), detailsOf(place), () => choose(place))));
  const count = found.length > shown.length ? `${shown.length} of ${found.length} places` : `${found.length} ${found.length === 1 ? "place" : "places"}`;
  write(page.found, found.length ? count : "No place found");
  plan.marks.results = asked.length ? shown : [];
  plan.draw();
}

// A line of a list, as a button if there is something to do.
function item(words, details, act = null) {
  const row = make("li"), line = make(act ? "button" : "p");
  line.append(Object.assign(make("bdi"), { textContent: words }));
  if (details) line.append(Object.assign(make("small"), { textContent: details }));
  if (act) {
    line.type = "button";
    line.addEventListener("click", act);
  }
  row.append(line);
  return row;
}

// MARK: A place

function choose(place, isFromList = true) {
  chosen = place;
  page.place.hidden = false;
  write(page["place-title"], titleOf(place));
  write(page.facts, detailsOf(place));
  plan.marks.place = place.id ? place : null;
  showFloor(place.level);
  history.replaceState(null, "", place.id ? `#${encodeURIComponent(place.id)}` : location.pathname);
  if (isFromList) plan.show([place], placeWidth);
  page["place-title"].focus({ preventScroll: !isFromList });
}

// MARK: Routes

function meters(length) {
  if (length >= 950) return `${(length / 1000).toFixed(1)} km`;
  return `${length < 20 ? Math.round(length) : Math.round(length / 5) * 5} m`;
}

function minutes(seconds) { return `${Math.max(1, Math.round(seconds / 60))} min`; }

function endOf({ id, latitude, longitude, level }) { return id ?? `${latitude.toFixed(6)},${longitude.toFixed(6)}${level === undefined ? "" : `@${level}`}`; }

function setEnds(newStart, newGoal) {
  [start, goal] = [newStart, newGoal];
  write(page.from, start ? titleOf(start) : "Not chosen");
  write(page.to, goal ? titleOf(goal) : "Not chosen");
  Object.assign(plan.marks, { start, goal, route: null });
  page.steps.replaceChildren();
  if (start && goal) return findRoute();
  write(page.summary, goal ? "Choose where to start, or use your position." : "Choose where to go.");
  plan.draw();
}

async function findRoute() {
  const own = turn += 1;
  write(page.summary, "Looking for a route...");
  try {
    const route = await get("route.json", { from: endOf(start), to: endOf(goal), profile: page["step-free"].checked ? "step-free" : "walk" });
    if (own === turn) showRoute(route);
  } catch (error) {
    if (own === turn) write(page.summary, error instanceof Problem ? error.message : "The route cannot be shown.");
    plan.draw();
  }
}

function showRoute(route) {
  const parts = [`${meters(route.meters)}, ${minutes(route.seconds)}`];
  if (route.meters_not_step_free_before > 0) parts.push(`No step-free path is known for the first ${meters(route.meters_not_step_free_before)}.`);
  if (route.meters_not_step_free_beyond > 0) parts.push(`No step-free path is known for the last ${meters(route.meters_not_step_free_beyond)}.`);
  const state = opening(goal);
  if (state?.isOpen === false) parts.push(`${titleOf(goal)}: ${state.sentence}`);
  write(page.summary, parts.join(". ").replaceAll("..", "."));
  plan.marks.route = route.shape;
  page.steps.replaceChildren(...route.maneuvers.map((step) => item(step.text, step.meters >= 1 ? meters(step.meters) : "", ({ currentTarget }) => {
    for (const other of page.steps.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    currentTarget.setAttribute("aria-current", "true");
    showFloor(step.level);
    plan.show([{ latitude: step.point[0], longitude: step.point[1] }], stepWidth);
  })));
  showFloor(route.maneuvers[0]?.level);
  plan.show(route.shape.map(([latitude, longitude]) => ({ latitude, longitude })), stepWidth);
}

// MARK: Departures

async function showDepartures() {
  page.departures.hidden = false;
  page.board.replaceChildren();
  write(page["departures-note"], "Looking for departures...");
  page["departures-title"].focus();
  try {
    const { stops, departures, time, ended } = await get("departures.json", { near: endOf(chosen) });
    const walks = new Map(stops.map((stop) => [stop.id, stop.seconds]));
    page.board.replaceChildren(...departures.map((one) => {
      const wait = Math.round((one.time - time) / 60), when = one.headway ? `every ${minutes(one.headway)}` : `${one.local.slice(11, 16)}, in ${wait} min`;
      const stop = `${one.stop_name}${one.platform ? `, platform ${one.platform}` : ""}${walks.has(one.stop) ? `, ${minutes(walks.get(one.stop))} on foot` : ""}`;
      return item(`${one.route} ${one.destination}`, `${when} \u00b7 ${stop}`);
    }));
    const none = ended ? `The timetable ended on ${ended}.` : stops.length ? "No departures within a day." : "There is no stop nearby.";
    write(page["departures-note"], departures.length ? `Near ${titleOf(chosen)}` : none);
  } catch (error) {
    write(page["departures-note"], error instanceof Problem ? error.message : "The departures cannot be shown.");
  }
}

// MARK: Where am I?

let isLocated = false;

const position = new Position(() => {
  page.follow.setAttribute("aria-pressed", position.isFollowing);
  plan.marks.here = position.place;
  if (position.place && !isLocated) {
    write(page.answer, "Your position is on the map, and the route starts there.");
    plan.show([position.place], placeWidth);
    setEnds({ ...position.place, title: "Your position" }, goal);
  } else if (position.isFollowing && !position.place) write(page.answer, "Waiting for the position...");
  isLocated = position.place !== null;
  plan.draw();
}, (reason) => write(page.answer, reason));

const source = new Source(document.createElement("video"), page.photo, {
  changed() {
    page.photo.hidden = !source.photo;
    if (source.photo) answerPhoto();
  },
  frame() {},
  message: (reason) => write(page.answer, reason),
  failed: (reason) => write(page.answer, reason),
});

async function answerPhoto() {
  const { photo, turn } = source;
  write(page.answer, "Recognizing...");
  page.guesses.replaceChildren();
  try {
    const answer = await askPhoto(photo, new URL("../photo", location.href));
    if (turn === source.turn) showAnswer(answer);
  } catch (error) {
    if (turn === source.turn) write(page.answer, navigator.onLine ? error.message : offline);
  }
}

function showAnswer({ verdict, label, title, candidates }) {
  const placeOf = (name) => byID.get(guide.labels[name]), found = placeOf(label), isNamed = verdict === "building";
  const likely = verdict === "unsure" ? candidates.map((candidate) => placeOf(candidate.label)) : [found];
  const guesses = likely.filter(Boolean);
  page.guesses.replaceChildren(...guesses.map((place) => item(titleOf(place), detailsOf(place), () => {
    setEnds(place, goal);
    choose(place);
  })));
  if (isNamed && found) {
    write(page.answer, `You are at ${titleOf(found)}. The route starts there.`);
    setEnds(found, goal);
    plan.show([found], placeWidth);
  } else if (isNamed) write(page.answer, `This is ${title}, which is not in this guide.`);
  else if (guesses.length) write(page.answer, `${title}. Choose the building:`);
  else write(page.answer, `${title}. Try another photo.`);
}

// MARK: Controls

page.words.addEventListener("input", search);
page["open-now"].addEventListener("change", search);
page.floor.addEventListener("change", () => showFloor(page.floor.value === "" ? null : Number(page.floor.value)));
page["zoom-in"].addEventListener("click", () => plan.zoom(1.5));
page["zoom-out"].addEventListener("click", () => plan.zoom(1 / 1.5));
page.whole.addEventListener("click", () => plan.showAll());
page["go-here"].addEventListener("click", () => setEnds(start, chosen));
page["start-here"].addEventListener("click", () => setEnds(chosen, goal));
page["departures-here"].addEventListener("click", showDepartures);
page.swap.addEventListener("click", () => setEnds(goal, start));
page["step-free"].addEventListener("change", () => { if (start && goal) setEnds(start, goal); });
page.follow.addEventListener("click", () => position.isFollowing ? position.leave() : position.follow());
page["photo-button"].addEventListener("click", () => page["photo-file"].click());
page["photo-file"].addEventListener("change", () => {
  if (page["photo-file"].files.length) source.open(page["photo-file"].files);
  page["photo-file"].value = "";
});
for (const name of ["online", "offline", "focus"]) window.addEventListener(name, checkConnection);

navigator.serviceWorker?.register("worker.js").catch(() => {});
checkConnection();
load();
