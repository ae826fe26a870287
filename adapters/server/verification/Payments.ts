/** Payment files, and the payments in them: nothing is paid twice, and each file states what it holds. */
import type { Rule } from "./Rule.ts";

/** True if the payment failed or was returned, by the log of its settlement. */
const FAILED = `exists (
    select from quittance.events e
    where e.customer_id = $1::uuid and e.record_id = p.settlement_id and e.kind = 'settlement'
      and e.event->>'type' in ('fail_payment', 'return_payment') and e.event->>'payment_reference' = p.id::text)`;

/** Payments by file, each with its settlement and its file. */
const PAYMENTS = `
  from quittance.bank_payments p
  join quittance.settlements s on s.customer_id = $1::uuid and s.id = p.settlement_id
  left join quittance.payment_files f on f.customer_id = $1::uuid and f.id = p.file_id
  where p.customer_id = $1::uuid`;

const IS_CURRENT = "s.view->>'paymentReference' is not distinct from p.id::text";
const IS_DISCARDED = "f.view->>'discardedAt' is not null";

/**
 * Where money goes, as one value: the type of an account and its fields, of which an empty one is none. It is stated as an account
 * of any type, or as a bank account where there is no account; null where the account is null.
 */
const payee = (account: string, bankAccount: string): string => `case jsonb_typeof(${account})
    when 'object' then jsonb_build_object('type', ${account}->'type', 'details', ${account}->'details')
    when 'null' then null
    else jsonb_build_object('type', 'iban', 'details', jsonb_strip_nulls(jsonb_build_object(
      'iban', nullif(${bankAccount}->>'iban', ''), 'bic', nullif(${bankAccount}->>'bic', ''),
      'holder', nullif(${bankAccount}->>'beneficiaryName', '')))) end`;

const APPROVED = payee(
  "s.view->'approval'->'payoutAccount'",
  "s.view->'approval'->'selfBillingData'->'bankAccount'",
);

/** Payments that wait for a file or are in one. */
export const payments: Rule = {
  name: "payment files",
  statement:
    "Each file has the number and sum of its payments, and each settlement has one payment that has not failed, of its payable amount and to the account of its approval, and says whether its file was handed over.",
  query: `
  select 'payment file ' || f.id as record, 'it states ' || (f.view->>'count') || ' payments with the sum '
    || (f.view->>'sum') || ', and has ' || t.count || ' with the sum ' || t.sum as problem
  from quittance.payment_files f
  cross join lateral (
    select count(*) as count, coalesce(sum((p.view->>'amount')::numeric), 0) as sum from quittance.bank_payments p
    where p.customer_id = $1::uuid and p.file_id = f.id) t
  where f.customer_id = $1::uuid
    and ((f.view->>'count')::bigint is distinct from t.count or (f.view->>'sum')::numeric is distinct from t.sum)
  union all
  select 'payment ' || p.id, 'it is ' || (p.view->>'amount') || ' ' || (p.view->>'currency') || ', and settlement ' || s.id
    || ' pays ' || coalesce(s.view->>'payableAmount', s.total::text) || ' ' || s.currency
  ${PAYMENTS} and ${IS_CURRENT}
    and (p.view->>'amount', p.view->>'currency')
      is distinct from (coalesce(s.view->>'payableAmount', s.total::text), s.currency)
  union all
  select 'payment ' || p.id, 'it does not go to the account of settlement ' || s.id
  ${PAYMENTS} and ${IS_CURRENT} and s.view->>'erasedAt' is null and not ${FAILED}
    and ${payee("p.view->'account'", "p.view->'bankAccount'")} is distinct from ${APPROVED}
  union all
  select 'payment ' || p.id, 'it has not failed, and is not the payment of settlement ' || s.id
    || coalesce(', which is ' || (s.view->>'paymentReference'), '')
  ${PAYMENTS} and not (${IS_CURRENT}) and (p.is_waiting or (f.id is not null and not (${IS_DISCARDED})))
    and not ${FAILED}
  union all
  select 'payment ' || p.id, 'its file ' || f.id || ' was discarded, and settlement ' || s.id || ' still waits for it'
  ${PAYMENTS} and ${IS_CURRENT} and ${IS_DISCARDED} and s.status = 'payment_initiated'
  union all
  select 'payment ' || p.id, 'its file was handed over at ' || coalesce(f.view->>'handedOverAt', '-') || ', and settlement ' || s.id
    || ' states ' || coalesce(s.view->'handedOver'->>'at', '-')
  ${PAYMENTS} and ${IS_CURRENT}
    and (f.view->>'handedOverAt' is null) <> (s.view->'handedOver'->>'at' is null)
  union all
  select 'payment ' || p.id, 'its reference leads ' || coalesce('to settlement ' || r.settlement_id, 'nowhere')
    || ', and it is of settlement ' || p.settlement_id
  from quittance.bank_payments p
  left join quittance.payment_references r on r.customer_id = $1::uuid and r.reference = p.id
  where p.customer_id = $1::uuid and r.settlement_id is distinct from p.settlement_id`,
};
