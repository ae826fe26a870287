/** Every command that changes all commissions of a settlement, in an order that can be repeated any number of times. */

import { Effect } from "effect";
import { CommissionFormulas, type Ids, Payments, Principal, Settlements, Storage } from "quittance";
import type { Expression } from "quittance/formula";
import { Build, Scene } from "quittance/testing";
import type { LargeCustomer } from "./largeCustomer.ts";

/** The commands' names, in the order of {@link repeat}. */
export const COMMANDS = [
  "create",
  "cancel",
  "write off",
  "recompute",
  "pay",
  "return",
  "mark as paid",
] as const;
export type Command = (typeof COMMANDS)[number];

/** A wrapper around each command, for example a measurement. */
export type Around = <A, E, R>(command: Command, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;

/**
 * Runs every command on all due commissions of a customer. Each repetition needs a greater `percent`: it begins with a new
 * formula version, so that amounts are due again.
 */
export const repeat = (customer: LargeCustomer, percent: number, around: Around) =>
  Effect.gen(function* () {
    const { customerId, workspaceId, partnerId, formula, dueFrom } = customer;
    const storage = yield* Storage.Storage;
    const settlements = yield* Settlements.Settlements;
    const formulas = yield* CommissionFormulas.CommissionFormulas;
    const payments = yield* Payments.Payments;
    const principal = Principal.customer(customerId);
    const commissionIds = customer.due.map(({ id }) => id);
    const expressionOf = (rate: number): Expression => ({
      type: "multiply",
      operands: [
        { type: "property", name: "order_value" },
        { type: "literal", value: { type: "percent", value: rate } },
      ],
    });
    const recompute = (rate: number) =>
      around(
        "recompute",
        formulas.update(principal, formula.id, {
          expression: expressionOf(rate),
          effectiveDatetime: dueFrom,
        }),
      );
    const create = around(
      "create",
      settlements.create(principal, { customerId, workspaceId, partnerId, commissionIds }),
    );
    const approved = Effect.gen(function* () {
      const { id } = yield* create;
      const [draft] = yield* storage.find(customerId, "settlement", [id]);
      if (draft === undefined) return yield* Effect.dieMessage("the settlement was not stored");
      return yield* Scene.advance(draft, Build.approvalEvents(draft));
    });
    const report = (id: Ids.SettlementId, reference: Ids.PaymentReference) =>
      payments.recordPaymentEvent({
        provider: "test",
        eventId: `${id}/paid`,
        fact: { type: "confirmed", paymentReference: reference },
      });

    yield* recompute(percent);
    const { id } = yield* create;
    yield* around("cancel", settlements.cancel(principal, id));
    const given = yield* approved;
    yield* around("write off", settlements.writeOff(principal, given.id));
    yield* recompute(percent + 1);
    const sent = yield* approved;
    const reference = Build.fresh.payment();
    yield* Scene.advance(sent, [{ type: "initiate_payment", payment_reference: reference, attempt: 1 }]);
    yield* around("pay", report(sent.id, reference));
    yield* around("return", settlements.returnPayment(principal, sent.id, { reason: "account closed" }));
    yield* around("mark as paid", settlements.markAsPaid(principal, sent.id));
  });
