/** What the model says of actions on settlements, by the table of transitions. */
import type { ConflictToken } from "../../domain/Refusal.ts";
import { isReason, isText } from "./Bounds.ts";
import type { Action, Command } from "./Command.ts";
import { isOpen } from "./Earnings.ts";
import { heldElsewhere, isStale, moved } from "./Lines.ts";
import { accepted, conflicting, judge, type Prediction, refused, type Verdict } from "./Prediction.ts";
import { deedOf, sees } from "./Rights.ts";
import { decisive, taxed } from "./Taxes.ts";
import { type Disputable, momentAfter, type Settlement, type Status, type World } from "./World.ts";

type Of<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;

/** The check of ISO 13616, digit by digit. */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(" ", "").toUpperCase();
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const digits = [...compact.slice(4), ...compact.slice(0, 4)]
    .map((one) => (one >= "A" ? String(one.charCodeAt(0) - 55) : one))
    .join("");
  return BigInt(digits) % 97n === 1n;
};

/** The refusal of what the table does not name. */
export const state = conflicting("settlement_state");

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
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  const billing = {
    billingMode: partner?.billingMode ?? "partner_billing",
    selfBillingData: partner?.selfBillingData ?? null,
  } satisfies Partial<Settlement>;
  const fixed = taxed(world, { ...settlement, ...billing });
  if (fixed === null) tokens.push("amount_too_large");
  if (tokens.length > 0) return conflicting(...tokens);
  const approvedAt = momentAfter(settlement.log, world.now);
  const change: Partial<Settlement> = {
    status: { type: "awaiting_report" },
    ...billing,
    ...fixed,
    approvedAt,
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
  const payable = world.policy.payouts && decisive(settlement) > 0;
  if (!payable || !isIban(settlement.selfBillingData?.bankAccount.iban ?? "")) {
    return conflicting("payout_unavailable");
  }
  const attempt = settlement.attempt + 1;
  const change: Partial<Settlement> = { status: { type: "payment_initiated" }, attempt, hasReference: true };
  return accepted(() => moved(world, settlement, "initiate_payment", change, { attempt }));
};

/** Whether a payment may be returned. */
export const mayReturn = (world: World, settlement: Settlement): boolean =>
  settlement.status.type === "paid" &&
  settlement.status.method === "webhook" &&
  !settlement.reconciled &&
  !heldElsewhere(world, settlement);

/** What a returned payment leaves. */
export const RETURNED: Partial<Settlement> = {
  status: { type: "awaiting_payment" },
  hasReference: false,
  paidAt: null,
  bankReference: null,
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

const HOUR = 3_600_000;
const MINUTE = 60_000;

const paid = (
  world: World,
  settlement: Settlement,
  { paidAt, bankReference, note }: Extract<Action, { type: "mark_as_paid" }>,
): Verdict => {
  const { approvedAt, status } = settlement;
  if (paidAt !== undefined && paidAt > world.now + 5 * MINUTE) return refused("Invalid");
  if (paidAt !== undefined && approvedAt !== null && paidAt < approvedAt - 24 * HOUR)
    return refused("Invalid");
  if (status.type !== "awaiting_payment" && status.type !== "payment_initiated") return state;
  const change: Partial<Settlement> = {
    status: { type: "paid", method: "manual" },
    paidAt: paidAt ?? momentAfter(settlement.log, world.now),
    bankReference: bankReference ?? null,
  };
  const fields = {
    ...(paidAt === undefined ? {} : { paid_at: new Date(paidAt).toISOString() }),
    ...(bankReference === undefined ? {} : { bank_reference: bankReference }),
    ...(note === undefined ? {} : { note }),
  };
  return accepted(() => moved(world, settlement, "mark_as_paid", change, fields));
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
    case "mark_as_paid":
      return paid(world, settlement, action);
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
  action.type === "mark_as_paid"
    ? isText(action.bankReference ?? "any", 255) && [...(action.note ?? "")].length <= 1_000
    : action.type === "dispute" || action.type === "return_payment"
      ? isReason(action.reason)
      : true;

/** The settlement that a command names, if its principal sees it. */
export const seen = (world: World, command: Of<"act" | "upload">): Settlement | undefined =>
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
