/** Countries by their codes and names in the browser's language. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Codes that browsers have names for, and that ISO 3166-1 does not assign or no longer does. A test compares with the engine's. */
const OTHERS = new Set(
  "AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ".split(" "),
);

/** The codes of countries that a browser knows, with their names, in the order of the names. */
export const countries = (): ReadonlyArray<readonly [code: string, name: string]> => {
  const names = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" });
  return [...LETTERS]
    .flatMap((first) => [...LETTERS].map((second) => first + second))
    .flatMap((code) => {
      const name = OTHERS.has(code) ? undefined : names.of(code);
      return name === undefined ? [] : [[code, name] as const];
    })
    .sort((a, b) => a[1].localeCompare(b[1]));
};
