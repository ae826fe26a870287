/** The example company keeps the rules that its own pages state. */
import { Effect } from "effect";
import { Iban, IdSource, Ids, Partners, Principal, SettlementRuns, Settlements, Worker } from "quittance";
import { beforeAll, describe, expect, it } from "vitest";
import { FORMER, PARTNERS, POLICY } from "../../../adapters/server/demo/Company.ts";
import { fill } from "../../../adapters/server/demo/Demo.ts";
import * as PastClock from "../../../adapters/server/demo/PastClock.ts";
import { engine } from "../../services/Given.ts";

const CUSTOMER = Ids.CustomerId.make("6f9a2f6e-6c55-4a2e-9d0e-000000000001");
const OWNER = Principal.customer(CUSTOMER, "reader");
/** More than there is of anything that is read. */
const PER_PAGE = 100;
const MINUTES = 180_000;
/** The company's endpoint is disabled: nothing is sent. */
const SENDER = { problem: () => null, send: () => Effect.dieMessage("a webhook was sent") };

const read = Effect.gen(function* () {
  yield* fill(CUSTOMER);
  yield* (yield* Worker.Worker).drain;
  const runs = yield* SettlementRuns.SettlementRuns;
  const page = { perPage: PER_PAGE, order: "asc" } as const;
  const settlements: Array<Effect.Effect.Success<ReturnType<typeof list>>["items"][number]> = [];
  const list = (number: number) =>
    Effect.flatMap(Settlements.Settlements, (service) => service.list(OWNER, { ...page, page: number }));
  for (let number = 1; ; number++) {
    const { items } = yield* list(number);
    settlements.push(...items);
    if (items.length < PER_PAGE) break;
  }
  const { items: partners } = yield* (yield* Partners.Partners).list(OWNER, page);
  const { items } = yield* runs.list(OWNER, page);
  const results = yield* Effect.forEach(items, ({ id }) => runs.read(OWNER, id, page));
  return { settlements, partners, runs: results };
});

/** The company as a server that is started at an instant has it. */
const readAt = (instant: number) =>
  Effect.runPromise(
    PastClock.make(instant).run(
      Effect.provide(Effect.provide(read, engine({ webhooks: SENDER })), IdSource.layer),
    ),
  );

/** Today, the first minutes of a month and of a year, the last day before a month is settled and the first one after, and the ends of months. */
const INSTANTS = [
  new Date().toISOString(),
  "2026-12-01T00:05:00Z",
  "2027-01-01T01:59:00Z",
  "2027-02-12T23:59:00Z",
  "2027-02-13T00:01:00Z",
  "2028-02-29T12:00:00Z",
  "2027-07-31T23:59:00Z",
];

describe.each(INSTANTS)("the example company of a server that is started at %s", (instant) => {
  let found: Effect.Effect.Success<typeof read>;
  beforeAll(async () => {
    found = await readAt(Date.parse(instant));
  }, MINUTES);

  it("settles by runs of its policy alone, the calendar's and the last one by hand", () => {
    const drafts = found.runs.flatMap(({ results }) => results.flatMap(({ drafts: own }) => own));
    expect(drafts.map(({ settlementId }) => settlementId).toSorted()).toEqual(
      found.settlements.map(({ id }) => id).toSorted(),
    );
    const periods = found.runs.map(({ run }) => run.period !== null);
    expect(periods).toEqual([true, true, false]);
    for (const { run } of found.runs) expect(run.draftCount).toBeGreaterThan(0);
    expect(found.runs.at(-1)?.run.draftCount).toBeGreaterThan(15);
  });

  it("settles no sum below its minimum", () => {
    const minimum: Readonly<Record<string, number>> = POLICY.minimum;
    const below = found.settlements.filter(
      ({ total, currency }) => Math.abs(total) < (minimum[currency] ?? 0),
    );
    expect(below).toEqual([]);
  });

  it("decides on what partners owe as its policy says, and has one to decide on", () => {
    expect(POLICY.negative).toBe("review");
    const owed = found.settlements.filter(({ status }) => status.type === "negative_review");
    const names = new Map(found.partners.map(({ id, name }) => [id, name]));
    expect(owed.map(({ partnerId }) => names.get(partnerId))).toContain(FORMER);
  });

  it("has work in each state that a person acts in", () => {
    const states = new Set(found.settlements.map(({ status }) => status.type));
    expect([...states]).toEqual(
      expect.arrayContaining(["draft", "awaiting_invoice", "awaiting_payment", "disputed", "paid"]),
    );
  });

  it("states the number, the tax and the due date of each document of a partner", () => {
    const own = found.settlements.filter(
      ({ approval, invoiceReference }) =>
        approval?.billingMode === "partner_billing" && invoiceReference !== null,
    );
    expect(own.length).toBeGreaterThan(5);
    for (const { invoiceNumber, taxAmount, dueDate, taxReview } of own) {
      expect([invoiceNumber, taxAmount, dueDate]).toEqual([
        expect.stringMatching(/^\d{4}-\d+$/),
        expect.any(Number),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ]);
      expect(taxReview).toBeNull();
    }
    expect(own.some(({ taxAmount }) => (taxAmount ?? 0) > 0)).toBe(true);
  });

  it("has a reference or a label for some partners", () => {
    expect(found.partners.some(({ externalReference }) => externalReference !== null)).toBe(true);
    expect(found.partners.some(({ tags }) => tags.length > 0)).toBe(true);
  });
});

describe("its partners", () => {
  const ibans = PARTNERS.flatMap(({ body }) => {
    const billing = body.self_billing_data as
      | { readonly bank_account: { readonly iban: string } }
      | undefined;
    return billing === undefined ? [] : [billing.bank_account.iban];
  });

  it("have an account each, of which those of two have a mistake", () => {
    expect(new Set(ibans).size).toBe(ibans.length);
    expect(ibans.filter((iban) => !Iban.isIban(iban))).toHaveLength(2);
  });
});
