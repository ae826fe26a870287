/** Planted bugs in how imports read files. */
import { type Bug, bug } from "./Bug.ts";

const FACTOR = "ImportedSales: has its amounts multiplied by the factor of their column once";
const ORDER = "ImportedSales: has the days and months of its dates in the order that its mapping states";
const LEFT_OUT =
  "ImportedSales: leaves out the rows that its mapping does not take, and no row that is wrong";

const TAKEN_OVER =
  "Takeovers: has the totals that were computed there, settles what was paid, and is stored once";
const COMPARED = "Takeovers: names every commission and every stated total that differs";
const DOUBTFUL = "Takeovers: stores nothing of a file with a row whose payment is doubtful";

/** Every planted bug of this file. */
export const importBugs: ReadonlyArray<Bug> = [
  bug(
    "the factor of a column is applied twice",
    FACTOR,
    "adapters/server/importing/Numbers.ts",
    "exact(times(number, factor))",
    "exact(times(times(number, factor), factor))",
    "rules",
  ),
  bug(
    "parentheses are not the sign of a number",
    FACTOR,
    "adapters/server/importing/Numbers.ts",
    '"()": "-" }',
    '"()": "" }',
    "rules",
  ),
  bug(
    "month and day of a date are exchanged",
    ORDER,
    "adapters/server/importing/Dates.ts",
    'form === "day_first" ? [first, second] : [second, first]',
    'form === "month_first" ? [first, second] : [second, first]',
    "rules",
  ),
  bug(
    "a day of a stated time zone begins at midnight UTC",
    ORDER,
    "adapters/server/importing/Dates.ts",
    "TimeZone.startOfDay(timeZone, stated / Timestamp.DAY)",
    "stated",
    "rules",
  ),
  bug(
    "a row that the mapping does not take is imported",
    LEFT_OUT,
    "adapters/server/importing/Mapping.ts",
    "texts.includes(text)",
    'text !== ""',
    "rules",
  ),
  bug(
    "what another system has paid is due after a takeover",
    TAKEN_OVER,
    "adapters/server/takeover/Sale.ts",
    "paidAt: yield* paidAtOf(system, state, row),",
    "paidAt: null,",
    "rules",
  ),
  bug(
    "a takeover does not name a commission that the export lacks",
    COMPARED,
    "adapters/server/takeover/Comparison.ts",
    '!lines.has(metadata.external_reference ?? "")',
    'lines.size === 0 && !lines.has(metadata.external_reference ?? "")',
    "rules",
  ),
  bug(
    "a commission that was paid at an unknown time is due after a takeover",
    DOUBTFUL,
    "adapters/server/takeover/Sale.ts",
    "return paidAt === null",
    'return paidAt === ""',
    "rules",
  ),
];
