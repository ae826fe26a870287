/** What the model says of commands on settlements: creation, the table of transitions, documents and payment facts. */
import type { DocumentKind } from "../../domain/Document.ts";
import { SettlementId } from "../../domain/Ids.ts";
import type { ConflictToken } from "../../domain/Refusal.ts";
import { isReason } from "./Bounds.ts";
import type { Action, Command, SettlementRequest } from "./Command.ts";
import { isOpen, quantities, refreshed, same } from "./Earnings.ts";
import {
  accepted,
  conflicting,
  judge,
  type Prediction,
  type Refused,
  refused,
  told,
  type Verdict,
} from "./Prediction.ts";
import { deedOf, sees } from "./Rights.ts";
import {
  type Disputable,
  type Line,
  mapped,
  momentAfter,
  noted,
  type Settlement,
  type Status,
  type World,
} from "./World.ts";

type Of<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;

const LARGEST = 9_007_199_254_740_991n;
const MOST_LINES = 10_000;
const MOST_BYTES = 10 * 1024 * 1024;

const totalOf = (lines: ReadonlyArray<Line>): bigint =>
  lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** The sum of a settlement's lines. */
export const total = ({ lines }: Settlement): number => Number(totalOf(lines));

/** Appends one event to the log of every commission that a settlement holds. */
const lineEvents = (
  world: World,
  { id, lines }: Settlement,
  type: string,
  fields: { readonly [name: string]: unknown } = {},
): World => ({
  ...world,
  commissions: world.commissions.map((commission) => {
    const line = lines.find((one) => same(one, commission));
    if (line === undefined) return commission;
    const event = { settlement_id: id, amount: line.amount, ...fields };
    return { ...commission, log: noted(commission.log, world.now, type, event) };
  }),
});

/** What a request would settle: the world with its commissions up to date, and a line each; or why not. */
const drawnUp = (
  world: World,
  principal: Of<"create_settlement">["principal"],
  { customerId, workspaceId, partnerId, commissionIds }: SettlementRequest,
):
  | Refused
  | {
      readonly type: "drawn";
      readonly world: World;
      readonly lines: ReadonlyArray<Line>;
      readonly currency: string;
    } => {
  const owner = { customerId, workspaceId, partnerId };
  const partner = world.partners.find(({ id }) => id === partnerId);
  const placed =
    partner !== undefined &&
    partner.customerId === customerId &&
    partner.workspaceId === workspaceId &&
    sees(principal, owner);
  if (!placed) return refused("Invalid");
  const named = new Set<string>(commissionIds);
  const current = refreshed(world, ({ id }) => id !== null && named.has(id));
  const lines: Array<Line> = [];
  const tokens = new Set<ConflictToken>();
  const currencies = new Set<string>();
  for (const commissionId of commissionIds) {
    const commission = current.commissions.find(({ id }) => id === commissionId);
    const attribution = current.attributions.find(({ id }) => id === commission?.attributionId);
    const formula = current.formulas.find(({ id }) => id === commission?.formulaId);
    if (commission === undefined || attribution === undefined || formula === undefined)
      return refused("Invalid");
    const fits =
      attribution.customerId === customerId &&
      attribution.workspaceId === workspaceId &&
      attribution.partnerId === partnerId;
    if (!fits || !sees(principal, attribution)) return refused("Invalid");
    currencies.add(formula.currency);
    const { due, holder } = quantities(current, commission);
    if (commission.amount === null || commission.failing) tokens.add("commission_not_computable");
    if (holder !== null) tokens.add("commission_in_open_settlement");
    lines.push({ attributionId: attribution.id, formulaId: formula.id, commissionId, amount: due });
  }
  if (currencies.size !== 1) return refused("Invalid");
  if (tokens.size > 0) return conflicting(...tokens);
  const sum = totalOf(lines);
  if (sum > LARGEST || sum < -LARGEST) return refused("Invalid");
  return { type: "drawn", world: current, lines, currency: [...currencies][0] ?? "" };
};

const isRequest = ({ commissionIds }: SettlementRequest): boolean =>
  commissionIds.length >= 1 &&
  commissionIds.length <= MOST_LINES &&
  new Set(commissionIds).size === commissionIds.length;

