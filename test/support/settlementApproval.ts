/** Approvals of settlements of plain lines, and of lines that claw back paid amounts, any number of times. */
import { Effect } from "effect";
import type pg from "pg";
import { type Ids, Principal, Settlements } from "quittance";
import type { LargeCustomer } from "./largeCustomer.ts";

/** Cancels attributions by SQL whose commissions were paid earlier; the paid amounts are then due as negative amounts. */
export const refund = (
  client: pg.Client,
  { customerId }: LargeCustomer,
  count: number,
): Effect.Effect<ReadonlyArray<Ids.CommissionId>, unknown> =>
  Effect.tryPromise(async () => {
    await client.query("set session_replication_role = replica");
    const { rows } = await client.query<{ readonly id: Ids.CommissionId }>(
      `with paid as (
        select c.id, c.attribution_id from quittance.commissions c
        where c.customer_id = $1 and c.paid_amount > 0 order by c.created_at limit $2),
      cancelled as (
        update quittance.attributions a set status = 'cancelled', cancel_reason = 'measured'
        from paid p where a.customer_id = $1 and a.id = p.attribution_id)
      update quittance.commissions c set computed_amount = 0
      from paid p where c.customer_id = $1 and c.id = p.id returning c.id`,
      [customerId, count],
    );
    await client.query("set session_replication_role = origin");
    if (rows.length !== count) throw new Error(`${rows.length} commissions were paid before, not ${count}`);
    return rows.map(({ id }) => id);
  });

/** Drafts a settlement, approves it within `around`, and ends it by an upheld dispute, after which the same amounts are due. */
export const approve = <E, R>(
  { customerId, workspaceId, partnerId }: LargeCustomer,
  commissionIds: ReadonlyArray<Ids.CommissionId>,
  around: <A, E2, R2>(effect: Effect.Effect<A, E2, R2>) => Effect.Effect<A, E | E2, R | R2>,
) =>
  Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    const principal = Principal.customer(customerId);
    const { id } = yield* settlements.create(principal, {
      customerId,
      workspaceId,
      partnerId,
      commissionIds: [...commissionIds],
    });
    yield* around(settlements.approve(principal, id));
    yield* settlements.dispute(principal, id, { reason: "measured" });
    yield* settlements.resolveDispute(principal, id, { resolution: "upheld" });
  });
