// The user's position and heading, from the device or from a click on the map.

const radians = Math.PI / 180;
// The minimum time between updates in milliseconds, and the minimum change in heading in degrees.
const leastPause = 250, leastTurn = 3;
// The age in milliseconds after which a position is requested again when the page becomes visible.
const longestAge = 30_000;

const reasons = {
  1: "Access to the position was denied. Click on the map instead.",
  2: "The device cannot determine its position. Click on the map instead.",
  3: "The device has not determined its position in time. Click on the map instead.",
};

export class Position {
  place = null;
  #changed;
  #problem;
  #watch = null;
  // The time of the device's last position, in milliseconds like `Date.now`.
  #heardAt = 0;
  #isTurning = false;
  #heading = { heading: null, headingAccuracy: null, reference: "true" };
  #timer = 0;
  #saidAt = 0;

  constructor(changed, problem) {
    this.#changed = changed;
    this.#problem = problem;
  }

  get isFollowing() { return this.#watch !== null; }

  // Follows the device's position. Must be called from a click handler, because browsers ask for permission.
  follow() {
    if (!navigator.geolocation || !window.isSecureContext) {
      return this.#problem("Browsers share the position only with secure pages, so phones need an https address. Click on the map instead.");
    }
    this.#watch ??= navigator.geolocation.watchPosition(({ coords: { latitude, longitude, accuracy }, timestamp }) => {
      if (!this.isFollowing) return;
      // The position's clock may be ahead of the page's clock.
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

  standAt(place) {
    if (!place) return this.leave();
    this.#unfollow();
    this.#followHeading();
    this.#stand({ latitude: Math.max(-90, Math.min(90, place.latitude)), longitude: place.longitude, accuracy: null });
  }

  // Requests a new position when the page becomes visible, because the device may have moved while it was asleep.
  refresh() {
    if (!this.isFollowing || !this.place || Date.now() - this.#heardAt <= longestAge) return;
    this.#lose();
    this.#unfollow();
    this.follow();
  }

  leave() {
    this.#unfollow();
    this.#lose();
  }

  get message() {
    if (!this.place) return { type: "place" };
    const { latitude, longitude, accuracy, heading, reference } = this.place;
    return { type: "place", latitude, longitude, accuracy, heading, reference };
  }

  // Otherwise, an old position would still count as exact after the device has moved.
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

// The direction that the back of the device faces, clockwise from north. If the device lies flat, the direction of its
// upper edge.
function headingFrom({ alpha, beta, gamma, absolute, webkitCompassHeading, webkitCompassAccuracy }) {
  if (Number.isFinite(webkitCompassHeading)) {
    if (webkitCompassAccuracy < 0) return null;
    // This heading is relative to magnetic north, as Apple documents.
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
