/** Where each page of the history was scrolled to: who goes back finds the same place again. */

/** By entry of the history, in pixels. */
const places = new Map<string, number>();

let entered = 0;
let entry = "";
let address = "";

/** The number of the present entry: one that is added has the next. */
let position = 0;

/** How far down the present page was when it was left; null where it was not, and once it is there again. */
let wanted: number | null = null;

const known = () => history.state as { readonly entry: string; readonly position: number } | null;

const name = (): void => history.replaceState({ entry, position }, "");

/** Finds the present entry of the history, or names it. */
const enter = (): void => {
  const found = known();
  // Entries from before a reload have the names of another time.
  entry = found?.entry ?? `${performance.timeOrigin} ${++entered}`;
  position = found?.position ?? position + 1;
  address = location.hash;
  wanted = places.get(entry) ?? null;
  if (found === null) name();
};

/** How many entries the history has to go to return to the page that is shown; an entry without a name was just added to it. */
export const stepsToShown = (): number => position - (known()?.position ?? position + 1);

const forget = (): void => {
  wanted = null;
};

/** Remembers where pages are scrolled to, and stops going there when the user scrolls. */
export const watchScrolling = (): (() => void) => {
  // The browser would go there before the page has been read.
  history.scrollRestoration = "manual";
  const remember = (): void => {
    // The address changes before its event: what is scrolled then is not its page.
    if (wanted !== null || location.hash !== address) return;
    places.set(entry, scrollY);
    // A link to the page that is shown takes the name away, and says nothing.
    if (known()?.entry !== entry) name();
  };
  const listeners = [
    ["hashchange", enter],
    ["scroll", remember],
    ["wheel", forget],
    ["pointerdown", forget],
    ["touchmove", forget],
    ["keydown", forget],
  ] as const;
  enter();
  for (const [type, listener] of listeners) addEventListener(type, listener, { passive: true });
  return () => {
    for (const [type, listener] of listeners) removeEventListener(type, listener);
  };
};

/** Goes to the top of a page, or to where it was left. */
export const scrollToPlace = (): void => scrollTo(0, wanted ?? 0);

/** Goes on to where the page was left, as soon as it is long enough. True while it is on the way. */
export const continueScrolling = (): boolean => {
  if (wanted === null) return false;
  scrollTo(0, wanted);
  if (scrollY >= Math.floor(wanted)) wanted = null;
  return true;
};
