/** A person without a mouse: moves by Tab, and notes what Tab does not reach, hides, or focuses without a visible mark. */
import type { Page } from "playwright-core";

/** Stops of a page at most; a walk that does not end by then is caught somewhere. */
const STOPS_MAX = 1_500;
const STOPS_AT_ONCE = 8;

/**
 * The recorder in the page. A control is named by its role, its words and its row, because a page that is read again may
 * replace the element between the visit and the end of the walk.
 */
const RECORDER = `(() => {
  if (window.walk !== undefined) return;
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [contenteditable]";
  const words = (element) => (element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent ?? "").replace(/\\s+/g, " ").trim().slice(0, 60);
  const group = (element) => element.type === "radio" ? "radio group " + element.name : null;
  const nameOf = (element) => {
    const row = element.closest("tr, li");
    return [
      group(element) ?? element.localName + (element.type ? "[" + element.type + "]" : ""),
      group(element) === null ? words(element) : "",
      element.getAttribute("href") ?? element.getAttribute("name") ?? "",
      row === null || row === element ? "" : "in " + words(row),
    ].filter((part) => part !== "").join(" | ");
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true, opacityProperty: false });
  // A row that the arrow keys choose, and a proposal below the editor, are part of a composite control with one stop.
  const isPart = (element) => element.matches("tr[tabindex], [role=option]");
  const controls = () => {
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
    return [...top.querySelectorAll(CONTROLS)].filter((element) =>
      isShown(element) && !element.matches(":disabled") && element.closest("[inert]") === null && !isPart(element) &&
      !(element.matches("[tabindex='-1']") && !element.matches("a, button, input, select, textarea, summary")));
  };
  const count = (names) => { const found = new Map(); for (const one of names) found.set(one, (found.get(one) ?? 0) + 1); return found; };
  const groups = (elements) => {
    const seen = new Set();
    return elements.filter((element) => {
      const name = group(element);
      if (name === null) return true;
      if (seen.has(name)) return false;
      seen.add(name);
      return true;
    });
  };
  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && outlineColor !== "rgba(0, 0, 0, 0)";
  };
  // The frame of a field may show the focus for it.
  const isVisible = (element) => [element, element.parentElement].some((one) => one !== null && hasOutline(one));
  const placeOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    let [x, y] = [0, 0];
    for (let one = element.parentElement; one !== null; one = one.parentElement) [x, y] = [x + one.scrollLeft, y + one.scrollTop];
    return { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
  };
  // Reading goes down a column, and along a line; it may go up only into another column.
  const isBefore = (one, other) =>
    one.bottom <= other.top + 1 ? one.left < other.right && other.left < one.right
    : one.top < other.bottom - 1 && other.top < one.bottom - 1 && one.right <= other.left + 1;
  const isInSight = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return false;
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const above = document.elementFromPoint(x, y);
    return above === null || element.contains(above) || above.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(above));
  };
  window.walk = {
    begin() {
      this.reached = [];
      this.elements = new WeakSet();
      this.faults = [];
      this.hasEnded = false;
      this.first = this.latest = undefined;
      const start = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
      const before = start.getAttribute("tabindex");
      getSelection().removeAllRanges();
      start.tabIndex = -1;
      start.focus();
      if (before === null) start.removeAttribute("tabindex"); else start.setAttribute("tabindex", before);
      scrollTo(0, 0);
      this.isOn = true;
    },
    end() {
      this.isOn = false;
      const reached = count(this.reached);
      const missing = [...count(groups(controls()).map(nameOf))].filter(([name, times]) => (reached.get(name) ?? 0) < times);
      const tall = [...document.querySelectorAll("*")].filter((one) => one.tabIndex > 0).map((one) => "a tab index above 0: " + nameOf(one));
      return [
        ...missing.map(([name, times]) => "not reached: " + name + (times > 1 ? " (" + (reached.get(name) ?? 0) + " of " + times + ")" : "")),
        ...this.faults,
        ...tall,
      ];
    },
  };
  document.addEventListener("focusin", ({ target }) => {
    const { walk } = window;
    // A dialog that scrolls is a stop of its own.
    if (!walk.isOn || target.matches("body, dialog")) return;
    // After the last stop the browser begins again; a field of a date is several stops by itself.
    if (walk.elements.has(target)) {
      walk.hasEnded ||= target === walk.first && walk.latest !== target;
      return;
    }
    const name = nameOf(target);
    const place = placeOf(target);
    if (walk.latest?.isConnected && isBefore(place, walk.place))
      walk.faults.push("shown before the stop that precedes it: " + name + " after " + nameOf(walk.latest));
    walk.first ??= target;
    walk.latest = target;
    walk.place = place;
    walk.elements.add(target);
    walk.reached.push(name);
    // The browser does the same after this event.
    target.scrollIntoViewIfNeeded();
    if (!isInSight(target)) walk.faults.push("focused out of sight: " + name);
    if (!isVisible(target)) walk.faults.push("focus cannot be seen: " + name);
  });
})()`;

/** Moves through the page, or the open dialog, by Tab; returns the problems, one per line. */
export const walkByTab = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(RECORDER);
  await page.evaluate("walk.begin()");
  for (let stops = 0; stops < STOPS_MAX; stops += STOPS_AT_ONCE) {
    for (let one = 0; one < STOPS_AT_ONCE; one++) await page.keyboard.press("Tab");
    if (await page.evaluate("walk.hasEnded")) return (await page.evaluate("walk.end()")) as Array<string>;
  }
  return [
    `Tab is caught after ${STOPS_MAX} stops`,
    ...((await page.evaluate("walk.end()")) as Array<string>),
  ];
};