const requestRules = (command: Of<"create_settlement" | "preview_settlement">) => ({
  principal: command.principal,
  deed: deedOf(command),
  idempotency: command.idempotency,
  sound: isRequest(command.input),
  workspaceIds: [command.input.workspaceId],
  partnerIds: [command.input.partnerId],
  customerId: command.input.customerId,
});

/** Preview settlement. */
export const previewSettlement = (world: World, command: Of<"preview_settlement">): Prediction =>
  judge(world, {
    ...requestRules(command),
    verdict: () => {
      const drawn = drawnUp(world, command.principal, command.input);
      if (drawn.type === "refused") return drawn;
      const { currency, lines } = drawn;
      return told({
        currency,
        total: Number(totalOf(lines)),
        lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })),
      });
    },
  });

/** Create settlement. */
export const createSettlement = (world: World, command: Of<"create_settlement">): Prediction => {
  const { customerId, workspaceId, partnerId } = command.input;
  return judge(world, {
    ...requestRules(command),
    verdict: () => {
      const drawn = drawnUp(world, command.principal, command.input);
      if (drawn.type === "refused") return drawn;
      const { lines, world: current } = drawn;
      const currency = current.formulas.find(({ id }) => id === lines[0]?.formulaId)?.currency;
      if (currency === undefined) return refused("Invalid");
      return accepted((id) => {
        const settlement: Settlement = {
          id: SettlementId.make(id),
          customerId,
          workspaceId,
          partnerId,
          currency,
          lines,
          status: { type: "draft" },
          createdBy: command.principal.principalId,
          billingMode: null,
          selfBillingData: null,
          linked: { report: false, invoice: false, credit_note: false },
          taxAmount: null,
          payableAmount: null,
          disputeReason: null,
          disputedAt: null,
          reconciled: false,
          attempt: 0,
          hasReference: false,
          references: [],
          paidAt: null,
          createdAt: world.now,
          log: noted([], world.now, "create_settlement", {
            total: Number(totalOf(lines)),
            line_count: lines.length,
          }),
        };
        const after = { ...current, settlements: [...current.settlements, settlement] };
        return lineEvents(after, settlement, "reserve_commission");
      });
    },
  });
};

/** Puts a settlement into its next state, with one event, and its lines along with it. */
const moved = (
  world: World,
  settlement: Settlement,
  type: string,
  change: Partial<Settlement>,
  fields: { readonly [name: string]: unknown } = {},
): World => {
  const next = { ...settlement, ...change, log: noted(settlement.log, world.now, type, fields) };
  const after = {
    ...world,
    settlements: mapped(
      world.settlements,
      (one) => one === settlement,
      () => next,
    ),
  };
  const { status } = next;
  if (status.type === settlement.status.type) return after;
  if (status.type === "paid") return lineEvents(after, next, "settle_commission", { kind: "paid" });
  if (status.type === "written_off")
    return lineEvents(after, next, "settle_commission", { kind: "written_off" });
  if (status.type === "cancelled")
    return lineEvents(after, next, "release_commission", { cause: status.cause });
  return settlement.status.type === "paid" ? lineEvents(after, next, "reopen_commission") : after;
};

/** Whether a settlement is a draft of which some line is not what its commission is due now. */
export const isStale = (world: World, { status, lines }: Settlement): boolean =>
  status.type === "draft" &&
  lines.some((line) => {
    const commission = world.commissions.find((one) => same(one, line));
    return commission === undefined || quantities(world, commission).due !== line.amount;
  });

/** Whether some commission of a settlement is in another open one. */
const heldElsewhere = (world: World, settlement: Settlement): boolean =>
  settlement.lines.some((line) =>
    world.settlements.some(
      (other) => other.id !== settlement.id && isOpen(other) && other.lines.some((one) => same(one, line)),
    ),
  );

/** The check of ISO 13616, digit by digit. */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(" ", "").toUpperCase();
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const digits = [...compact.slice(4), ...compact.slice(0, 4)]
    .map((one) => (one >= "A" ? String(one.charCodeAt(0) - 55) : one))
    .join("");
  return BigInt(digits) % 97n === 1n;
};

const state = conflicting("settlement_state");

