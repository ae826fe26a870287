/** Every invariant holds on a correct store, and fails on a store that alters the records it checks. */
import { assert, describe, it } from "@effect/vitest";
import { Effect, Schema } from "effect";
import { Currency, Ids, Partner, type Settlement, Storage } from "quittance";
import { layer } from "quittance/memory";
import { Build, checkInvariants, findViolations, invariants, LedgerSnapshot, Scene } from "quittance/testing";
import { type Alterations, alterStore } from "./planted/AlteredStore.ts";

const BILLING = Schema.decodeUnknownSync(Partner.SelfBillingData)({
  legal_name: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postal_code: "1058", country: "DK" },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "exempt", label: "VAT" },
});

/** A plan with two changes, and a formula that has applied the first; the assignment begins later than any sale. */
const plan = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const bounds = { start_datetime: new Date(Build.EPOCH + 180 * Build.DAY).toISOString() };
    const created = Build.plan(scene);
    const assigned = Build.formula(scene, { ...Build.assignment(created.row, bounds), ...bounds });
    yield* Scene.commit(scene.customerId, [created, assigned]);
    const second = Build.next("plan", created.row, [{ type: "update_commission_plan", name: "Second" }]);
    const applied = Build.next("formula", assigned.row, [
      { type: "update_commission_formula", name: "Second", ...Build.assignment(second.row, bounds) },
    ]);
    yield* Scene.commit(scene.customerId, [second, applied]);
    yield* Scene.commit(scene.customerId, [
      Build.next("plan", second.row, [{ type: "update_commission_plan", name: "Third" }]),
    ]);
  });

/** A settlement that is paid by its second payment file; the first was discarded. */
const paidByFile = (draft: Storage.Versioned<Settlement.Settlement>) =>
  Effect.gen(function* () {
    const { customerId } = draft;
    const [first, second] = [Build.paymentFile(customerId), Build.paymentFile(customerId)];
    const sum = { count: 1, sum: draft.total };
    const refused = Build.bankPayment(draft, { fileId: first.row.id, isWaiting: false });
    const paid = Build.bankPayment(draft, {
      ...{ fileId: second.row.id, isWaiting: false },
      bookings: [{ kind: "debit", entry: "B1", isFinal: true }],
    });
    const selfBillingData = { ...BILLING, bankAccount: paid.row.bankAccount ?? BILLING.bankAccount };
    const events: ReadonlyArray<Settlement.SettlementEvent> = [
      ...Build.approvalEvents(draft).map((event) =>
        event.type === "approve_settlement"
          ? { ...event, stored: { ...event.stored, self_billing_data: selfBillingData } }
          : event,
      ),
      { type: "initiate_payment", payment_reference: refused.row.id, attempt: 1 },
      { type: "fail_payment", payment_reference: refused.row.id, reason: "discarded" },
      { type: "initiate_payment", payment_reference: paid.row.id, attempt: 2 },
      {
        ...{ type: "hand_over_payment", payment_reference: paid.row.id, payment_file_id: second.row.id },
        execution_date: second.row.executionDate,
      },
      {
        ...{ type: "confirm_payment", payment_reference: paid.row.id },
        fee: { amount: 3, currency: Currency.Currency.make("EUR") },
        received: { amount: 900, currency: Currency.Currency.make("USD") },
      },
    ];
    yield* Scene.advance(draft, events, { type: "settle", settlementId: draft.id, as: "paid" });
    yield* Scene.commit(customerId, [
      { ...first, row: { ...first.row, ...sum, discardedAt: Build.EPOCH } },
      { ...second, row: { ...second.row, ...sum, handedOverAt: Build.EPOCH } },
      refused,
      paid,
    ]);
  });

