// The step Map.
// 1. Draw buildings, the fence and the positions of photos. 2. Match folders to buildings. 3. Draw a fence.

import { make, write } from "./answer.js";
import { text } from "./connection.js";
import { CampusMap, element } from "./map.js";
import { act, folders, isNew, list, page, plural, say, state, watch } from "./studio-core.js";
import { addMap } from "./studio-drop.js";
import { watchPhotos } from "./studio-photos.js";

// Half the size in degrees of the square for buildings without an outline, and the most dots that are drawn.
const halfSquare = 6e-5, mostDots = 3000;
let places = [], corners = null, isStep = false, marker = null;
const map = new CampusMap(page.map, stand);

export function startMap() {
  map.more = drawMore;
  map.isSettable = false;
  watch(show);
  watchPhotos((photos) => {
    places = photos.map(({ place }) => place).filter(Boolean);
    load();
  });
  page["add-map"].addEventListener("click", () => page["map-file"].click());
  page["map-file"].addEventListener("change", () => {
    const file = page["map-file"].files[0];
    page["map-file"].value = "";
    if (file) addMap(file);
  });
  page["remove-map"].addEventListener("click", () => act("api/map/remove", {}, "The map was removed. Undo brings it back."));
  page.fence.addEventListener("click", () => corners ? endFence() : startFence());
  page["fence-cancel"].addEventListener("click", endFence);
  page["fence-undo"].addEventListener("click", removeCorner);
  page["fence-save"].addEventListener("click", saveFence);
  page["corner-add"].addEventListener("click", addTyped);
  page.corner.addEventListener("keydown", (event) => { if (event.key === "Enter") addTyped(); });
  page.map.addEventListener("keydown", pressMap, { capture: true });
}

// MARK: The map

function rings(value) { return list(value).filter((ring) => list(ring).length > 2); }

// The buildings for CampusMap, which are also used in the step Try.
export function buildingsOf(found) {
  return list(found?.buildings).map(({ label, name, outline, center }) => {
    const [x, y] = list(center), square = Number.isFinite(x) ? [[x - halfSquare, y], [x, y + halfSquare], [x + halfSquare, y], [x, y - halfSquare]] : [];
    return { label, name: text(name) ?? label, rings: rings([outline ?? square]) };
  });
}

function show({ map: found }) {
  const buildings = list(found?.buildings), unmatched = list(found?.unmatched).filter(text);
  write(page["map-name"], text(found?.problem) ? `${found.file}: ${found.problem}` : found ? `${text(found.file) ?? ""}: ${plural(buildings.length, "building")}, ${list(found.fence).length ? "with a fence" : "no fence"}` : "No map");
  page["remove-map"].disabled = !found;
  write(page["match-note"], !buildings.length ? "Add a map to match folders to buildings." : unmatched.length ? `${plural(unmatched.length, "folder")} without a building on the map.` : "Each folder has its building.");
  if (!isNew("map", found ?? null, folders(), state.findings?.time)) return;
  load();
  showMatches(found);
}

function load() {
  const found = state?.map;
  const isDrawn = map.load({ fence: rings(found?.fence), buildings: buildingsOf(found) }, [...corners ?? [], ...places]);
  page.map.classList.toggle("none", !isDrawn);
  page["map-empty"].hidden = isDrawn;
}

function drawMore(pixels) {
  const step = Math.max(1, Math.ceil(places.length / mostDots)), dots = places.filter((_, index) => index % step === 0);
  const drawn = dots.map((place) => {
    const [x, y] = pixels(place);
    return element("circle", { class: "dot", cx: x.toFixed(1), cy: y.toFixed(1), r: 2.5 });
  });
  for (const stand of list(state?.findings?.standNext)) {
    const [x, y] = pixels([stand.lon, stand.lat]), sign = element("path", { class: "stand", d: `M${x.toFixed(1)},${(y - 7).toFixed(1)}l6,12h-12Z` }), title = element("title", {});
    title.textContent = text(stand.text) ?? "Take photos here";
    sign.append(title);
    drawn.push(sign);
  }
  if (corners?.length) {
    drawn.push(element("path", { class: "draft", d: "M" + corners.map((place) => pixels(place).map((at) => at.toFixed(1)).join(",")).join("L") + (corners.length > 2 ? "Z" : "") }));
    for (const place of corners) {
      const [x, y] = pixels(place);
      drawn.push(element("circle", { class: "corner", cx: x.toFixed(1), cy: y.toFixed(1), r: 4.5 }));
    }
  }
  return drawn;
}