const DISPUTABLE: ReadonlyArray<string> = [
  "awaiting_report",
  "awaiting_invoice",
  "negative_review",
  "awaiting_credit_note",
  "awaiting_payment",
] satisfies ReadonlyArray<Disputable>;

const approved = (world: World, settlement: Settlement, principalId: string): Verdict => {
  if (settlement.status.type !== "draft") return conflicting("settlement_not_draft");
  const tokens: Array<ConflictToken> = [];
  if (world.policy.fourEyes && settlement.createdBy === principalId) tokens.push("four_eyes");
  if (world.policy.staleDrafts === "refuse" && isStale(world, settlement)) tokens.push("settlement_stale");
  if (tokens.length > 0) return conflicting(...tokens);
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  const change: Partial<Settlement> = {
    status: { type: "awaiting_report" },
    billingMode: partner?.billingMode ?? "partner_billing",
    selfBillingData: partner?.selfBillingData ?? null,
  };
  return accepted(() => moved(world, settlement, "approve_settlement", change));
};

const REVIEWED: { readonly [Decision in Extract<Action, { type: "review" }>["decision"]]: Status } = {
  issue_credit_note: { type: "awaiting_credit_note" },
  carry_forward: { type: "cancelled", cause: "carried_forward" },
  write_off: { type: "written_off" },
};

const initiated = (world: World, settlement: Settlement): Verdict => {
  if (settlement.status.type !== "awaiting_payment")
    return conflicting("settlement_state", "payout_unavailable");
  const payable = world.policy.payouts && total(settlement) > 0;
  if (!payable || !isIban(settlement.selfBillingData?.bankAccount.iban ?? "")) {
    return conflicting("payout_unavailable");
  }
  const attempt = settlement.attempt + 1;
  const change: Partial<Settlement> = { status: { type: "payment_initiated" }, attempt, hasReference: true };
  return accepted(() => moved(world, settlement, "initiate_payment", change, { attempt }));
};

const mayReturn = (world: World, settlement: Settlement): boolean =>
  settlement.status.type === "paid" &&
  settlement.status.method === "webhook" &&
  !settlement.reconciled &&
  !heldElsewhere(world, settlement);

const RETURNED: Partial<Settlement> = {
  status: { type: "awaiting_payment" },
  hasReference: false,
  paidAt: null,
};

const disputing = (world: World, settlement: Settlement, reason: string): Verdict => {
  const resume = DISPUTABLE.find((one) => one === settlement.status.type);
  if (resume === undefined) return state;
  const change: Partial<Settlement> = {
    // The list holds disputable states alone.
    status: { type: "disputed", resume: resume as Disputable },
    disputeReason: reason,
    disputedAt: momentAfter(settlement.log, world.now),
  };
  return accepted(() => moved(world, settlement, "dispute_settlement", change, { reason }));
};

const writtenOff = (world: World, settlement: Settlement): Verdict => {
  if (settlement.status.type === "draft") return state;
  return isOpen(settlement)
    ? accepted(() => moved(world, settlement, "write_off_settlement", { status: { type: "written_off" } }))
    : conflicting("settlement_terminal");
};

/** What an action on a settlement comes to, by the table of transitions. */
const acted = (world: World, settlement: Settlement, action: Action, principalId: string): Verdict => {
  const { status } = settlement;
  switch (action.type) {
    case "approve":
      return approved(world, settlement, principalId);
    case "cancel":
      return status.type === "draft"
        ? accepted(() =>
            moved(world, settlement, "cancel_settlement", {
              status: { type: "cancelled", cause: "draft_cancelled" },
            }),
          )
        : conflicting("settlement_not_draft");
    case "write_off":
      return writtenOff(world, settlement);
    case "mark_as_paid": {
      const paidAt = momentAfter(settlement.log, world.now);
      return status.type === "awaiting_payment" || status.type === "payment_initiated"
        ? accepted(() =>
            moved(world, settlement, "mark_as_paid", { status: { type: "paid", method: "manual" }, paidAt }),
          )
        : state;
    }
    case "initiate_payment":
      return initiated(world, settlement);
    case "review":
      return status.type === "negative_review"
        ? accepted(() =>
            moved(
              world,
              settlement,
              "review_settlement",
              { status: REVIEWED[action.decision] },
              { decision: action.decision },
            ),
          )
        : state;
    case "dispute":
      return disputing(world, settlement, action.reason);
    case "return_payment":
      return mayReturn(world, settlement)
        ? accepted(() => moved(world, settlement, "return_payment", RETURNED, { reason: action.reason }))
        : state;
    case "resolve_dispute": {
      if (status.type !== "disputed") return state;
      const { resolution } = action;
      const next: Status =
        resolution === "upheld" ? { type: "cancelled", cause: "dispute_upheld" } : { type: status.resume };
      return accepted(() => moved(world, settlement, "resolve_dispute", { status: next }, { resolution }));
    }
    case "reconcile": {
      if (status.type !== "paid") return state;
      const { reconciled } = action;
      const type = reconciled ? "reconcile_settlement" : "unreconcile_settlement";
      return accepted(
        settlement.reconciled === reconciled ? null : () => moved(world, settlement, type, { reconciled }),
      );
    }
  }
};