/** Stores commissions of every kind: due, drafted, paid, written off, negative, zero, not computable, clawed back. */
const world = Effect.gen(function* () {
  const storage = yield* Storage.Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const earned = yield* Scene.earn(
    scene,
    [1000, 1000, 500, -300, 0, 1200, 700, null, 800],
    (index) => Build.EPOCH + index,
  );
  const [paid, writtenOff, drafted, negative, zero, clawedBack] = earned.map(({ commission }) => commission);
  const attribution = earned[5]?.attribution;
  const byFile = earned[8]?.commission;
  assert(paid && writtenOff && drafted && negative && zero && clawedBack && attribution && byFile);
  yield* paidByFile(yield* Scene.draft(scene, [byFile]));
  yield* Scene.pay(yield* Scene.draft(scene, [paid, clawedBack]));
  yield* Scene.writeOff(yield* Scene.draft(scene, [writtenOff]));
  yield* Scene.pay(yield* Scene.draft(scene, [negative]));
  yield* Scene.cancel(yield* Scene.draft(scene, [drafted, zero]));
  const again = yield* storage.find(customerId, "commission", [drafted.id, zero.id]);
  yield* Scene.draft(scene, again);
  const [held] = yield* storage.find(customerId, "commission", [clawedBack.id]);
  assert(held);
  const cancel = Build.next("attribution", attribution, [{ type: "cancel_attribution", reason: "refunded" }]);
  yield* Scene.commit(customerId, [cancel, Scene.revisionOf(held, 0)]);
  const [due] = yield* storage.find(customerId, "commission", [clawedBack.id]);
  assert(due);
  yield* Scene.draft(scene, [due]);
  // Before the formula begins, so that they earn nothing.
  const beforehand = { createdAt: Build.EPOCH - 31 * Build.DAY };
  const sold = Build.attribution(scene, { ...beforehand, externalReference: "order-1" });
  yield* Scene.commit(customerId, [sold]);
  const newer = Build.attribution(scene, {
    ...beforehand,
    externalReference: "order-1",
    replaces: sold.row.id,
  });
  yield* Scene.commit(customerId, [Build.replacedAttribution(sold.row, newer.row.id), newer]);
  const shared = Build.attribution(scene, {
    ...beforehand,
    credit: { role: "seller", share: "1", depth: 0 },
  });
  const managed = Build.attribution(scene, {
    ...beforehand,
    originId: shared.row.id,
    credit: { role: "manager", share: "1", depth: 0, further: true },
  });
  const above = Build.attribution(scene, {
    ...beforehand,
    originId: shared.row.id,
    credit: { role: "manager", share: "1", depth: 1, further: true },
  });
  yield* Scene.commit(customerId, [shared, managed, above]);
  const late = Build.attribution(scene, {
    ...beforehand,
    originId: shared.row.id,
    credit: { role: "recruiter", share: "1", depth: 1, further: true },
  });
  const entered = { type: "recredit_attribution", reason: "entered late" } as const;
  const recredited = Build.next("attribution", shared.row, [entered]);
  yield* Scene.commit(customerId, [recredited, late]);
  yield* Scene.commit(customerId, [
    Build.next("attribution", recredited.row, [entered]),
    Build.next("attribution", late.row, [{ type: "cancel_attribution", reason: "entered late" }]),
  ]);
  yield* plan(scene);
  yield* Scene.commit(customerId, [
    Build.apiKey(customerId),
    Build.billingProfile(customerId),
    Build.settlementPolicy({ ...scene, partnerId: null }),
  ]);
  return customerId;
});

const isPaid = ({ status }: Storage.Listed["settlement"]): boolean => status.type === "paid";

