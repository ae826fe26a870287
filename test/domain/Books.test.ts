import { Either, Schema } from "effect";
import { Books, type Journal } from "quittance";
import { describe, expect, it } from "vitest";

const id = (number: number): never => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}` as never;

const decode = Schema.decodeUnknownEither(Books.Write);

const viewOf = (...rules: ReadonlyArray<object>): Books.Rules => {
  const decoded = decode({ rules });
  if (Either.isLeft(decoded)) throw decoded.left;
  return Books.writtenOf(decoded.right);
};

const problemOf = (rule: object): string =>
  Either.match(decode({ rules: [rule] }), { onLeft: String, onRight: () => "accepted" });

const FACTS: Books.Facts = {
  ...{ kind: "earned", planId: id(1), partnerId: id(2), workspaceId: id(3), taxTreatment: null },
};
const TEXTS = { text: "Sale of 1 May", partner: "Nordlys", document: "INV-1", reference: "order-7" };
const LINES: ReadonlyArray<Journal.Line> = [
  { account: "commission_expense", amount: 100n },
  { account: "accrued_commissions", amount: -100n },
];

const post = (books: Books.Rules, facts: Partial<Books.Facts> = {}, lines = LINES) =>
  Books.post(books, { ...FACTS, ...facts }, TEXTS, lines);

describe("posting rules", () => {
  it("give a posting the number, cost centre and text of the first rule that applies, and change no amount", () => {
    const books = viewOf(
      { account: "commission_expense", plan_id: id(9), number: "1" },
      { account: "commission_expense", plan_id: id(1), number: "2", cost_centre: "north" },
      { account: "commission_expense", number: "3", text: "{partner}: {text} {document} {reference}" },
    );
    expect(post(books)).toEqual([
      { account: "commission_expense", amount: 100n, number: "2", costCentre: "north" },
      LINES[1],
    ]);
    expect(post(books, { planId: null })[0]).toEqual({
      ...{ account: "commission_expense", amount: 100n, number: "3" },
      text: "Nordlys: Sale of 1 May INV-1 order-7",
    });
    expect(post(viewOf())).toEqual(LINES);
  });

  it("compare every condition", () => {
    const conditions = [
      ["commission_expense", { kind: "adjusted" }, { kind: "adjusted" }],
      ["commission_expense", { plan_id: id(5) }, { planId: id(5) }],
      ["accrued_commissions", { partner_id: id(6) }, { partnerId: id(6) }],
      ["accrued_commissions", { workspace_id: id(7) }, { workspaceId: id(7) }],
      ["partner_payables", { tax_treatment: "reverse_charge" }, { taxTreatment: "reverse_charge" }],
    ] as const;
    for (const [account, condition, facts] of conditions) {
      const books = viewOf({ account, ...condition, number: "8" });
      const lines = [{ account, amount: 5n }];
      expect(post(books, {}, lines)).toEqual(lines);
      expect(post(books, facts, lines)).toEqual([{ account, amount: 5n, number: "8" }]);
    }
  });

  it("may depend for an account that is taken back only on what both entries share", () => {
    const refused = [
      { account: "accrued_commissions", plan_id: id(1) },
      { account: "partner_payables", kind: "billed" },
      { account: "payments", kind: "paid" },
      { account: "commission_expense", tax_treatment: "exempt" },
      { account: "written_off_commissions", plan_id: id(1) },
    ];
    for (const rule of refused) expect(problemOf({ ...rule, number: "1" })).toMatch(/must be absent for/);
  });

  it("refuse an unknown placeholder, and a number that is empty", () => {
    const rule = { account: "input_tax", number: "1" };
    expect(problemOf({ ...rule, text: "{name}" })).toMatch(/must have no \{name\}/);
    expect(problemOf({ ...rule, number: " " })).toMatch(/must not be empty/);
  });

  it("are written once: equal ones are no event, and the log gives them back", () => {
    const books = viewOf({
      account: "commission_expense",
      plan_id: id(1),
      number: "2",
      cost_centre: "north",
    });
    const request = { rules: books.rules };
    const [event, ...others] = Books.write(null, request, { actor: "user:ida" });
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      rules: [{ account: "commission_expense", plan_id: id(1), number: "2", cost_centre: "north" }],
    });
    const view = Books.evolve(null, { at: 1, actor: "user:ida", event: event as Books.BooksEvent });
    expect(view).toEqual({ ...Books.NONE, ...books });
    expect(Books.write(view, request, { actor: "user:ida" })).toEqual([]);
    const xero = { taxRate: "No VAT" };
    const stated = Books.write(view, { ...request, xero }, { actor: "user:ida" });
    expect(stated).toMatchObject([{ xero: { tax_rate: "No VAT" } }]);
  });
});