const soundAction = (action: Action): boolean =>
  action.type === "dispute" || action.type === "return_payment" ? isReason(action.reason) : true;

const seen = (world: World, command: Of<"act" | "upload">): Settlement | undefined =>
  world.settlements.find((one) => one.id === command.id && sees(command.principal, one));

/** An action on a settlement. */
export const act = (world: World, command: Of<"act">): Prediction =>
  judge(world, {
    principal: command.principal,
    deed: deedOf(command),
    idempotency: command.idempotency,
    sound: soundAction(command.action),
    verdict: () => {
      const settlement = seen(world, command);
      return settlement === undefined
        ? refused("Missing")
        : acted(world, settlement, command.action, command.principal.principalId);
    },
  });

/** Tax on a total at a rate of so many ten-thousandths, half away from zero. */
const taxOn = (amount: number, rateBps: number): number => {
  const product = BigInt(amount) * BigInt(rateBps);
  const size = product < 0n ? -product : product;
  const rounded = Number((size * 2n + 10_000n) / 20_000n);
  return product < 0n ? 0 - rounded : rounded;
};

/** Tax and what is to be paid with it; null when that is beyond the largest amount, and no document can say it. */
export const billed = (settlement: Settlement): Pick<Settlement, "taxAmount" | "payableAmount"> | null => {
  const net = total(settlement);
  const config = settlement.selfBillingData?.taxConfig;
  if (settlement.billingMode !== "self_billing" || config === undefined) {
    return { taxAmount: null, payableAmount: net };
  }
  const tax = config.treatment === "standard" ? taxOn(net, config.rateBps ?? 0) : 0;
  return Number.isSafeInteger(net + tax) ? { taxAmount: tax, payableAmount: net + tax } : null;
};

const reported = (world: World, settlement: Settlement): Partial<Settlement> => {
  const net = total(settlement);
  if (net > 0) return { status: { type: "awaiting_invoice" } };
  if (net < 0) return { status: { type: "negative_review" } };
  return {
    status: { type: "paid", method: "nothing_due" },
    paidAt: momentAfter(settlement.log, world.now),
  };
};

/** Whether a cancelling credit note is due: upheld after an invoice, and none linked yet. */
export const owesCreditNote = ({ status, linked }: Settlement): boolean =>
  status.type === "cancelled" && status.cause === "dispute_upheld" && linked.invoice && !linked.credit_note;

/** The world once a document is linked; null when the settlement does not wait for one of the kind. */
const link = (world: World, settlement: Settlement, kind: DocumentKind): World | null => {
  const linked = { ...settlement.linked, [kind]: true };
  const type = settlement.status.type;
  if (kind === "report") {
    return type === "awaiting_report"
      ? moved(world, settlement, "link_report", { linked, ...reported(world, settlement) })
      : null;
  }
  const waits = type === (kind === "invoice" ? "awaiting_invoice" : "awaiting_credit_note");
  const bill = billed(settlement);
  if (bill === null) return null;
  if (waits) {
    const change: Partial<Settlement> = {
      linked,
      ...bill,
      status: { type: "awaiting_payment" },
    };
    return moved(world, settlement, `link_${kind}`, change);
  }
  return kind === "credit_note" && owesCreditNote(settlement)
    ? moved(world, settlement, "link_credit_note", { linked })
    : null;
};

