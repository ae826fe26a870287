/** True if a settlement has a line that differs from what its commission is due now. */
import { lookUpByKey } from "../planning.ts";

const dueOf = (commission: string): string =>
  `coalesce(${commission}.computed_amount, 0) - coalesce(${commission}.waiting_amount, 0) - ${commission}.settled_amount`;

/**
 * A condition on the lines of one settlement. `customer` and `settlement` are expressions. Lists contain it as text: on a
 * distributed database a statement cannot call a function that reads tables. `lookUpByKey` looks each commission up by its key;
 * a read across customers joins them instead, because a distributed database cannot limit a subquery for each row.
 */
export const hasChangedLine = (customer: string, settlement: string, isOneCustomer: boolean): string =>
  isOneCustomer
    ? `exists (
    select from (
      select l.commission_id, l.amount from quittance.settlement_lines l
      where l.customer_id = ${customer} and l.settlement_id = ${settlement} order by l.position) l
    where l.amount <> ${lookUpByKey({ table: "quittance.commissions", columns: dueOf("t"), customer, id: "l.commission_id" })})`
    : `exists (
    select from quittance.settlement_lines l
    join quittance.commissions c on c.customer_id = l.customer_id and c.id = l.commission_id
    where l.customer_id = ${customer} and l.settlement_id = ${settlement} and l.amount <> ${dueOf("c")})`;
