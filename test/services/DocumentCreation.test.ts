/** The content and the numbers of a settlement's documents. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import {
  Attributions,
  type BillingProfile,
  BillingProfiles,
  CommissionPlans,
  Currency,
  DocumentNumber,
  Documents,
  type Ids,
  Partners,
  Quittance,
  SettlementDocuments,
  Settlements,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import { brokenRules, payableOf, rootOf, textOf } from "../einvoice/Checker.ts";
import { CONTACT } from "../einvoice/Contents.ts";
import { differentTerms, termsOfCii, termsOfUbl } from "../einvoice/Terms.ts";
import { brokenOf } from "../einvoice/XRechnung.ts";
import * as Given from "./Given.ts";

const { rule } = Given;

describe("the lines of an invoice", () => {
  it.effect("are one for each commission plan and one for each formula without a plan", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        const { owner, partnerId, schemaId, workspaceId } = scene;
        yield* Given.formula(scene);
        const plans = yield* CommissionPlans.CommissionPlans;
        const { id } = yield* plans.create(owner, {
          ...{ schemaId, workspaceId, name: "Resellers", currency: Given.EUR },
          startDatetime: Given.NOW - 30 * Given.DAY,
          expression: Given.percent(5),
        });
        yield* plans.assign(owner, id, { partnerIds: [partnerId] });
        yield* Given.sell(scene, 10_030);
        yield* Given.wait(Given.DAY);
        yield* Given.sell(scene, 20_000);
        const settlementId = yield* Given.draft(scene);
        yield* Given.approveAndDrain({ ...scene, settlementId });
        const invoice = rendered.find(({ kind }) => kind === "invoice");
        expect(invoice?.groups.map(({ base, tax, invoiceLines }) => ({ base, tax, invoiceLines }))).toEqual([
          {
            ...{ base: 4_505, tax: 1_126 },
            invoiceLines: [
              expect.objectContaining({ description: "Share", count: 2, amount: 3_003, tax: 750 }),
              {
                ...{ subjectId: id, description: "Resellers", count: 2, amount: 1_502, tax: 376 },
                ...{ periodStart: "2026-01-01", periodEnd: "2026-01-02" },
              },
            ],
          },
        ]);
      }),
      Given.recording(rendered),
    );
  });
});

describe("document numbers", () => {
  const numbersOf = (scenes: ReadonlyArray<Given.Scene & { readonly settlementId: Ids.SettlementId }>) =>
    Effect.forEach(scenes, (scene) =>
      Effect.map(Given.settlement(scene, scene.settlementId), (row) => [row.reportNumber, row.invoiceNumber]),
    );

  /** Settlements of a new customer, one for each order value, each of another self-billed partner; none is approved. */
  const drafts = (orderValues: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      const first = yield* Given.drafted(orderValues.slice(0, 1), { selfBilled: true });
      const others = yield* Effect.forEach(orderValues.slice(1), (orderValue) =>
        Effect.gen(function* () {
          const { id } = yield* (yield* Partners.Partners).create(first.owner, {
            ...{ name: "Sydlys ApS", workspaceId: first.workspaceId },
            ...{ billingMode: "self_billing", selfBillingData: Given.SELF_BILLING },
          });
          const scene = { ...first, partnerId: id };
          yield* Given.formula(scene);
          yield* Given.sell(scene, orderValue);
          const own = yield* Given.commissions(scene);
          const commissionIds = own.filter(({ partnerId }) => partnerId === id).map((item) => item.id);
          const { customerId, workspaceId } = scene;
          const { create } = yield* Settlements.Settlements;
          const asked = { customerId, workspaceId, partnerId: id, commissionIds };
          return { ...scene, settlementId: (yield* create(scene.owner, asked)).id };
        }),
      );
      return [first, ...others] as const;
    });

  const PROFILE = {
    legalName: "Kontor A/S",
    address: { street: "Torvet 2", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
    vatNumber: "DK87654321",
  } as const;

  const write = ({ owner }: Given.Scene, documentNumbers: DocumentNumber.DocumentNumbers) =>
    Effect.flatMap(BillingProfiles.BillingProfiles, (profiles) =>
      profiles.write(owner, { ...PROFILE, documentNumbers }),
    );

  it.effect("are in one series for all partners of a customer", () =>
    rule(
      Effect.gen(function* () {
        const scenes = yield* drafts([10_000, 20_000]);
        for (const scene of scenes) {
          yield* Given.approveAndDrain(scene);
        }
        expect(yield* numbersOf(scenes)).toEqual([
          ["REP-000001", "INV-000001"],
          ["REP-000002", "INV-000002"],
        ]);
      }),
    ),
  );

  it.effect("have the parts of the billing profile, and begin at 1 in each year", () =>
    rule(
      Effect.gen(function* () {
        const scenes = yield* drafts([10_000, 20_000]);
        const [first, second] = [scenes[0], scenes[1] ?? scenes[0]];
        yield* write(first, { prefix: "HM", year: true });
        yield* Given.approveAndDrain(first);
        yield* Given.wait(365 * Given.DAY);
        yield* Given.approveAndDrain(second);
        expect(yield* numbersOf(scenes)).toEqual([
          ["HM-REP-2026-000001", "HM-2026-000001"],
          ["HM-REP-2027-000001", "HM-2027-000001"],
        ]);
      }),
    ),
  );

  it.effect("of corrections are in a series of their own if the profile has a prefix for them", () =>
    rule(
      Effect.gen(function* () {
        const [first, second, third] = yield* drafts([10_000, -10_000, 20_000]);
        if (second === undefined || third === undefined) throw new Error("three settlements");
        yield* write(first, { prefix: "F", correctionPrefix: "R" });
        const { review, writeOff } = yield* Settlements.Settlements;
        yield* Given.approveAndDrain(first);
        yield* Given.approveAndDrain(second);
        yield* review(second.owner, second.settlementId, { decision: "issue_credit_note" });
        yield* Given.drain;
        for (const { owner, settlementId } of [first, second]) {
          yield* writeOff(owner, settlementId);
          yield* Given.drain;
        }
        yield* Given.approveAndDrain(third);
        const rows = yield* Effect.forEach([first, second, third], (scene) =>
          Given.settlement(scene, scene.settlementId),
        );
        expect(rows.map((row) => [row.invoiceNumber, row.creditNoteNumber, row.reportNumber])).toEqual([
          ["F-000001", "R-000002", "F-REP-000001"],
          ["R-000003", "R-000001", "F-REP-000002"],
          ["F-000002", null, "F-REP-000003"],
        ]);
        yield* checkInvariants(first.customerId);
      }),
    ),
  );

  it.effect("name the partner if each partner has a series", () =>
    rule(
      Effect.gen(function* () {
        const scenes = yield* drafts([10_000, 20_000]);
        yield* write(scenes[0], { prefix: "HM", series: "partner" });
        for (const scene of scenes) {
          yield* Given.approveAndDrain(scene);
        }
        const part = ({ partnerId }: Given.Scene) => partnerId.slice(-8).toUpperCase();
        expect(yield* numbersOf(scenes)).toEqual(
          scenes.map((scene) => [`HM-REP-${part(scene)}-000001`, `HM-${part(scene)}-000001`]),
        );
      }),
    ),
  );

  it.effect("continue each partner's series of version 1", () =>
    rule(
      Effect.gen(function* () {
        const scenes = yield* drafts([10_000, 20_000]);
        for (const scene of scenes) {
          yield* Given.approveAndDrain(scene);
        }
        expect((yield* numbersOf(scenes)).map(([, invoice]) => invoice)).toEqual([
          "INV-000001",
          "INV-000001",
        ]);
      }),
      {
        storage: ({ numberSeries }) => ({
          numberSeries: (customerId, name) =>
            name === DocumentNumber.PER_PARTNER
              ? Effect.succeed({ customerId, name, lastNumber: 1, lastDate: "1970-01-01" })
              : numberSeries(customerId, name),
        }),
      },
    ),
  );

  it.effect(
    "have no gap and no duplicate when workers of several processes create documents at once and some of them crash",
    () => {
      let renders = 0;
      const render: Documents.DocumentRendererService["render"] = ({ number }) =>
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.suspend(() =>
            ++renders % 5 === 0
              ? Effect.fail(new Documents.RenderingFailed({ cause: new Error("crashed") }))
              : Effect.succeed({ bytes: new TextEncoder().encode(number ?? ""), extension: "txt" }),
          ),
        );
      // An engine of its own for each worker: they share the store and nothing else, as processes do.
      const worker = Effect.provide(
        Given.drain,
        Layer.fresh(Layer.provide(Quittance.layer(), Layer.succeed(Documents.DocumentRenderer, { render }))),
      );
      return rule(
        Effect.gen(function* () {
          const scenes = yield* drafts(Array.from({ length: 8 }, (_, index) => 1_000 * (index + 1)));
          yield* write(scenes[0], { prefix: "HM", year: true });
          for (const scene of scenes) yield* Given.approve(scene);
          const isDone = Effect.map(Effect.forEach(scenes, Given.statusOf), (statuses) =>
            statuses.every(({ type }) => type === "awaiting_payment"),
          );
          for (let round = 0; round < 100 && !(yield* isDone); round++) {
            yield* Effect.all([worker, worker, worker], { concurrency: "unbounded" });
            yield* Given.wait(60_000);
          }
          const counters = scenes.map((_, index) => String(index + 1).padStart(6, "0"));
          expect((yield* numbersOf(scenes)).flat().toSorted()).toEqual([
            ...counters.map((counter) => `HM-2026-${counter}`),
            ...counters.map((counter) => `HM-REP-2026-${counter}`),
          ]);
          expect(renders).toBeGreaterThan(16);
        }),
      );
    },
  );
});

