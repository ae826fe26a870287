/** Planted bugs of aggregates: running totals that differ from a recount of the rows. */
import type { Bug, Edit } from "./Bug.ts";

const total = (name: string, ...edits: ReadonlyArray<Edit>): Bug => ({
  name,
  edits,
  by: "totals",
  caughtBy: "totals",
});

/** The random histories find nothing where no bug is planted. */
const sound: Bug = total("without a bug running totals are equal to a recount");

/** Every planted bug of this file. */
export const totalBugs: ReadonlyArray<Bug> = [
  sound,
  total("an aggregate forgets its groups", {
    file: "src/formula/Aggregate.ts",
    find: "Reference.groupOf(node, properties, facts).map(({ value }) => value);",
    replace: 'Reference.groupOf(node, properties, facts).map(() => "");',
  }),
  total("a running total is a double", {
    file: "src/formula/RunningTotal.ts",
    find: "return left + right;",
    replace: "return BigInt(Number(left) + Number(right));",
  }),
  total("an aggregate counts the rows that occurred before, not those that arrived before", {
    file: "src/formula/Before.ts",
    find: ".filter((row) => Window.contains(span, Window.calendarDay(row)))",
    replace:
      ".filter((row) => Window.contains(span, Window.calendarDay(row)) && row.occurredAt <= facts.occurredAt)",
  }),
  total("a window is that of the creation, not of the event", {
    file: "src/formula/Before.ts",
    find: "Window.spanOf(Window.fixedWindow(node.window, facts), Window.calendarDay(facts));",
    replace: "Window.spanOf(Window.fixedWindow(node.window, facts), facts.createdAt);",
  }),
  total("a rolling window has a day too many", {
    file: "src/formula/Window.ts",
    find: "return { from: day - (window.days - 1) * MILLISECONDS_PER_DAY, to:",
    replace: "return { from: day - window.days * MILLISECONDS_PER_DAY, to:",
  }),
  total("the least value stays when its row is taken away", {
    file: "src/formula/RunningTotal.ts",
    find: "return contributed === numerator ? null : { rows: rows - 1, numerator };",
    replace: "return { rows: rows - 1, numerator };",
  }),
  total("the fast path cuts a total to cents", {
    file: "src/formula/fast/Leaf.ts",
    find: "if (parts * unit !== numerator || !Code.fits(parts)) frame.exact = false;",
    replace: "if (!Code.fits(parts)) frame.exact = false;",
  }),
];
