/** What the model says of documents: reports, invoices and credit notes, handed in or made by a worker. */
import type { DocumentKind } from "../../domain/Document.ts";
import { seen, state } from "./Actions.ts";
import type { Command } from "./Command.ts";
import { moved, total } from "./Lines.ts";
import { accepted, conflicting, judge, type Prediction, refused } from "./Prediction.ts";
import { deedOf } from "./Rights.ts";
import { momentAfter, type Settlement, type World } from "./World.ts";

type Of<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;

const MOST_BYTES = 10 * 1024 * 1024;

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

/** Whether the settlement waits for a document of the kind. */
const waitsFor = (settlement: Settlement, kind: DocumentKind): boolean =>
  settlement.status.type === `awaiting_${kind}` || (kind === "credit_note" && owesCreditNote(settlement));

/** The world once a document is linked; null when the settlement does not wait for it, or no document can say its sum. */
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
      if (!waitsFor(settlement, command.kind)) return state;
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
      const after = link(world, settlement, command.kind);
      return after === null ? state : accepted(() => after);
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
