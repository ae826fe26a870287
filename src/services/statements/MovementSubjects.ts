/** Finds what movements are about: the sale of a commission, the payment or write-off of a settlement. */
import { Effect } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import type { Entry } from "../../domain/Event.ts";
import type { CommissionId, CustomerId, SettlementId } from "../../domain/Ids.ts";
import { type CommissionMovementType, isOfCommission, type Movement } from "../../domain/Movement.ts";
import * as Settlement from "../../domain/Settlement.ts";
import { payable } from "../../domain/SettlementView.ts";
import type { SettledSubject, Subject } from "../../domain/sentences/MovementText.ts";
import { parse } from "../../domain/Timestamp.ts";
import type { SalePart } from "../../explanation/index.ts";
import type {
  CommissionWithAttribution,
  Earnings,
  Records,
  Reporting,
  StorageError,
} from "../../ports/Storage.ts";
import { namesOf, type SaleNames } from "../attributions/References.ts";

type SettledType = SettledSubject["type"];

/** An entry that settled or reopened the lines of a settlement, with the states around it. */
interface Turn {
  readonly entry: Entry<Settlement.SettlementEvent>;
  readonly before: Settlement.View;
  readonly after: Settlement.View;
}

/** The type of movement that a change of state is; null for the others. */
const turnType = (before: Settlement.View, after: Settlement.View): SettledType | null => {
  const [from, to] = [before.status.type, after.status.type];
  if (from === to) return null;
  if (to === "paid" || to === "written_off") return to;
  return from === "paid" ? "payment_returned" : null;
};

/**
 * The last entry of the log, not later than the movement, that caused a movement of this type. The commissions' events are
 * not earlier than the settlement's, except where the clocks of two servers differ; then the first one counts.
 */
const turnOf = (
  log: ReadonlyArray<Entry<Settlement.SettlementEvent>>,
  { type, at }: Pick<Movement, "type" | "at">,
): Turn | null => {
  let found: Turn | null = null;
  let before: Settlement.View | null = null;
  for (const entry of log) {
    const after = Settlement.evolve(before, entry);
    const isOne = before !== null && turnType(before, after) === type;
    if (before !== null && isOne && (found === null || entry.at <= at)) found = { entry, before, after };
    before = after;
  }
  return found;
};

const settledSubject = (type: SettledType, { entry, before, after }: Turn): Subject => {
  const { event } = entry;
  // What was paid is in the state that the return ended.
  const state = type === "payment_returned" ? before : after;
  const documentKind = state.creditNoteReference === null || payable(state) >= 0 ? "invoice" : "credit_note";
  return {
    type,
    total: state.total,
    taxAmount: state.taxAmount,
    isNothingDue: state.status.type === "paid" && state.status.method === "nothing_due",
    documentKind,
    isSelfBilled: Settlement.isSelfBilled(state),
    documentNumber: documentKind === "invoice" ? state.invoiceNumber : state.creditNoteNumber,
    paymentReference: state.paymentReference,
    bankReference: type === "paid" ? state.bankReference : null,
    paidAt: event.type === "mark_as_paid" && event.paid_at !== undefined ? parse(event.paid_at) : null,
    reason: event.type === "return_payment" ? event.reason : null,
  };
};

/** The commission of a movement, and the names that its sale may have. */
interface Sold {
  readonly found: CommissionWithAttribution;
  readonly schemaNames: ReadonlyMap<string, string>;
  readonly names: SaleNames;
}

/** A partner's part of a sale that several people earn from, without the names of the sellers below. */
const partOf = ({ credit }: Attribution.Attribution): SalePart | null => {
  if (credit === null) return null;
  const { role, share, depth } = credit;
  return { role, share, depth, sellers: depth === 0 ? [] : [{ name: null, share }] };
};

const earnedSubject = (
  type: CommissionMovementType,
  { cause, receipt, settledElsewhere }: Movement,
  { found: { attribution }, schemaNames, names }: Sold,
): Subject => ({
  type,
  schemaName: schemaNames.get(attribution.schemaId) ?? "Attribution",
  occurredOn: Attribution.dayOf(attribution),
  externalReference: names.referenceOf(attribution),
  part: partOf(attribution),
  // What was stated once does not change when the sale is replaced.
  replaces: type === "earned" ? names.pairingOf(attribution).replaces : null,
  replacedBy: cause === "attribution_cancelled" ? names.pairingOf(attribution).replacedBy : null,
  cause,
  cancelReason: cause === "attribution_cancelled" ? attribution.cancelReason : null,
  receipt,
  settledElsewhere,
});

/** What each movement of a page is about, in order. */
export const subjectsOf = (
  storage: Records & Earnings & Reporting,
  customerId: CustomerId,
  movements: ReadonlyArray<Movement>,
): Effect.Effect<ReadonlyArray<Subject>, StorageError> =>
  Effect.gen(function* () {
    const idsOf = (isCommission: boolean): ReadonlyArray<string> => [
      ...new Set(
        movements.flatMap(({ type, recordId }) => (isOfCommission(type) === isCommission ? [recordId] : [])),
      ),
    ];
    const commissionIds = idsOf(true) as ReadonlyArray<CommissionId>;
    const commissions = yield* storage.commissionsWithAttributions(customerId, commissionIds);
    const names = yield* namesOf(
      storage,
      customerId,
      commissions.map(({ attribution }) => attribution),
    );
    const schemaIds = [...new Set(commissions.map(({ attribution }) => attribution.schemaId))];
    const schemas = yield* storage.find(customerId, "schema", schemaIds);
    const settlementIds = idsOf(false) as ReadonlyArray<SettlementId>;
    const logs = yield* storage.settlementLogs(customerId, settlementIds);
    const schemaNames = new Map(schemas.map(({ id, name }) => [id as string, name]));
    const byCommission = new Map(commissions.map((found) => [found.commission.id as string, found]));
    const bySettlement = new Map(logs.map(({ id, log }) => [id as string, log]));
    return yield* Effect.forEach(movements, (movement) => {
      const { type, recordId } = movement;
      if (isOfCommission(type)) {
        const found = byCommission.get(recordId);
        return found === undefined
          ? Effect.dieMessage(`the commission ${recordId} of a movement is missing`)
          : Effect.succeed(earnedSubject(type, movement, { found, schemaNames, names }));
      }
      const turn = turnOf(bySettlement.get(recordId) ?? [], movement);
      return turn === null
        ? Effect.dieMessage(`the log of settlement ${recordId} lacks the event of a movement`)
        : Effect.succeed(settledSubject(type, turn));
    });
  });
