/** What erasing leaves of events, and how long data has to be kept. */
import { Option, SchemaAST } from "effect";
import { Commission, Event, PersonalData, Settlement, SettlementMachine } from "quittance";
import { describe, expect, it } from "vitest";
import { payment } from "../payouts/Payers.ts";
import { APPROVED, DOCUMENT, draft, REFERENCE, SELF_BILLING } from "./SettlementScene.ts";

type SettlementEvent = Settlement.SettlementEvent;

const NAMES = PersonalData.namesOf(["Ida Krone", "Krone & Partner GmbH"]);
const SUBJECT = { names: NAMES, isOwn: (actor: string) => actor === "key of Ida" };

const entry = <Event>(event: Event, actor = "clerk") => ({ at: 0, actor, person: "Ole", event });
const left = <Event extends { readonly type: SettlementEvent["type"] }>(event: Event): Event =>
  PersonalData.leftOf(entry(event), SUBJECT).event;

describe("a text", () => {
  it.each([
    ["Ida's plan", true],
    ["for KRONE", true],
    ["Partner of the year", true],
    ["10 % for friday", false],
    ["GmbH", true],
    ["", false],
  ])("names the person when it has a word of the names: %j", (text, expected) => {
    expect(NAMES(text)).toBe(expected);
  });
});

const UPLOAD = { tax_amount: 0, uploaded: true };
const ISSUED = { tax_amount: 0 };
const PROBLEM = { rule: "BR-1", field: "partner.name", message: "Ida Krone is too long" };

const isDate = (ast: SchemaAST.AST): boolean =>
  SchemaAST.getJSONSchemaAnnotation(ast).pipe(Option.exists((form) => "format" in form));

/** The texts in a schema whose marks do not decide whether erasing replaces them: those without one, and texts of dictionaries and lists. */
const undecided = (ast: SchemaAST.AST, path: string, isField: boolean): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "StringKeyword":
      return isDate(ast) || (isField && Event.PERSONAL in ast.annotations) ? [] : [path];
    case "TypeLiteral":
      return [
        ...ast.propertySignatures.flatMap(({ name, type }) =>
          undecided(type, `${path}.${String(name)}`, true),
        ),
        ...ast.indexSignatures.flatMap(({ type }) => undecided(type, path, false)),
      ];
    case "TupleType":
      return ast.rest.flatMap(({ type }) => undecided(type, path, false));
    case "Union":
      return ast.types.flatMap((type) => undecided(type, path, false));
    default:
      return [];
  }
};

describe("a text of an event", () => {
  it("is marked as personal or kept, unless its event has a rule of its own", () => {
    const members = [...Commission.CommissionEvent.members, ...Settlement.ShownEvent.members];
    const texts = members.flatMap(({ ast, fields }) =>
      SchemaAST.getPropertySignatures(ast).flatMap(({ name, type }) =>
        undecided(type, `${fields.type.literals[0]}.${String(name)}`, true),
      ),
    );
    expect(texts).toEqual([
      "link_report.report_number",
      "link_invoice.invoice_number",
      "link_credit_note.credit_note_number",
      "choose_payout_account.details",
    ]);
  });
});