/** Each planted bug with the invariant that must catch it. */
const PLANTS: ReadonlyArray<readonly [invariant: string, bug: string, plant: Alterations]> = [
  [
    "M11",
    "a self-billed settlement of whose tax nothing is kept",
    {
      rows: {
        settlement: (row) =>
          row.approval === null
            ? row
            : { ...row, approval: { ...row.approval, billingMode: "self_billing" } },
      },
    },
  ],
  ["B1", "a file of more payments than it has", { rows: { paymentFile: (row) => ({ ...row, count: 2 }) } }],
  [
    "B2",
    "a payment of another amount",
    { rows: { settlement: (row) => ({ ...row, payableAmount: (row.payableAmount ?? 0) + 1 }) } },
  ],
  [
    "B3",
    "a settlement in two files",
    {
      rows: { paymentFile: (row) => ({ ...row, discardedAt: null }) },
      logs: { settlement: (log) => log.filter(({ event }) => event.type !== "fail_payment") },
    },
  ],
  [
    "B4",
    "a booking applied twice",
    {
      logs: {
        settlement: (log) =>
          log.flatMap((entry) => (entry.event.type === "confirm_payment" ? [entry, entry] : [entry])),
      },
    },
  ],
  [
    "B5",
    "a file that was not handed over",
    { rows: { paymentFile: (row) => ({ ...row, handedOverAt: null }) } },
  ],
  [
    "B5",
    "a payment that was handed over with another file",
    {
      rows: {
        settlement: (row) => ({
          ...row,
          handedOver: row.handedOver && { ...row.handedOver, fileId: Build.fresh.paymentFile() },
        }),
      },
    },
  ],
  [
    "N1",
    "a document number that leaves a gap",
    { rows: { settlement: (row) => ({ ...row, invoiceNumber: "INV-000007" }) } },
  ],
  [
    "M1",
    "an amount one higher in the row",
    { rows: { commission: (row) => ({ ...row, computedAmount: (row.computedAmount ?? 0) + 1 }) } },
  ],
  [
    "M1",
    "a write-off counted twice",
    {
      rows: {
        commission: (row) => ({
          ...row,
          computedAmount: 5000,
          writtenOffPositive: row.writtenOffPositive * 2,
        }),
      },
    },
  ],
  [
    "M15",
    "overrides that are no part of what sellers earn",
    {
      rows: {
        formula: (row) => ({
          ...row,
          versions: [
            { expression: { type: "attribute", name: "sellers_commission" }, effectiveDatetime: null },
          ],
        }),
      },
    },
  ],
  [
    "M12",
    "amounts that do not build on what came before",
    {
      rows: {
        formula: (row) => ({
          ...row,
          versions: [
            {
              expression: {
                type: "aggregate",
                function: "sum",
                value: { type: "property", name: "order_value" },
                window: { type: "lifetime" },
              },
              effectiveDatetime: null,
            },
          ],
        }),
      },
    },
  ],
  [
    "S8",
    "a plan that has reached every formula",
    { rows: { plan: (row) => ({ ...row, rollingOut: { pending: 0, done: 1 } }) } },
  ],
  ["S8", "a partner counted twice", { rows: { plan: (row) => ({ ...row, partnerCount: 2 }) } }],
  ["S8", "an event of the plan left out", { logs: { plan: (log) => log.filter((_, index) => index !== 1) } }],
  ["S8", "an event that the formula has not applied", { logs: { formula: (log) => log.slice(0, 1) } }],
  [
    "S8",
    "an event by somebody else",
    {
      logs: { formula: (log) => log.map((entry, index) => (index === 1 ? { ...entry, actor: "x" } : entry)) },
    },
  ],
  [
    "S8",
    "another end than the plan's",
    {
      rows: { formula: (row) => (row.assignment === null ? row : { ...row, endDatetime: Build.EPOCH * 2 }) },
    },
  ],
  [
    "S8",
    "another expression than the plan's",
    {
      rows: {
        formula: (row) =>
          row.assignment === null
            ? row
            : {
                ...row,
                versions: [{ ...row.versions[0], expression: { type: "property", name: "order_value" } }],
              },
      },
    },
  ],
  ["M2", "a payment forgotten", { rows: { commission: (row) => ({ ...row, paidAmount: 0 }) } }],
  [
    "M2",
    "a write-off booked as payment",
    {
      rows: {
        commission: (row) => ({
          ...row,
          paidAmount: row.paidAmount + row.writtenOffPositive,
          writtenOffPositive: 0,
        }),
      },
    },
  ],
  [
    "M13",
    "an amount that a payment under way takes too far",
    {
      rows: {
        commission: (row) =>
          row.pendingAmount > 0 ? { ...row, computedAmount: -Number.MAX_SAFE_INTEGER } : row,
      },
    },
  ],
  [
    "M3",
    "a line refreshed after creation",
    {
      rows: {
        settlement: (row) => ({
          ...row,
          lines: row.lines.map((line) => ({ ...line, amount: line.amount + 1 })),
        }),
      },
    },
  ],
  [
    "M3",
    "more settled than was reserved",
    {
      logs: {
        commission: (log) =>
          log.map((entry) =>
            entry.event.type === "settle_commission"
              ? { ...entry, event: { ...entry.event, amount: entry.event.amount + 1 } }
              : entry,
          ),
      },
    },
  ],
  [
    "M3",
    "reserved what was not due",
    {
      rows: { settlement: (row) => ({ ...row, lines: row.lines.map((line) => ({ ...line, amount: 7 })) }) },
      logs: {
        commission: (log) =>
          log.map((entry) =>
            "settlement_id" in entry.event ? { ...entry, event: { ...entry.event, amount: 7 } } : entry,
          ),
      },
    },
  ],
  [
    "M4",
    "an ended settlement shown open",
    { rows: { settlement: (row) => (isPaid(row) ? { ...row, status: { type: "awaiting_payment" } } : row) } },
  ],
  [
    "M4",
    "a commission that forgot its draft",
    { rows: { commission: (row) => ({ ...row, openSettlementId: null }) } },
  ],
  [
    "M5",
    "a total that is not the sum",
    { rows: { settlement: (row) => ({ ...row, total: row.total + 1 }) } },
  ],
  [
    "M5",
    "another currency",
    { rows: { settlement: (row) => ({ ...row, currency: Currency.Currency.make("JPY") }) } },
  ],
  [
    "M5",
    "another partner",
    { rows: { commission: (row) => ({ ...row, partnerId: Build.fresh.partner() }) } },
  ],
  [
    "M5",
    "a commission twice",
    {
      rows: { settlement: (row) => ({ ...row, lines: [...row.lines, ...row.lines], total: row.total * 2 }) },
    },
  ],
  [
    "M5",
    "a line of another customer",
    { rows: { settlement: (row) => ({ ...row, customerId: Build.fresh.customer() }) } },
  ],
  [
    "M6",
    "claimed back what was never paid",
    {
      logs: {
        commission: (log) =>
          log.map((entry) =>
            entry.event.type === "reserve_commission"
              ? { ...entry, event: { ...entry.event, amount: -5000 } }
              : entry,
          ),
      },
    },
  ],
  [
    "M7",
    "offered once more what was paid",
    {
      logs: {
        commission: (log) =>
          log.map((entry) =>
            entry.event.type === "reserve_commission"
              ? { ...entry, event: { ...entry.event, amount: 5000 } }
              : entry,
          ),
      },
    },
  ],
  [
    "M17",
    "a fee that is not shown",
    {
      rows: {
        settlement: ({ fee, ...row }) => row,
      },
    },
  ],
  [
    "M17",
    "an amount received that nobody reported",
    {
      logs: {
        settlement: (log) =>
          log.map((entry) => {
            if (entry.event.type !== "confirm_payment") return entry;
            const { received, ...event } = entry.event;
            return { ...entry, event };
          }),
      },
    },
  ],
  [
    "M9",
    "statistics in floats",
    {
      commissionStatistic: (statistic) => ({
        ...statistic,
        unsettledAmount: statistic.unsettledAmount + 1n,
      }),
    },
  ],
  [
    "M9",
    "a bucket that leaves one out",
    { commissionStatistic: (statistic) => ({ ...statistic, count: statistic.count - 1 }) },
  ],
  [
    "M9",
    "attributions counted twice",
    { attributionStatistic: (statistic) => ({ ...statistic, count: statistic.count * 2 }) },
  ],
  [
    "M9",
    "cash that is not in the books",
    { rows: { commission: (row) => ({ ...row, paidAmount: row.paidAmount + 1 }) } },
  ],
  [
    "M9",
    "a reservation that is not in the books",
    { rows: { commission: (row) => ({ ...row, pendingAmount: row.pendingAmount + 1 }) } },
  ],
  [
    "M14",
    "a balance that forgets what is pending",
    { balance: (balance) => ({ ...balance, pending: balance.pending + 1n }) },
  ],
  [
    "M14",
    "movements that do not lead from one balance to the other",
    { movement: (movement) => ({ ...movement, settled: movement.settled - 1n }) },
  ],
  ["M14", "a movement of another date", { movement: (movement) => ({ ...movement, at: movement.at - 1 }) }],
  [
    "S1",
    "paid from a draft",
    {
      logs: {
        settlement: (log) =>
          log.filter(({ event }) => event.type !== "approve_settlement" && event.type !== "link_report"),
      },
    },
  ],
  ["S2", "settled lines not counted", { rows: { commission: (row) => ({ ...row, settledLineCount: 0 }) } }],
  [
    "S2",
    "a held commission shown free",
    { rows: { commission: (row) => ({ ...row, openSettlementId: null }) } },
  ],
  [
    "S3",
    "a payment under way without reference",
    { rows: { settlement: (row) => ({ ...row, status: { type: "payment_initiated" } }) } },
  ],
  [
    "S3",
    "an invoice for nothing",
    { rows: { settlement: (row) => ({ ...row, total: 0, status: { type: "awaiting_invoice" } }) } },
  ],
  [
    "S3",
    "a review of a positive settlement",
    { rows: { settlement: (row) => ({ ...row, total: 1, status: { type: "negative_review" } }) } },
  ],
  [
    "S3",
    "disputed while a credit note of a positive settlement was awaited",
    {
      rows: {
        settlement: (row) => ({
          ...row,
          total: 1,
          status: { type: "disputed", resume: "awaiting_credit_note" },
        }),
      },
    },
  ],
  [
    "S3",
    "nothing due although something was",
    {
      rows: { settlement: (row) => ({ ...row, total: 1, status: { type: "paid", method: "nothing_due" } }) },
    },
  ],
  [
    "S3",
    "a draft reconciled",
    { rows: { settlement: (row) => ({ ...row, reconciliationStatus: "reconciled" }) } },
  ],
  [
    "S7",
    "a payment of a tax that nobody accepted",
    {
      logs: {
        settlement: (log) =>
          log.map((entry) =>
            entry.event.type === "link_invoice"
              ? {
                  ...entry,
                  event: {
                    ...{ ...entry.event, stored: { ...entry.event.stored, tax_amount: 9 } },
                    tax_review: { tax_amount: 9, expected_tax_amount: null },
                  },
                }
              : entry,
          ),
      },
    },
  ],
  [
    "S7",
    "a stated tax that is not compared with the rate",
    {
      logs: {
        settlement: (log) =>
          log.map((entry) =>
            entry.event.type === "link_invoice"
              ? { ...entry, event: { ...entry.event, stored: { ...entry.event.stored, tax_amount: 9 } } }
              : entry,
          ),
      },
    },
  ],
  [
    "S7",
    "a review that nothing asks for",
    {
      rows: {
        settlement: (row) => ({ ...row, taxReview: { taxAmount: 9, expectedTaxAmount: 1, uploadedBy: "x" } }),
      },
    },
  ],
  [
    "S5",
    "an amount kept after the attribution was cancelled",
    { rows: { attribution: (row) => ({ ...row, status: "cancelled" }) } },
  ],
  [
    "S5",
    "an amount kept after the formula was cancelled",
    { rows: { formula: (row) => ({ ...row, status: "cancelled" }) } },
  ],
  [
    "S9",
    "a replaced attribution that keeps its external reference",
    {
      rows: {
        attribution: (row) => (row.replacedBy === null ? row : { ...row, externalReference: "order-1" }),
      },
    },
  ],
  [
    "S9",
    "a replaced attribution that is confirmed",
    { rows: { attribution: (row) => (row.replacedBy === null ? row : { ...row, status: "confirmed" }) } },
  ],
  [
    "S9",
    "an attribution that does not name the one that it replaces",
    { rows: { attribution: (row) => ({ ...row, replaces: null }) } },
  ],
  [
    "S9",
    "an attribution that does not name the one that replaces it",
    { rows: { attribution: (row) => ({ ...row, replacedBy: null }) } },
  ],
  [
    "S10",
    "sellers who have less than the sale",
    {
      rows: {
        attribution: (row) =>
          row.credit?.role === "seller" ? { ...row, credit: { ...row.credit, share: "0.5" } } : row,
      },
    },
  ],
  [
    "S11",
    "a credit that is confirmed without its origin",
    {
      rows: {
        attribution: (row) => (row.credit?.role === "seller" ? { ...row, status: "cancelled" } : row),
      },
    },
  ],
  [
    "S12",
    "a sale that counts twice for one partner",
    {
      rows: {
        attribution: (row) => {
          if (row.credit?.further === undefined) return row;
          const { further, ...credit } = row.credit;
          return { ...row, credit };
        },
      },
    },
  ],
  [
    "S13",
    "an upline with less than the sellers below it",
    {
      rows: {
        attribution: (row) =>
          row.credit?.depth === 1 ? { ...row, credit: { ...row.credit, share: "0.5" } } : row,
      },
    },
  ],
  [
    "S14",
    "a credit that is cancelled alone",
    {
      rows: {
        attribution: (row) => (row.credit?.depth === 1 ? { ...row, status: "cancelled" } : row),
      },
    },
  ],
  [
    "S14",
    "a given credit that is cancelled alone",
    {
      rows: {
        attribution: (row) =>
          row.credit?.role === "manager" && row.credit.depth === 0 ? { ...row, status: "cancelled" } : row,
      },
    },
  ],
  [
    "S15",
    "a statement that its sale does not have",
    { rows: { commission: (row) => ({ ...row, receipt: { received: 1, of: 2 } }) } },
  ],
  [
    "S16",
    "an amount that was settled elsewhere, of which its sale says nothing",
    {
      logs: {
        commission: (log) =>
          log.flatMap((entry) =>
            entry.event.type === "create_commission"
              ? [
                  entry,
                  {
                    ...entry,
                    event: {
                      ...{ type: "settle_elsewhere", amount: entry.event.amount },
                      at: "2025-11-30T00:00:00.000Z",
                    } as const,
                  },
                ]
              : [entry],
          ),
      },
    },
  ],
  [
    "S6",
    "a commission missing",
    { rows: { commission: (row) => ({ ...row, formulaId: Build.fresh.formula() }) } },
  ],
  [
    "S6",
    "two commissions of one pair",
    { rows: { commission: (row) => ({ ...row, attributionId: Ids.AttributionId.make(Ids.NIL) }) } },
  ],
  [
    "L1",
    "a view without its event: attribution",
    { rows: { attribution: (row) => ({ ...row, cancelReason: "none was given" }) } },
  ],
  ["L1", "a view without its event: formula", { rows: { formula: (row) => ({ ...row, name: "Another" }) } }],
  [
    "L1",
    "a view without its event: commission",
    { rows: { commission: (row) => ({ ...row, formulaVersion: 9 }) } },
  ],
  [
    "L1",
    "a view without its event: settlement",
    { rows: { settlement: (row) => ({ ...row, createdBy: "someone else" }) } },
  ],
  ["L1", "a view without its event: key", { rows: { apiKey: (row) => ({ ...row, person: "mallory" }) } }],
  [
    "L1",
    "a secret without its event",
    { rows: { apiKey: (row) => ({ ...row, secretSha256: "1".repeat(64) }) } },
  ],
  [
    "L1",
    "data of a partner that its log did not leave",
    { rows: { partner: (row) => ({ ...row, name: "Sol" }) } },
  ],
  [
    "L1",
    "data of a profile that its log did not leave",
    {
      logs: {
        billingProfile: (log) =>
          log.map((entry) => ({ ...entry, event: { ...entry.event, stored: { sha256: "" } } })),
      },
    },
  ],
  [
    "L1",
    "an event without its view: policy",
    {
      logs: {
        settlementPolicy: (log) =>
          log.map((entry) => ({
            ...entry,
            event: { ...entry.event, stored: { terms: null, next: null } } as never,
          })),
      },
    },
  ],
  ["L1", "an event without its view", { logs: { attribution: (log) => log.slice(0, 1) } }],
  [
    "L2",
    "a version ahead of its log",
    { rows: { settlement: (row) => ({ ...row, version: row.version + 1 }) } },
  ],
  ["L2", "an entry lost", { logs: { commission: (log) => log.slice(0, -1) } }],
  [
    "L2",
    "a moment before the one before",
    { logs: { settlement: (log) => log.map((entry, index) => ({ ...entry, at: entry.at - index })) } },
  ],
];

