// Where the visitor stands and looks: from the device, or from a click on the map.

const radians = Math.PI / 180;
// Places are told no more often than this, in milliseconds, and headings only when they changed by so many degrees.
const leastPause = 250, leastTurn = 3;
// Milliseconds after which a position is asked for anew when the page is seen again.
const longestAge = 30_000;

const reasons = {
  1: "The position was not allowed. Click on the map instead.",
  2: "The device does not know where it is. Click on the map instead.",
  3: "The device does not know yet where it is. Click on the map instead.",
};

export class Position {
  // {latitude, longitude, accuracy, heading, headingAccuracy, reference}, or null.
  place = null;
  #changed;
  #problem;
  #watch = null;
  // When the device was there, as `Date.now` has it.
  #heardAt = 0;
  #isTurning = false;
  #heading = { heading: null, headingAccuracy: null, reference: "true" };
  #timer = 0;
  #saidAt = 0;

  // `changed` is called with nothing, `problem` with one line for people.
  constructor(changed, problem) {
    this.#changed = changed;
    this.#problem = problem;
  }

  get isFollowing() { return this.#watch !== null; }

  // Follows the device. From a click, because browsers ask for leave.
  follow() {
    if (!navigator.geolocation || !window.isSecureContext) {
      return this.#problem("Browsers give the position only to secure pages: phones need an https address. Click on the map instead.");
    }
    this.#watch ??= navigator.geolocation.watchPosition(({ coords: { latitude, longitude, accuracy }, timestamp }) => {
      if (!this.isFollowing) return;
      // The position's own clock may be ahead of the page's.
      this.#heardAt = Math.min(timestamp, Date.now());
      this.#stand({ latitude, longitude, accuracy: Number.isFinite(accuracy) ? accuracy : null });
    }, ({ code }) => {
      if (!this.isFollowing) return;
      if (code === 1) this.leave();
      else this.#lose();
      this.#problem(reasons[code] ?? reasons[2]);
    }, { enableHighAccuracy: true, maximumAge: 5000 });
    this.#followHeading();
    this.#changed();
  }

  // Stands where somebody clicked; null for nowhere.
  standAt(place) {
    if (!place) return this.leave();
    this.#unfollow();
    this.#followHeading();
    this.#stand({ latitude: Math.max(-90, Math.min(90, place.latitude)), longitude: place.longitude, accuracy: null });
  }

  // The page is seen again. A device that was asleep may be elsewhere by now, and a watch tells only what comes next.
  comeBack() {
    if (!this.isFollowing || !this.place || Date.now() - this.#heardAt <= longestAge) return;
    this.#lose();
    this.#unfollow();
    this.follow();
  }

  // Stands nowhere.
  leave() {
    this.#unfollow();
    this.#lose();
  }

  // What the server is told.
  get message() {
    if (!this.place) return { type: "place" };
    const { latitude, longitude, accuracy, heading, reference } = this.place;
    return { type: "place", latitude, longitude, accuracy, heading, reference };
  }

  // A place of before would count as an exact one wherever the device is by now.
  #lose() {
    this.place = null;
    this.#say();
  }

  #unfollow() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
  }

  #stand(place) {
    this.place = { ...place, ...this.#heading };
    this.#soon();
  }

  #soon() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#say(), Math.max(0, this.#saidAt + leastPause - performance.now()));
  }

  #say() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#saidAt = performance.now();
    this.#changed();
  }

  async #followHeading() {
    if (this.#isTurning || !window.DeviceOrientationEvent) return;
    this.#isTurning = true;
    const ask = DeviceOrientationEvent.requestPermission;
    if (typeof ask === "function" && await ask.call(DeviceOrientationEvent).catch(() => "denied") !== "granted") return;
    const name = "ondeviceorientationabsolute" in window ? "deviceorientationabsolute" : "deviceorientation";
    window.addEventListener(name, (event) => this.#turn(event));
  }

  #turn(event) {
    const found = headingFrom(event);
    if (!found) return;
    const was = this.#heading.heading;
    const turned = was === null ? 360 : Math.abs(((found.heading - was + 540) % 360) - 180);
    if (turned < leastTurn) return;
    this.#heading = found;
    if (!this.place) return;
    this.place = { ...this.place, ...found };
    this.#soon();
  }
}

// Where the back of the device points, clockwise from north; where it lies flat, its upper edge.
function headingFrom({ alpha, beta, gamma, absolute, webkitCompassHeading, webkitCompassAccuracy }) {
  if (Number.isFinite(webkitCompassHeading)) {
    if (webkitCompassAccuracy < 0) return null;
    // From the north of the needle, as Apple documents it.
    const headingAccuracy = Number.isFinite(webkitCompassAccuracy) ? webkitCompassAccuracy : null;
    return { heading: webkitCompassHeading, headingAccuracy, reference: "magnetic" };
  }
  if (!absolute || ![alpha, beta, gamma].every(Number.isFinite)) return null;
  const [a, b, c] = [alpha, beta, gamma].map((angle) => angle * radians);
  const back = [-Math.cos(a) * Math.sin(c) - Math.sin(a) * Math.sin(b) * Math.cos(c), -Math.sin(a) * Math.sin(c) + Math.cos(a) * Math.sin(b) * Math.cos(c)];
  const edge = [-Math.sin(a) * Math.cos(b), Math.cos(a) * Math.cos(b)];
  const [east, north] = Math.hypot(...back) > 0.5 ? back : edge;
  return { heading: (Math.atan2(east, north) / radians + 360) % 360, headingAccuracy: null, reference: "true" };
}
