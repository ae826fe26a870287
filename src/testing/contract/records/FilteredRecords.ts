/** Records of each kind that differ in everything that a filter of the kind selects. */
import { Effect } from "effect";
import { Currency } from "../../../domain/Currency.ts";
import { AgentId, type CustomerId, PayoutAccountId } from "../../../domain/Ids.ts";
import type { PayoutAccount } from "../../../domain/PayoutAccount.ts";
import type { SettlementEvent } from "../../../domain/SettlementEvent.ts";
import { format } from "../../../domain/Timestamp.ts";
import type { ListedKind } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import type { Failure, Ports } from "../../Law.ts";
import { populatedCustomer } from "../../PopulatedCustomer.ts";
import * as Scene from "../../Scene.ts";

const SEK = Currency.make("SEK");

/** Stores commissions with positive, negative, zero and largest amounts due, settled in every way. */
const settleInEveryWay = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const [paid, written, returned, owed, forgiven] = yield* Scene.commissions(
      scene,
      [300, 300, 300, -70, -70, 9_007_199_254_740_991, -9_007_199_254_740_991],
      (index) => Build.EPOCH + 1_000 + index,
    );
    yield* Scene.pay(yield* Scene.draft(scene, [paid, owed], Build.EPOCH + 300));
    yield* Scene.writeOff(yield* Scene.draft(scene, [written], Build.EPOCH + 301));
    yield* Scene.writeOff(yield* Scene.draft(scene, [forgiven], Build.EPOCH + 302));
    yield* Scene.cancel(yield* Scene.draft(scene, [returned], Build.EPOCH + 303));
    for (const [commission, amount] of [
      [paid, 200],
      [written, 300],
      [forgiven, -70],
    ] as const)
      yield* Scene.revise(yield* Scene.reload("commission", commission), amount);
  });

/** Stores three drafts: one that is stale, one that was stale and is fresh again, and one that was always fresh. */
const createDrafts = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const drafted = yield* Scene.commissions(scene, [10, 20, 30], (index) => Build.EPOCH + 2_000 + index);
    for (const commission of drafted) yield* Scene.draft(scene, [commission], Build.EPOCH + 400);
    const [stale, fresh] = drafted;
    yield* Scene.revise(yield* Scene.reload("commission", stale), 11);
    yield* Scene.revise(yield* Scene.reload("commission", fresh), 21);
    yield* Scene.revise(yield* Scene.reload("commission", fresh), 20);
  });

/** Stores payments by file: one that waits, three that were handed over for different days, and one of them that is paid. */
const payByFile = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const days = [null, "2026-01-05", "2026-01-06", "2026-01-09", "2026-01-05"];
    const due = yield* Scene.commissions(scene, [41, 42, 43, 44, 45], (index) => Build.EPOCH + 3_000 + index);
    for (const [index, commission] of due.entries()) {
      const draft = yield* Scene.draft(scene, [commission], Build.EPOCH + 500 + index);
      const payment_reference = Build.fresh.payment();
      const day = days[index] ?? null;
      const events: ReadonlyArray<SettlementEvent> = [
        ...Build.approvalEvents(draft),
        { type: "initiate_payment", payment_reference, attempt: 1 },
        ...(day === null
          ? []
          : [
              {
                ...{ type: "hand_over_payment" as const, payment_reference },
                ...{ payment_file_id: Build.fresh.paymentFile(), execution_date: day },
              },
            ]),
      ];
      const paid: SettlementEvent = { type: "confirm_payment", payment_reference };
      yield* index === 4
        ? Scene.advance(draft, [...events, paid], { type: "settle", settlementId: draft.id, as: "paid" })
        : Scene.advance(draft, events);
    }
  });

/** Stores settlements that are to be paid: one whose payment has failed, and one without an attempt. */
const failPayment = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const due = yield* Scene.commissions(scene, [46, 47], (index) => Build.EPOCH + 3_500 + index);
    const payment_reference = Build.fresh.payment();
    for (const [index, events] of [
      [
        { type: "initiate_payment", payment_reference, attempt: 1 },
        { type: "fail_payment", payment_reference, reason: "closed" },
      ] satisfies ReadonlyArray<SettlementEvent>,
      [],
    ].entries()) {
      const draft = yield* Scene.draft(scene, due.slice(index, index + 1), Build.EPOCH + 550 + index);
      yield* Scene.advance(draft, [...Build.approvalEvents(draft), ...events]);
    }
  });