/** A document handed in. */
export const upload = (world: World, command: Of<"upload">): Prediction =>
  judge(world, {
    principal: command.principal,
    deed: deedOf(command),
    idempotency: command.idempotency,
    sound: command.byteLength >= 1 && command.byteLength <= MOST_BYTES,
    verdict: () => {
      const settlement = seen(world, command);
      if (settlement === undefined) return refused("Missing");
      const after = link(world, settlement, command.kind);
      if (after === null) return state;
      const workers =
        command.kind !== "report" &&
        settlement.billingMode === "self_billing" &&
        world.policy.documents === "auto";
      // Of a credit note that a worker makes, the table says only that it is not the caller's.
      if (workers) {
        return command.kind === "invoice"
          ? conflicting("billing_mode")
          : conflicting("billing_mode", "settlement_state");
      }
      return accepted(() => after);
    },
  });

/** The document that a worker makes for a settlement now; null when none. */
const awaited = ({ policy }: World, settlement: Settlement): DocumentKind | null => {
  if (policy.documents === "manual") return null;
  if (settlement.status.type === "awaiting_report") return "report";
  if (settlement.billingMode !== "self_billing") return null;
  if (settlement.status.type === "awaiting_invoice") return "invoice";
  return settlement.status.type === "awaiting_credit_note" || owesCreditNote(settlement)
    ? "credit_note"
    : null;
};

/** Everything that waits for a worker, done. */
export const worked = (world: World): World => {
  for (const settlement of world.settlements) {
    const kind = awaited(world, settlement);
    const after = kind === null ? null : link(world, settlement, kind);
    if (after !== null) return worked(after);
  }
  return world;
};

/** Who reports payment facts in the model's commands. */
export const PROVIDER = "simulated";

/** The world after a payment fact. */
const factTaken = (
  world: World,
  settlement: Settlement,
  { fact, reference }: Of<"report_payment">,
): World => {
  const { status, references, hasReference } = settlement;
  const own = hasReference && references[references.length - 1] === reference;
  const inFlight = own && status.type === "payment_initiated";
  const anomaly = () => moved(world, settlement, "payment_anomaly", {}, { kind: fact });
  if (fact === "confirmed") {
    if (inFlight) {
      return moved(world, settlement, "confirm_payment", {
        status: { type: "paid", method: "webhook" },
        paidAt: momentAfter(settlement.log, world.now),
      });
    }
    return own && status.type === "paid" && status.method === "webhook" ? world : anomaly();
  }
  if (fact === "failed") {
    const change: Partial<Settlement> = { status: { type: "awaiting_payment" }, hasReference: false };
    return inFlight ? moved(world, settlement, "fail_payment", change) : anomaly();
  }
  return own && mayReturn(world, settlement)
    ? moved(world, settlement, "return_payment", RETURNED)
    : anomaly();
};

/** A payment fact: unknown references are missing, a report delivered twice is taken once. */
export const reportPayment = (world: World, command: Of<"report_payment">): Prediction => {
  const settlement = world.settlements.find(({ references }) => references.includes(command.reference));
  if (settlement === undefined) return { expected: refused("Missing"), stores: false, next: () => world };
  const principalId = `provider:${PROVIDER}`;
  const requestSha256 = `${command.fact} ${command.reference}`;
  const { customerId } = settlement;
  const kept = world.kept.find(
    (one) => one.customerId === customerId && one.principalId === principalId && one.key === command.eventId,
  );
  if (kept !== undefined) {
    const repeats = kept.requestSha256 === requestSha256;
    return {
      expected: repeats
        ? { type: "answered", id: null, replayed: true }
        : conflicting("idempotency_key_reuse"),
      stores: false,
      next: () => world,
    };
  }
  const after = factTaken(world, settlement, command);
  const keep = { customerId, principalId, key: command.eventId, requestSha256, id: null };
  return {
    expected: { type: "answered", id: null, replayed: false },
    stores: after !== world,
    next: () => ({ ...after, kept: [...after.kept, keep] }),
  };
};
