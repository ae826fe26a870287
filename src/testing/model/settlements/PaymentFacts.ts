/** The model of payment facts: a fact that fits the settlement's state moves it, any other is recorded as an anomaly. */

import type { CommandOf } from "../Command.ts";
import { conflict, type Prediction, refuse } from "../prediction/Prediction.ts";
import { moveSettlement } from "../world/Lines.ts";
import { nextMoment } from "../world/Log.ts";
import type { Settlement } from "../world/Settlements.ts";
import type { World } from "../world/World.ts";
import { isReturnable, RETURNED_PAYMENT } from "./Actions.ts";
import { NOT_PAID } from "./Payouts.ts";

/** Who reports payment facts in the model's commands. */
export const PROVIDER = "simulated";

/** The change by a fact about the current payment of a settlement that was written off while the payment was in flight. */
const lateChange = (
  { status, paidLate }: Settlement,
  fact: CommandOf<"report_payment">["fact"],
): Partial<Settlement> => {
  if (status.type !== "written_off") return {};
  if (fact === "confirmed") return { paidLate: true };
  return fact === "failed" && paidLate ? {} : { hasReference: false, handedOver: undefined, paidLate: false };
};

/** The world after a payment fact. */
export const applyFact = (
  world: World,
  settlement: Settlement,
  { fact, reference, bankReference, fee, received }: Omit<CommandOf<"report_payment">, "type" | "eventId">,
): World => {
  const { status, references, hasReference } = settlement;
  const own = hasReference && references[references.length - 1] === reference;
  const inFlight = own && status.type === "payment_initiated";
  const reported = {
    ...(bankReference === undefined ? {} : { bank_reference: bankReference }),
    ...(fee === undefined ? {} : { fee }),
    ...(received === undefined ? {} : { received }),
  };
  const anomaly = () =>
    moveSettlement(world, settlement, "payment_anomaly", own ? lateChange(settlement, fact) : {}, {
      kind: fact,
      ...reported,
    });
  if (fact === "confirmed") {
    if (inFlight) {
      const paidAt = nextMoment(settlement.log, world.now);
      return moveSettlement(
        world,
        settlement,
        "confirm_payment",
        { paidAt, bankReference: bankReference ?? null, fee, received },
        reported,
      );
    }
    return own && status.type === "paid" && status.method === "webhook" ? world : anomaly();
  }
  if (fact === "failed") {
    return inFlight ? moveSettlement(world, settlement, "fail_payment", NOT_PAID) : anomaly();
  }
  return own && isReturnable(world, settlement)
    ? moveSettlement(world, settlement, "return_payment", RETURNED_PAYMENT)
    : anomaly();
};

/** Report a payment fact: an unknown reference is missing, and an event delivered twice is applied once. */
export const reportPayment = (world: World, command: CommandOf<"report_payment">): Prediction => {
  const settlement = world.settlements.find(({ references }) => references.includes(command.reference));
  if (settlement === undefined) return { expected: refuse("Missing"), stores: false, next: () => world };
  const principalId = `provider:${PROVIDER}`;
  const requestSha256 = JSON.stringify(command);
  const { customerId } = settlement;
  const record = world.idempotencyRecords.find(
    (idempotencyRecord) =>
      idempotencyRecord.customerId === customerId &&
      idempotencyRecord.principalId === principalId &&
      idempotencyRecord.key === command.eventId,
  );
  if (record !== undefined) {
    const repeats = record.requestSha256 === requestSha256;
    return {
      expected: repeats ? { type: "succeeded", id: null, replayed: true } : conflict("idempotency_key_reuse"),
      stores: false,
      next: () => world,
    };
  }
  const after = applyFact(world, settlement, command);
  const keep = { customerId, principalId, key: command.eventId, requestSha256, id: null };
  return {
    expected: { type: "succeeded", id: null, replayed: false },
    stores: after !== world,
    next: () => ({ ...after, idempotencyRecords: [...after.idempotencyRecords, keep] }),
  };
};