const namesBroken = (plant: Alterations) =>
  Effect.gen(function* () {
    const customerId = yield* world;
    const storage = alterStore(yield* Storage.Storage, plant);
    const books = yield* Effect.provideService(
      LedgerSnapshot.readSnapshot(customerId),
      Storage.Storage,
      storage,
    );
    return new Set(findViolations(books).map(({ name }) => name));
  });

describe("invariants", () => {
  it.effect("hold for a correct store", () =>
    Effect.gen(function* () {
      const customerId = yield* world;
      yield* checkInvariants(customerId);
      const books = yield* LedgerSnapshot.readSnapshot(customerId);
      assert.strictEqual(books.commissions.length, 9);
      assert.strictEqual(books.settlements.length, 7);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("hold for a customer without records", () =>
    Effect.provide(checkInvariants(Build.fresh.customer()), layer),
  );

  for (const [invariant, bug, plant] of PLANTS) {
    it.effect(`${invariant} finds: ${bug}`, () =>
      Effect.gen(function* () {
        const broken = yield* namesBroken(plant);
        assert.isTrue(
          broken.has(invariant),
          `${invariant} did not notice; broken: ${[...broken].join(", ")}`,
        );
      }).pipe(Effect.provide(layer)),
    );
  }

  it.effect("M3 reads all lines of a settlement, however many there are", () =>
    Effect.gen(function* () {
      const scene = yield* Scene.create();
      const amounts = Array.from({ length: 60 }, (_, index) => index + 1);
      const earned = yield* Scene.earn(scene, amounts);
      yield* Scene.draft(
        scene,
        earned.map(({ commission }) => commission),
      );
      const storage = alterStore(yield* Storage.Storage, {
        rows: {
          settlement: (row) => ({
            ...row,
            lines: [...row.lines.slice(0, -2), ...row.lines.slice(-2).reverse()],
          }),
        },
      });
      const books = yield* Effect.provideService(
        LedgerSnapshot.readSnapshot(scene.customerId),
        Storage.Storage,
        storage,
      );
      assert.deepStrictEqual(
        findViolations(books).map(({ name }) => name),
        ["M3"],
      );
    }).pipe(Effect.provide(layer)),
  );

  it("each have a planted bug that they find", () => {
    const caught = new Set(PLANTS.map(([invariant]) => invariant));
    assert.deepStrictEqual(
      invariants.map(({ name }) => name).filter((name) => !caught.has(name)),
      [],
    );
  });

  it.effect("fail with the invariant's name and the record", () =>
    Effect.gen(function* () {
      const customerId = yield* world;
      const storage = alterStore(yield* Storage.Storage, {
        rows: { settlement: (row) => ({ ...row, reconciliationStatus: "reconciled" }) },
      });
      const failure = yield* Effect.flip(
        Effect.provideService(checkInvariants(customerId), Storage.Storage, storage),
      );
      assert.strictEqual(failure._tag, "InvariantBroken");
      assert.match(String(failure), /S3: settlement [0-9a-f-]{36} in \w+ is reconciled/);
    }).pipe(Effect.provide(layer)),
  );
});