// MARK: Matching

function showMatches(found) {
  const own = folders().filter((one) => !one.isShelf && one.photos), focused = document.activeElement?.dataset?.match, buildings = list(found?.buildings);
  const isTaken = (building) => own.some((one) => one.label === building.label || one.onMap && one.name === building.name);
  page.matches.replaceChildren(...(buildings.length ? own : []).map((folder) => {
    const row = make("label", "match"), choice = make("select"), likely = list(found.suggested).filter(({ label }) => label === folder.label).map(({ building }) => building);
    const open = buildings.filter((building) => !isTaken(building)).sort((a, b) => likely.includes(b.label) - likely.includes(a.label));
    const options = [["", folder.onMap ? folder.name : "Not on the map"], ...open.map(({ label, name }) => [label, `${text(name) ?? label}${likely.includes(label) ? " (similar name)" : ""}`])];
    choice.replaceChildren(...options.map(([value, textContent]) => Object.assign(make("option"), { value, textContent })));
    choice.dataset.match = folder.label;
    row.classList.toggle("open", !folder.onMap);
    row.append(Object.assign(make("span"), { textContent: folder.label }), choice);
    choice.addEventListener("focus", () => map.name(choice.value || folder.label));
    choice.addEventListener("change", () => {
      map.name(choice.value);
      if (choice.value) act("api/match", { label: folder.label, building: choice.value }, `${folder.label} is ${choice.selectedOptions[0].textContent} on the map.`);
    });
    return row;
  }));
  if (focused) page.matches.querySelector(`[data-match="${CSS.escape(focused)}"]`)?.focus();
}

// MARK: The fence

function startFence() {
  corners = [];
  map.isSettable = true;
  page["fence-card"].hidden = false;
  showCorners();
  (page.map.classList.contains("none") ? page.corner : page.map).focus();
}

function endFence() {
  corners = marker = null;
  map.isSettable = false;
  map.mark(null);
  page["fence-card"].hidden = true;
  showCorners();
  page.fence.focus();
}

function showCorners() {
  page.fence.setAttribute("aria-expanded", corners !== null);
  page["fence-save"].disabled = (corners?.length ?? 0) < 3;
  const last = corners?.at(-1);
  write(page.corners, last ? `${plural(corners.length, "corner")}; the last at ${last[1].toFixed(6)}, ${last[0].toFixed(6)}${corners.length < 3 ? ". A fence needs at least 3." : ""}` : "No corners yet.");
  load();
}

// Called by the map for clicks, and for arrow keys, which only move the marker.
function stand(place) {
  if (!corners) return;
  marker = place && { ...place, accuracy: null, heading: null };
  map.mark(marker);
  if (!isStep && place) addCorner([place.longitude, place.latitude]);
}

function addCorner(corner) {
  corners.push(corner);
  if (!isStep) map.mark(marker = null);
  showCorners();
}

function removeCorner() {
  corners?.pop();
  showCorners();
}

function pressMap(event) {
  isStep = event.key.startsWith("Arrow");
  if (isStep) return setTimeout(() => { isStep = false; });
  if (!corners || !["Enter", "Backspace", "Delete", "Escape"].includes(event.key)) return;
  if (event.key === "Escape") endFence();
  else if (event.key !== "Enter") removeCorner();
  // Without a marker, Enter adds the center, as the map does.
  else if (marker) {
    const { longitude, latitude } = marker;
    corners.push([longitude, latitude]);
    showCorners();
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function addTyped() {
  const [latitude, longitude] = page.corner.value.split(/[,;\s]+/).filter(Boolean).map(Number);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return say("Enter a latitude and a longitude in degrees, for example 52.4080, 16.9100", true);
  page.corner.value = "";
  addCorner([longitude, latitude]);
}

async function saveFence() {
  const ring = [...corners, corners[0]];
  if (await act("api/fence", { rings: [ring] }, "The fence was saved.")) endFence();
}
