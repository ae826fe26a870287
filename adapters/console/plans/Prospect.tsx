/** What an assignment would change, as the server says before anything is stored. */
import type { FormulaDryRun } from "quittance/client";
import { day } from "../format/Dates.ts";
import { countWords, sumsWords } from "../format/Money.ts";
import { nameWords } from "./Values.ts";

/** The formulas under which sales would pay as well that are named; the others are counted. */
const NAMED = 5;

type Names = ReadonlyMap<string, string>;

const nameOf = (names: Names, id: string): string => names.get(id) ?? "a partner";

const listed = (texts: ReadonlyArray<string>): string => new Intl.ListFormat("en-GB").format(texts);

const earnedWords = ({ formulaCount, commissions, notComputableCount }: FormulaDryRun): string => {
  if (formulaCount === 0) return "Nothing changes: these partners have this assignment already.";
  const paid = commissions.filter(({ count }) => count > 0);
  const count = paid.reduce((sum, item) => sum + item.count, 0);
  const without =
    notComputableCount === 0
      ? ""
      : ` ${countWords(notComputableCount, "past sale has", "past sales have")} no amount, because it would be too large.`;
  const waiting = paid.flatMap((item) =>
    BigInt(item.waiting) === 0n ? [] : [{ currency: item.currency, amount: item.waiting }],
  );
  const waits = waiting.length === 0 ? "" : ` ${sumsWords(waiting)} of it waits until the buyers have paid.`;
  return count === 0
    ? `No past sale earns anything under it.${without}`
    : `${countWords(count, "commission")} for past sales, ${sumsWords(paid)} together, ${count === 1 ? "becomes" : "become"} due.${waits}${without}`;
};

/** The consequences of an assignment, in sentences. */
export const Prospect = ({ found, names }: { readonly found: FormulaDryRun; readonly names: Names }) => {
  const { overlaps, overlapCount, missingValues } = found;
  const isRefused = missingValues.length > 0;
  return (
    <>
      {(!isRefused || found.formulaCount > 0) && <p class="sentence">{earnedWords(found)}</p>}
      {overlapCount > 0 && (
        <div class="notice wait">
          <strong>Sales would be paid twice</strong>
          <ul>
            {overlaps.slice(0, NAMED).map(({ partnerId, formulaId, name, startDatetime, endDatetime }) => (
              <li key={formulaId}>
                From {day(startDatetime)}
                {endDatetime !== null && ` until before ${day(endDatetime)}`} sales of{" "}
                {nameOf(names, partnerId)} also pay under “{name}”.
              </li>
            ))}
            {overlapCount > NAMED && <li>and {countWords(overlapCount - NAMED, "other formula")}</li>}
          </ul>
        </div>
      )}
      {isRefused && (
        <div class="notice stop">
          <strong>A value is missing</strong>
          <ul>
            {missingValues.slice(0, NAMED).map(({ partnerId, parameters }) => (
              <li key={partnerId}>
                {nameOf(names, partnerId)} needs {listed(parameters.map((name) => nameWords({ name })))}.
              </li>
            ))}
            {missingValues.length > NAMED && (
              <li>and {countWords(missingValues.length - NAMED, "other partner")}</li>
            )}
          </ul>
        </div>
      )}
    </>
  );
};