/** Stores a settlement whose invoice states a tax that an approver has to decide on. */
const stateTax = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const drafted = yield* Scene.commissions(scene, [600], (index) => Build.EPOCH + 4_000 + index);
    const draft = yield* Scene.draft(scene, drafted, Build.EPOCH + 600);
    yield* Scene.advance(draft, [
      ...Build.approvalEvents(draft).slice(0, -1),
      {
        ...{ type: "link_invoice", invoice_reference: Build.fresh.document(), stored: { tax_amount: 50 } },
        tax_review: { tax_amount: 50, expected_tax_amount: 150 },
      },
    ]);
  });

/** Stores settlements whose documents have numbers: of a report, an invoice and a credit note, some of them the same. */
const numberDocuments = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const numbers = [
      ["R-1", "r-1"],
      ["r-1", "%"],
      ["NULL", "R-1"],
    ] as const;
    const drafted = yield* Scene.commissions(scene, [700, 701, -70], (index) => Build.EPOCH + 5_000 + index);
    for (const [index, commission] of drafted.entries()) {
      const [report_number, number] = numbers[index] ?? numbers[0];
      const draft = yield* Scene.draft(scene, [commission], Build.EPOCH + 700 + index);
      const numbered = Build.approvalEvents(draft).map((event): SettlementEvent => {
        switch (event.type) {
          case "link_report":
            return { ...event, report_number };
          case "link_invoice":
            return { ...event, invoice_number: number };
          case "link_credit_note":
            return { ...event, credit_note_number: number };
          default:
            return event;
        }
      });
      yield* Scene.advance(draft, numbered);
    }
  });

/** External references that a store may take for one another. */
export const REFERENCES = ["R-1", "r-1", 'a "b" \\ {c,d}', "NULL", "ærlig", "%"];

const createReferences = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const second = Build.schema(scene);
    const stored = [scene.schemaId, second.row.id].flatMap((schemaId) =>
      REFERENCES.map((externalReference) => Build.attribution({ ...scene, schemaId }, { externalReference })),
    );
    yield* Scene.commit(scene.customerId, [second, ...stored]);
    const cancelled = stored
      .slice(3, 8)
      .map(({ row }) => Build.next("attribution", row, [{ type: "cancel_attribution", reason: "returned" }]));
    yield* Scene.commit(scene.customerId, cancelled);
  });

/** Stores two sales with three credits each, in roles that differ by letter case. */
const createCredits = (scene: Scene.Scene) =>
  Scene.commit(
    scene.customerId,
    [1, 2].flatMap(() => {
      const origin = Build.attribution(scene, { credit: { role: "seller", share: "1", depth: 0 } });
      const others = ["Seller", "manager"].map((role) =>
        Build.attribution(scene, {
          credit: { role, share: "0.5", depth: 0, further: true },
          originId: origin.row.id,
        }),
      );
      return [origin, ...others];
    }),
  );

const accountThatIs = (status: PayoutAccount["status"]): PayoutAccount => ({
  ...{ id: PayoutAccountId.make(Build.freshUuid()), currency: null, status, isBankAccount: false },
  ...{ type: "iban", details: { iban: "DE02120300000000202051", holder: "Nordlys ApS" } },
  ...{ proposedAt: Build.EPOCH, proposedBy: "ada", rule: { isSecondPerson: true, hours: 0 } },
  ...{ confirmedAt: null, confirmedBy: null, retiredAt: null },
});

/** Stores partners that differ in what is stated of them. */
const statePartners = (scene: Scene.Scene) =>
  Scene.commit(
    scene.customerId,
    [
      { status: "suspended" as const, tags: ["gold", "north"] },
      ...REFERENCES.map((externalReference) => ({ externalReference, tags: [externalReference, "gold"] })),
      { status: "suspended" as const, tags: ["Gold"], email: "ada@example.com" },
      { payoutAccounts: [] },
      { payoutAccounts: [accountThatIs("retired"), accountThatIs("confirmed")] },
      { payoutAccounts: [accountThatIs("confirmed"), accountThatIs("proposed")] },
    ].map((stated) => Build.partner(scene, stated)),
  );