describe("an e-invoice", () => {
  const BUYER = {
    legalName: "Harbour Market GmbH",
    address: { street: "Am Sandtorkai 1", city: "Hamburg", region: "", postalCode: "20457", country: "DE" },
    vatNumber: "DE123456789",
  } as const;

  const profile = ({ owner }: Given.Scene, more: Partial<BillingProfile.Write> = {}) =>
    Effect.flatMap(BillingProfiles.BillingProfiles, ({ write }) => write(owner, { ...BUYER, ...more }));

  const eInvoice = (
    { owner, settlementId }: Given.Scene & { readonly settlementId: Ids.SettlementId },
    format?: SettlementDocuments.EInvoiceFormat,
    attachment?: SettlementDocuments.EInvoiceAttachment,
  ) =>
    Effect.flatMap(SettlementDocuments.SettlementDocuments, ({ downloadEInvoice }) =>
      downloadEInvoice(owner, settlementId, "invoice", format, attachment),
    );

  const noteIn = (bytes: Uint8Array) =>
    /<cbc:Note>(.*?)<\/cbc:Note>/.exec(new TextDecoder().decode(bytes))?.[1];

  const withTax = ({ owner, partnerId }: Given.Scene, rateBps: number) =>
    Effect.flatMap(Partners.Partners, ({ update }) =>
      update(owner, partnerId, {
        selfBillingData: {
          ...Given.SELF_BILLING,
          taxConfig: { treatment: "standard", label: "VAT", rateBps },
        },
      }),
    );

  it.effect("is created with the invoice, and does not change with the profile", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000], { selfBilled: true });
        yield* profile(scene);
        yield* Given.approveAndDrain(scene);
        const { fileName, bytes } = yield* eInvoice(scene);
        expect([fileName, brokenRules(bytes), payableOf(bytes)]).toEqual([
          `invoice-${scene.settlementId}.xml`,
          [],
          "12.50",
        ]);
        yield* profile(scene, { legalName: "Another GmbH" });
        expect((yield* eInvoice(scene)).bytes).toEqual(bytes);
        const cii = yield* eInvoice(scene, "cii");
        expect(cii.fileName).toBe(`invoice-${scene.settlementId}-cii.xml`);
        expect(differentTerms(bytes, cii.bytes)).toEqual([]);
        const { download } = yield* SettlementDocuments.SettlementDocuments;
        const pdf = yield* download(scene.owner, scene.settlementId, "invoice");
        for (const format of ["ubl", "cii"] as const) {
          const whole = yield* eInvoice(scene, format, "pdf");
          const { header } = format === "ubl" ? termsOfUbl(whole.bytes) : termsOfCii(whole.bytes);
          expect(header["BT-125-2"]).toBe(pdf.document.fileName);
          expect(Buffer.from(header["BT-125"] ?? "", "base64").equals(pdf.bytes)).toBe(true);
        }
        expect((yield* eInvoice(scene)).bytes).toEqual(bytes);
      }),
    ),
  );

  it.effect(
    "has the legal notes of the partner and of the profile, and the tax number of a partner without a VAT number",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.drafted([10_000], { selfBilled: true });
          yield* profile(scene, { legalNote: "HRB 12345, Hamburg" });
          const { update } = yield* Partners.Partners;
          yield* update(scene.owner, scene.partnerId, {
            selfBillingData: {
              ...{ ...Given.SELF_BILLING, vatNumber: "151/815/08156", vatNumberType: "tax" },
              ...{ electronicAddress: "0088:7300010000001", legalNote: "SIREN 732 829 320" },
              taxConfig: { treatment: "outside_scope", label: "Nicht steuerbar", rateBps: null },
            },
          });
          yield* Given.approveAndDrain(scene);
          const { bytes } = yield* eInvoice(scene);
          expect([brokenRules(bytes), payableOf(bytes), noteIn(bytes)]).toEqual([
            [],
            "10.00",
            "Self-billing. SIREN 732 829 320. HRB 12345, Hamburg",
          ]);
          const text = new TextDecoder().decode(bytes);
          expect(text).toContain("<cbc:CompanyID>151/815/08156</cbc:CompanyID>");
          expect(text).toContain(`<cbc:ID>${scene.partnerId}</cbc:ID>`);
        }),
      ),
  );

  it.effect("names the pair of a replaced sale once, by its reference and both days", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* profile(scene);
        yield* Given.formula(scene);
        const { create, replace } = yield* Attributions.Attributions;
        const sale = { ...Given.sale(scene, 10_000), externalReference: "ORD-7" };
        const { id } = yield* create(scene.owner, { ...sale, occurredAt: Given.NOW - 3 * Given.DAY });
        const first = { ...scene, settlementId: yield* Given.draft(scene) };
        yield* Given.approveAndDrain(first);
        yield* Given.payByHand(first);
        expect(noteIn((yield* eInvoice(first)).bytes)).toBe("Self-billing");
        yield* replace(scene.owner, id, {
          ...{ properties: { order_value: 15_000 }, occurredAt: Given.NOW - Given.DAY, reason: "one more" },
        });
        const second = { ...scene, settlementId: yield* Given.draft(scene) };
        yield* Given.approveAndDrain(second);
        const { bytes } = yield* eInvoice(second);
        // 15.00 for the new sale, less 10.00 for the old one, and 25 % tax.
        expect([brokenRules(bytes), payableOf(bytes), noteIn(bytes)]).toEqual([
          [],
          "6.25",
          "Self-billing. Replaced sales: ORD-7 (2025-12-29) → ORD-7 (2025-12-31)",
        ]);
      }),
    ),
  );

  it.effect(
    "is there in XRechnung if the partner has a contact, with the buyer reference of the profile",
    () =>
      rule(
        Effect.gen(function* () {
          const without = yield* Given.drafted([10_000], { selfBilled: true });
          yield* profile(without);
          yield* Given.approveAndDrain(without);
          expect(yield* Given.refusal(eInvoice(without, "xrechnung"))).toMatch(
            /^e_invoice_unavailable: BR-DE-2: partner\.self_billing_data\.contact is required by XRechnung/,
          );
          const scene = yield* Given.drafted([10_000], { selfBilled: true });
          yield* profile(scene, { buyerReference: "04011000-1234512345-06" });
          const { update } = yield* Partners.Partners;
          yield* update(scene.owner, scene.partnerId, {
            selfBillingData: { ...Given.SELF_BILLING, contact: CONTACT },
          });
          yield* Given.approveAndDrain(scene);
          const { fileName, bytes } = yield* eInvoice(scene, "xrechnung");
          const root = rootOf(bytes);
          expect(fileName).toBe(`invoice-${scene.settlementId}-xrechnung.xml`);
          expect(root && [brokenOf(root), textOf(root, "cbc:BuyerReference")]).toEqual([
            [],
            "04011000-1234512345-06",
          ]);
        }),
      ),
  );

  it.effect(
    "states the VAT in the national currency at the rate of the approval's day; a later rate changes nothing",
    () => {
      const rendered: Array<Documents.DocumentContent> = [];
      return rule(
        Effect.gen(function* () {
          const rate = (date: string, value: string) => ({
            ...{ currency: Given.EUR, date, rate: value, source: "Narodowy Bank Polski" },
          });
          const national = (...exchangeRates: ReadonlyArray<ReturnType<typeof rate>>) => ({
            ...{ taxCurrency: Currency.Currency.make("PLN"), exchangeRates },
          });
          const scene = yield* Given.drafted([10_000], { selfBilled: true });
          yield* profile(scene, national(rate("2025-11-30", "4.1"), rate("2026-01-02", "4.2")));
          expect(yield* Given.refusal(Given.approve(scene))).toBe(
            "exchange_rate_missing: billing_profile.exchange_rates has no rate of EUR dated 2025-12-01 to 2026-01-01, which the VAT in PLN needs",
          );
          expect(yield* Given.statusOf(scene)).toEqual({ type: "draft" });
          yield* profile(scene, national(rate("2025-12-31", "4.2563"), rate("2026-01-02", "4.3")));
          yield* Given.approve(scene);
          yield* profile(scene, national(rate("2025-12-31", "5")));
          yield* Given.drain;
          // 25 % of 10.00, times 4.2563, is 10.64075.
          const { bytes } = yield* eInvoice(scene);
          const text = new TextDecoder().decode(bytes);
          expect(text).toContain('<cbc:TaxAmount currencyID="PLN">10.64</cbc:TaxAmount>');
          expect([brokenRules(bytes), noteIn(bytes)]).toEqual([
            [],
            "Self-billing. VAT in the national currency: 1 EUR = 4.2563 PLN (Narodowy Bank Polski, 2025-12-31)",
          ]);
          expect(differentTerms(bytes, (yield* eInvoice(scene, "cii")).bytes)).toEqual([]);
          expect(rendered.at(-1)?.settlement.approval?.taxConversion).toEqual({
            ...{ currency: "PLN", date: "2025-12-31", rate: "4.2563", source: "Narodowy Bank Polski" },
          });
          const untaxed = yield* Given.drafted([10_000], { selfBilled: true });
          yield* profile(untaxed, national());
          yield* withTax(untaxed, 0);
          yield* Given.approve(untaxed);
        }),
        Given.recording(rendered),
      );
    },
  );

  it.effect("is in the file of the invoice in CII, where it is valid", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000], { selfBilled: true });
        yield* profile(scene);
        yield* Given.approveAndDrain(scene);
        const { bytes } = yield* eInvoice(scene, "cii");
        expect(rendered.map(({ kind, eInvoice }) => [kind, eInvoice])).toEqual([
          ["report", null],
          ["invoice", bytes],
        ]);
        const other = yield* Given.drafted([10_000], { selfBilled: true });
        yield* profile(other, { eInvoice: "optional" });
        yield* withTax(other, 0);
        yield* Given.approveAndDrain(other);
        expect(rendered.slice(2).map(({ eInvoice }) => eInvoice)).toEqual([null, null]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("must be possible before approval if the profile has an electronic address", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000], { selfBilled: true });
        yield* profile(scene, { electronicAddress: "9930:DE123456789" });
        yield* withTax(scene, 0);
        expect(yield* Given.refusal(Given.approve(scene))).toMatch(
          /^e_invoice_invalid: BR-S-05: partner\.self_billing_data\.tax_config\.rate_bps must be above 0/,
        );
        expect(yield* Given.statusOf(scene)).toEqual({ type: "draft" });
        yield* withTax(scene, 1_900);
        yield* Given.approveAndDrain(scene);
        expect(brokenRules((yield* eInvoice(scene)).bytes)).toEqual([]);
      }),
    ),
  );

  it.effect(
    "does not prevent approval for a customer who does not require one; the settlement shows why it is missing",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.drafted([10_000], { selfBilled: true });
          yield* profile(scene, { electronicAddress: "9930:DE123456789", eInvoice: "optional" });
          yield* withTax(scene, 0);
          yield* Given.approveAndDrain(scene);
          expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
          const [problem, ...others] = (yield* Given.settlement(scene, scene.settlementId)).eInvoiceProblems;
          expect(others).toEqual([]);
          expect(problem).toEqual({
            ...{ kind: "invoice", rule: "BR-S-05", field: "partner.self_billing_data.tax_config.rate_bps" },
            message: expect.stringMatching(/^must be above 0 for standard; /),
          });
          expect(yield* Given.refusal(eInvoice(scene))).toMatch(/^e_invoice_unavailable: BR-S-05: /);
        }),
      ),
  );

  it.effect("does not exist without a billing profile, for an upload, or before the invoice", () =>
    rule(
      Effect.gen(function* () {
        const bare = yield* Given.approved([10_000], { selfBilled: true });
        expect(yield* Given.refusal(eInvoice(bare))).toMatch(
          /^e_invoice_unavailable: there was no billing profile/,
        );
        const own = yield* Given.approved([10_000]);
        expect(yield* Given.refusal(eInvoice(own))).toBe("invoice of the settlement not found");
        yield* Given.upload(own, "invoice");
        expect(yield* Given.refusal(eInvoice(own))).toMatch(
          /^e_invoice_unavailable: this invoice was uploaded/,
        );
      }),
    ),
  );
});
