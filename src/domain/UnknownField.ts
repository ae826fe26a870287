/** Names the field that somebody probably meant by a name that is none. */
import { type Invalid, invalid } from "./Refusal.ts";

const SHOWN_MAX = 100;
/** Known names that a message lists where none is near. */
const LISTED_MAX = 30;

const inOneCase = (name: string): string => name.replace(/[-_]/g, "").toLowerCase();

/** The changes that turn one text into another: a character more, less or another, or two exchanged. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    rows.push(now);
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isExchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      now.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          row > 1 && column > 1 && isExchanged ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
};

/** The known name nearest to another one; null when none begins like it or differs in at most a third of its characters. */
export const nearest = (name: string, known: ReadonlyArray<string>): string | null => {
  const wanted = inOneCase(name.slice(0, SHOWN_MAX));
  let found: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of known) {
    const candidate = inOneCase(one);
    const changes = distance(wanted, candidate);
    const isPart =
      Math.min(wanted.length, candidate.length) > 2 &&
      (candidate.startsWith(wanted) || wanted.startsWith(candidate));
    if (changes < least && (isPart || 3 * changes <= Math.max(wanted.length, candidate.length))) {
      found = one;
      least = changes;
    }
  }
  return found;
};

/** The refusal of a field that does not exist, in the object at a path: it states the nearest known field. */
export const unknownField = (
  path: ReadonlyArray<string>,
  name: string,
  known: ReadonlyArray<string>,
  what = "field",
): Invalid => {
  const near = nearest(name, known);
  const listed = known.length > 0 && known.length <= LISTED_MAX ? `; known are ${known.join(", ")}` : "";
  return invalid(
    [...path, name.slice(0, SHOWN_MAX)].join("."),
    `is not a known ${what}${near === null ? listed : `; did you mean ${near}?`}`,
  );
};
