/** The invariants of recredit runs must find what is wrong with a run, its results and its sales. */
import { Currency } from "quittance";
import { Build, type LedgerSnapshot, recreditViolations } from "quittance/testing";
import { expect, it } from "vitest";

const { EPOCH, DAY } = Build;
const scene = { customerId: Build.fresh.customer(), workspaceId: Build.fresh.workspace() };
const owner = { ...scene, partnerId: Build.fresh.partner(), schemaId: Build.fresh.schema() };
const REASON = "late links";

const sold = (occurredAt: number) => Build.attribution(owner, { occurredAt, createdAt: EPOCH });
const [first, second] = [sold(EPOCH + 1), sold(EPOCH + 2)];

type Sales = LedgerSnapshot.LedgerSnapshot["attributions"];
const logged = (save: typeof first, events: ReadonlyArray<object>): Sales[number] =>
  ({ row: save.row, log: events.map((event) => ({ at: EPOCH, actor: "worker", event })) }) as never;
const recredited = { type: "recredit_attribution", reason: REASON };
const SALES: Sales = [logged(first, [recredited]), logged(second, [])];

const change = { partnerId: owner.partnerId, role: "manager", depth: 1, shareBefore: null, shareAfter: "1" };
const earning = {
  ...{
    partnerId: owner.partnerId,
    role: "manager",
    depth: 1,
    formulaId: Build.fresh.formula(),
    currency: Currency.Currency.make("EUR"),
  },
  ...{ amountBefore: null, amountAfter: 5, dueBefore: 0, dueAfter: 5, computationError: null },
};
const { row: run } = Build.recreditRun(scene, {
  ...{ from: EPOCH, to: EPOCH + DAY, reason: REASON, salesDone: 2, changedCount: 1, creditsAdded: 1 },
  ...{ totals: { EUR: { before: "0", after: "5" } }, state: "done", finishedAt: EPOCH },
  after: { occurredAt: second.row.occurredAt, id: second.row.id },
});
const { row: result } = Build.recreditRunResult(run, first.row.id, {
  credits: [change],
  commissions: [earning],
});

type Books = {
  readonly run: typeof run;
  readonly results: ReadonlyArray<typeof result>;
  readonly sales: Sales;
};
const SOUND: Books = { run, results: [result], sales: SALES };

const violations = (books: Partial<Books>): ReadonlyArray<string> => {
  const { run, results, sales } = { ...SOUND, ...books };
  return [...recreditViolations([run as never], results as never, sales)];
};

it("finds nothing wrong with a sound run", () => {
  expect(violations({})).toEqual([]);
});

it.each<readonly [what: string, books: Partial<Books>, found: RegExp]>([
  ["two results of a sale", { results: [result, result] }, /R3: .* two results of one sale/],
  [
    "a result under another id",
    { results: [{ ...result, id: Build.recreditRunResult(run, second.row.id).row.id }] },
    /R3: .* another result/,
  ],
  [
    "a result of no sale",
    { results: [{ ...result, attributionId: Build.fresh.attribution() }] },
    /R3: .* is no origin/,
  ],
  ["a result outside the span", { run: { ...run, from: EPOCH + 2 } }, /R3: .* is not of the span/],
  [
    "a result that the run has not reached",
    { run: { ...run, after: { occurredAt: first.row.occurredAt - 1, id: first.row.id } } },
    /R3: .* has not reached it/,
  ],
  [
    "a sale that was not recredited",
    { sales: [logged(first, []), logged(second, [])] },
    /R3: .* was not recredited/,
  ],
  [
    "another count of sales that changed",
    { run: { ...run, changedCount: 2 } },
    /R4: .* changedCount 2, found 1/,
  ],
  [
    "another count of credits",
    { run: { ...run, creditsCancelled: 1 } },
    /R4: .* creditsCancelled 1, found 0/,
  ],
  [
    "another sum",
    { run: { ...run, totals: { EUR: { before: "0", after: "6" } } } },
    /R4: .* totals .*"6".*"5"/,
  ],
  [
    "more sales than the span has",
    { run: { ...run, salesDone: 3 } },
    /R4: .* 3 sales done, 1 are named, the span has 2/,
  ],
  ["fewer sales than results", { run: { ...run, salesDone: 0 } }, /R4: .* 0 sales done/],
  [
    "a run that is done and has not ended",
    { run: { ...run, finishedAt: null } },
    /R4: .* is done, and ended at null/,
  ],
])("finds %s", (_, books, found) => {
  expect(violations(books).join("\n")).toMatch(found);
});