/** A populated customer, with further records that differ in what the filters select. */
const earnings = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const scene = {
    ...(yield* Scene.create({ customerId: world.customerId })),
    workspaceId: world.one.workspaceId,
  };
  const krona = Build.formula(world.one, { currency: SEK });
  const sale = Build.attribution(world.one);
  const inKrona = Build.commission(sale.row, krona.row, 500);
  const onReceipt = Build.formula(world.one, { release: "on_receipt" });
  const unpaid = Build.attribution(world.one);
  const waiting = Build.commission(unpaid.row, onReceipt.row, 700);
  const owner = { customerId: world.customerId, workspaceId: scene.workspaceId };
  yield* Scene.commit(world.customerId, [krona, sale, inKrona]);
  yield* Scene.commit(world.customerId, [onReceipt, unpaid, waiting]);
  const lines = Build.linesOf([inKrona.row]);
  const settlement = Build.settlement(world.one, lines, { currency: SEK });
  yield* Scene.commit(world.customerId, [
    settlement,
    { type: "reserve", settlementId: settlement.row.id, lines },
  ]);
  yield* settleInEveryWay(world.one);
  yield* createDrafts(world.three);
  yield* payByFile(world.three);
  yield* failPayment(world.three);
  yield* stateTax(world.three);
  yield* numberDocuments(world.three);
  yield* createReferences(world.one);
  yield* createCredits(world.one);
  yield* statePartners(world.one);
  yield* Scene.commit(world.customerId, [
    Build.partner(owner, { billingMode: null, name: "Nordic" }),
    Build.partner(owner, { billingMode: null, name: "South" }),
  ]);
  return world.customerId;
});

/** Whom and what the API keys of {@link keys} are limited to. */
export const WORKSPACES = [Build.fresh.workspace(), Build.fresh.workspace()] as const;
export const PARTNERS = [Build.fresh.partner(), Build.fresh.partner()] as const;
export const AGENT = AgentId.make(Build.freshUuid());

const keys = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const stored = [
    {},
    { workspaceIds: [WORKSPACES[0]] },
    { workspaceIds: [WORKSPACES[1], WORKSPACES[0]] },
    { workspaceIds: [] },
    { partnerIds: [PARTNERS[0]], kind: "partner" as const },
    { workspaceIds: [WORKSPACES[1]], partnerIds: [...PARTNERS], kind: "partner" as const },
    { workspaceIds: [WORKSPACES[0]], agentId: AGENT, kind: "agent" as const },
    { agentId: AgentId.make(Build.freshUuid()), kind: "agent" as const },
    { use: "session" as const },
    { use: "session" as const, partnerIds: [PARTNERS[1]] },
    { use: "invitation" as const, partnerIds: [PARTNERS[0]], kind: "partner" as const },
  ].map((overrides) => Build.apiKey(customerId, overrides));
  yield* Scene.commit(customerId, stored);
  return customerId;
});

const files = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  yield* Scene.commit(
    customerId,
    [0, 1, 2].map((index) => Build.paymentFile(customerId, { createdAt: Build.EPOCH + index })),
  );
  return customerId;
});

/** Acceptances of two plans by two partners, and of another workspace. */
const acceptances = Effect.gen(function* () {
  const one = yield* Scene.create();
  const { customerId } = one;
  const other = yield* Scene.create({ customerId });
  const partner = Build.partner(one);
  const [first, second, third] = [Build.plan(one), Build.plan(one), Build.plan(other)];
  yield* Scene.commit(customerId, [partner, first, second, third]);
  yield* Scene.commit(customerId, [
    Build.planAcceptance(first.row, one.partnerId),
    Build.planAcceptance(first.row, partner.row.id),
    Build.planAcceptance(second.row, one.partnerId),
    Build.planAcceptance(third.row, other.partnerId),
  ]);
  return customerId;
});

/** Links of two roles among partners of two workspaces, of which some have ended. */
const links = Effect.gen(function* () {
  const one = yield* Scene.create();
  const { customerId } = one;
  const other = yield* Scene.create({ customerId });
  const [first, second] = [Build.partner(one), Build.partner(one)];
  const third = Build.partner(other);
  yield* Scene.commit(customerId, [first, second, third]);
  yield* Scene.commit(customerId, [
    Build.partnerLink(one.partner, first.row.id),
    Build.partnerLink(first.row, second.row.id, { end_datetime: format(Build.EPOCH + Build.DAY) }),
    Build.partnerLink(one.partner, second.row.id, { role: "recruiter" }),
    Build.partnerLink(other.partner, third.row.id, { end_datetime: format(Build.EPOCH) }),
  ]);
  return customerId;
});

const DELIVERED = { status: "delivered", nextAttemptAt: null, endedAt: Build.EPOCH + 5 } as const;

