/** Where each page of the history was scrolled to: who goes back finds the same place again. */

/** By entry of the history, in pixels. */
const places = new Map<string, number>();

let entered = 0;
let entry = "";

/** How far down the present page was when it was left; null where it was not, and once it is there again. */
let wanted: number | null = null;

const nameOfEntry = (): string | undefined => (history.state as { readonly entry?: string } | null)?.entry;

/** Finds the present entry of the history, or names it. */
const enter = (): void => {
  const known = nameOfEntry();
  // Entries from before a reload have the names of another time.
  entry = known ?? `${performance.timeOrigin} ${++entered}`;
  wanted = places.get(entry) ?? null;
  if (known === undefined) history.replaceState({ entry }, "");
};

const forget = (): void => {
  wanted = null;
};

/** Remembers where pages are scrolled to, and stops going there when the user scrolls. */
export const watchScrolling = (): (() => void) => {
  // The browser would go there before the page has been read.
  history.scrollRestoration = "manual";
  const remember = (): void => {
    if (wanted !== null) return;
    places.set(entry, scrollY);
    // A link to the page that is shown takes the name away, and says nothing.
    if (nameOfEntry() !== entry) history.replaceState({ entry }, "");
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
  for (const [name, listener] of listeners) addEventListener(name, listener, { passive: true });
  return () => {
    for (const [name, listener] of listeners) removeEventListener(name, listener);
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