describe("what is left of an event", () => {
  it.each<readonly [SettlementEvent, object]>([
    [
      { type: "dispute_settlement", reason: "Krone here" },
      { type: "dispute_settlement", reason: "[erased]" },
    ],
    [
      { type: "mark_as_paid", bank_reference: "KRONE 17", note: "by cheque" },
      { type: "mark_as_paid", bank_reference: "[erased]", note: "[erased]" },
    ],
    [{ type: "mark_as_paid" }, { type: "mark_as_paid" }],
    [
      { type: "comment_settlement", text: "Krone asks", side: "partner" },
      { type: "comment_settlement", text: "[erased]", side: "partner" },
    ],
    [
      { type: "comment_settlement", text: "Ida, it is paid", side: "customer", person: "dana" },
      { type: "comment_settlement", text: "[erased]", side: "customer", person: "dana" },
    ],
    ...(
      [
        { type: "comment_settlement", text: "Krone", side: "partner" },
        { type: "dispute_settlement", reason: "Krone" },
        { type: "resolve_dispute", resolution: "upheld", note: "Krone" },
      ] as const
    ).map((event) => {
      const text = Object.entries(event).map(([name, value]) => [
        name,
        value === "Krone" ? "[erased]" : value,
      ]);
      const attachments = [{ id: DOCUMENT, file_name: "Krone.pdf", byte_length: 8 }];
      return [
        { ...event, attachments },
        { ...Object.fromEntries(text), attachments: [{ ...attachments[0], file_name: "[erased]" }] },
      ] as const;
    }),
    [
      { type: "link_invoice", invoice_reference: DOCUMENT, invoice_number: "IK-1", stored: UPLOAD },
      { type: "link_invoice", invoice_reference: DOCUMENT, invoice_number: "[erased]", stored: UPLOAD },
    ],
    [
      {
        ...{ type: "link_credit_note", credit_note_reference: DOCUMENT, credit_note_number: "CN-1" },
        stored: { ...ISSUED, e_invoice_problems: [PROBLEM] },
      },
      {
        ...{ type: "link_credit_note", credit_note_reference: DOCUMENT, credit_note_number: "CN-1" },
        stored: { ...ISSUED, e_invoice_problems: [{ ...PROBLEM, message: "[erased]" }] },
      },
    ],
    [
      {
        type: "approve_settlement",
        billing_mode: "self_billing",
        stored: { partner_name: "Ida", self_billing_data: SELF_BILLING, tax_groups: [] },
      },
      {
        type: "approve_settlement",
        billing_mode: "self_billing",
        stored: {
          partner_name: "[erased]",
          self_billing_data: {
            legalName: "[erased]",
            address: {
              ...{ street: "[erased]", city: "[erased]", region: "", postalCode: "[erased]" },
              country: "DK",
            },
            vatNumber: "[erased]",
            paymentTermsDays: 30,
            bankAccount: { beneficiaryName: "[erased]", iban: "[erased]", bic: "[erased]" },
            taxConfig: SELF_BILLING.taxConfig,
          },
          tax_groups: [],
        },
      },
    ],
    [
      { type: "initiate_payment", payment_reference: REFERENCE, attempt: 1 },
      { type: "initiate_payment", payment_reference: REFERENCE, attempt: 1 },
    ],
  ])("has no personal data: %j", (event, expected) => {
    expect(left(event)).toEqual(expected);
  });

  it("has no name and description of a formula that name the person, and keeps others", () => {
    const formula = { type: "update_commission_formula", name: "Ida", description: "ten per cent" } as const;
    expect(PersonalData.leftOf(entry(formula), SUBJECT).event).toEqual({ ...formula, name: "[erased]" });
  });

  it("has no fingerprint and no account of the partner", () => {
    const created = {
      type: "create_partner",
      ...{ actor: { principal_id: "clerk", person: "Ole" }, billing_mode: null },
      ...{ bank_account: { iban: "DK…6243", bic: "NDEADKKK" }, tax_config: null, stored: { sha256: "0a" } },
    } as const;
    const after = PersonalData.leftOf(entry(created), SUBJECT).event;
    expect(after).toEqual({ ...created, bank_account: null, stored: { sha256: "[erased]" } });
  });

  it("names the person of others than the erased one", () => {
    const own = PersonalData.leftOf(entry(APPROVED, "key of Ida"), SUBJECT);
    expect([own.actor, "person" in own]).toEqual(["key of Ida", false]);
    expect(PersonalData.leftOf(entry(APPROVED), SUBJECT).person).toBe("Ole");
  });
});

const LAST = Date.UTC(2026, 2, 31);
const state = (...events: ReadonlyArray<SettlementEvent>) => {
  const view = events.reduce<Settlement.View | null>(
    (before, event) => Settlement.evolve(before, { at: LAST, actor: "clerk", event }),
    null,
  );
  if (view === null) throw new Error("a settlement has events");
  return { ...view, lastAt: LAST };
};
const REPORT = { type: "link_report", report_reference: DOCUMENT } as const;
const CANCELLED = [draft(), { type: "cancel_settlement" }] as const;
const WRITTEN_OFF = [draft(), APPROVED, REPORT, { type: "write_off_settlement" }] as const;
const RETENTION = { reason: "retention", until: "2036-12-31" };

describe("the data of a settlement", () => {
  it.each([
    ["while it is open", [draft(), APPROVED], "2060-01-01", { reason: "settlement_open", until: null }],
    ["to the end of the tenth year", WRITTEN_OFF, "2036-12-31", RETENTION],
    ["no longer", WRITTEN_OFF, "2037-01-01", null],
    ["never if it has no document and no payment", CANCELLED, "2026-03-31", null],
  ] as const)("is kept %s", (_, events, today, expected) => {
    const { retentionYears } = SettlementMachine.DEFAULT_POLICY;
    expect(PersonalData.keptOfSettlement(state(...events), today, retentionYears)).toEqual(expected);
  });
});

describe("a payment by file", () => {
  it("keeps nothing of an account of any type", () => {
    const left = PersonalData.leftOfPayment({
      ...payment({ bankAccount: null }),
      account: { type: "us_ach", details: { account_number: "12345678", holder: "Nordlys LLC" } },
    });
    expect(JSON.stringify(left)).not.toMatch(/12345678|Nordlys|us_ach/);
    expect(PersonalData.isErasedAccount(left)).toBe(true);
    expect(PersonalData.isErasedAccount(payment())).toBe(false);
  });
});