/** Three endpoints, one of each status, and what two of them were sent. */
const webhooks = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const one = Build.webhookEndpoint(customerId);
  const other = Build.webhookEndpoint(customerId, { status: "disabled", disabledReason: "gone" });
  const gone = Build.webhookEndpoint(customerId, { status: "deleted", createdAt: Build.EPOCH + 3 });
  const deliveries = [
    {},
    { status: "held" as const, nextAttemptAt: null },
    DELIVERED,
    { ...DELIVERED, status: "failed" as const },
    DELIVERED,
  ].map((overrides, index) =>
    Build.webhookDelivery(index === 4 ? other.row : one.row, {
      ...overrides,
      createdAt: Build.EPOCH + index,
    }),
  );
  yield* Scene.commit(customerId, [one, other, gone, ...deliveries]);
  return customerId;
});

/** Runs of two workspaces, with results of two partners. */
const runs = Effect.gen(function* () {
  const one = yield* Scene.create();
  const { customerId } = one;
  const other = yield* Scene.create({ customerId });
  const stored = [Build.settlementRun(one), Build.settlementRun(one), Build.settlementRun(other)];
  const [first, second, third] = stored.map(({ row }) => row);
  if (first === undefined || second === undefined || third === undefined)
    return yield* Effect.die("three runs were built");
  const partner = Build.partner(one);
  yield* Scene.commit(customerId, [partner, ...stored]);
  yield* Scene.commit(customerId, [
    Build.settlementRunResult(first, one.partnerId),
    Build.settlementRunResult(first, partner.row.id),
    Build.settlementRunResult(second, one.partnerId),
    Build.settlementRunResult(third, other.partnerId),
  ]);
  return customerId;
});

/** Trials of two plans, of two workspaces, with results of two partners. */
const trials = Effect.gen(function* () {
  const one = yield* Scene.create();
  const { customerId } = one;
  const other = yield* Scene.create({ customerId });
  const plans = [Build.plan(one), Build.plan(one)];
  const planned = plans.map(({ row }) => Build.planTrial(one, { planId: row.id }));
  const stored = [...planned, Build.planTrial(other)];
  const [first, second, third] = stored.map(({ row }) => row);
  if (first === undefined || second === undefined || third === undefined)
    return yield* Effect.die("three trials were built");
  const partner = Build.partner(one);
  yield* Scene.commit(customerId, [partner, ...plans, ...stored]);
  yield* Scene.commit(customerId, [
    Build.planTrialResult(first, one.partnerId),
    Build.planTrialResult(first, partner.row.id),
    Build.planTrialResult(second, one.partnerId),
    Build.planTrialResult(third, other.partnerId),
  ]);
  return customerId;
});

/** Recredit runs of two workspaces, with results of different outcomes. */
const recreditRuns = Effect.gen(function* () {
  const one = yield* Scene.create();
  const { customerId } = one;
  const other = yield* Scene.create({ customerId });
  const stored = [Build.recreditRun(one), Build.recreditRun(one), Build.recreditRun(other)];
  const [first, second, third] = stored.map(({ row }) => row);
  if (first === undefined || second === undefined || third === undefined)
    return yield* Effect.die("three runs were built");
  const sales = [Build.attribution(one), Build.attribution(one), Build.attribution(other)] as const;
  const [sale, further, elsewhere] = sales;
  yield* Scene.commit(customerId, [...sales, ...stored]);
  yield* Scene.commit(customerId, [
    Build.recreditRunResult(first, sale.row.id),
    Build.recreditRunResult(first, further.row.id, { outcome: "too_many_credits", problem: "credits: 101" }),
    Build.recreditRunResult(second, sale.row.id, { outcome: "failed", problem: "no" }),
    Build.recreditRunResult(third, elsewhere.row.id),
  ]);
  return customerId;
});

/** Stores records of a kind for a new customer, and returns the customer. */
export const RECORDS: { readonly [Kind in ListedKind]: Effect.Effect<CustomerId, Failure, Ports> } = {
  attribution: earnings,
  formula: earnings,
  plan: earnings,
  commission: earnings,
  settlement: earnings,
  schema: earnings,
  partner: earnings,
  apiKey: keys,
  planAcceptance: acceptances,
  partnerLink: links,
  paymentFile: files,
  webhookEndpoint: webhooks,
  webhookDelivery: webhooks,
  settlementRun: runs,
  settlementRunResult: runs,
  planTrial: trials,
  planTrialResult: trials,
  recreditRun: recreditRuns,
  recreditRunResult: recreditRuns,
};
