/** The names of the types of events in groups, in a file that the console does not load at its start. */
import type { EventType } from "../api/Records.ts";
import type { ControlEvent } from "./ControlWords.ts";

const SALES = {
  create_attribution: "Sale recorded",
  cancel_attribution: "Sale cancelled",
  recredit_attribution: "Team credits derived again",
  state_received: "Buyer's payments stated",
};

const COMMISSIONS = {
  create_commission: "Commission computed",
  update_commission: "Commission changed",
  fail_commission_computation: "Commission without an amount",
  update_received: "Commission released as the buyer paid",
  settle_elsewhere: "Commission settled in another system",
  reserve_commission: "Commission put into a settlement",
  release_commission: "Commission taken out of a settlement",
  settle_commission: "Commission settled",
  reopen_commission: "Commission open again",
};

const SETTLEMENTS = {
  create_settlement: "Settlement drafted",
  approve_settlement: "Settlement approved",
  cancel_settlement: "Draft cancelled",
  review_settlement: "Negative settlement reviewed",
  dispute_settlement: "Settlement disputed",
  withdraw_dispute: "Dispute withdrawn",
  resolve_dispute: "Dispute resolved",
  comment_settlement: "Comment on a settlement",
  write_off_settlement: "Settlement written off",
};

const DOCUMENTS = {
  link_report: "Report created",
  link_invoice: "Invoice created",
  link_credit_note: "Credit note created",
  fail_document: "Document not created",
};

const PAYMENTS = {
  choose_payout_account: "Another account chosen",
  initiate_payment: "Payment initiated",
  hand_over_payment: "Payment handed over to the bank",
  confirm_payment: "Payment confirmed by the provider",
  fail_payment: "Payment failed",
  return_payment: "Payment returned",
  mark_as_paid: "Payment confirmed by hand",
  reconcile_settlement: "Payment reconciled",
  unreconcile_settlement: "Payment no longer reconciled",
  payment_anomaly: "Payment report that does not match",
};

const PLANS = {
  create_commission_plan: "Plan created",
  update_commission_plan: "Plan changed",
  cancel_commission_plan: "Plan cancelled",
  accept_commission_plan: "Plan accepted",
  create_commission_formula: "Formula created",
  update_commission_formula: "Formula changed",
  set_parameter_values: "Values of parameters stated",
  cancel_commission_formula: "Formula cancelled",
};

const CONTROL = {
  create_partner: "Partner created",
  update_partner: "Partner changed",
  propose_payout_account: "Account proposed",
  confirm_payout_account: "Account confirmed",
  retire_payout_account: "Account retired",
  create_partner_link: "Upline added",
  update_partner_link: "Upline ended",
  create_api_key: "Key created",
  revoke_api_key: "Key revoked",
  write_billing_profile: "Company changed",
  write_settlement_policy: "Settlement policy written",
  write_posting_rules: "Posting rules written",
  close_period: "Month closed",
  seal_period: "Journal of a month hashed",
  reopen_period: "Month reopened",
  write_workspace: "Workspace written",
  begin_settlement_period: "Period of a cadence begun",
  erase_personal_data: "Personal data erased",
};

/** A name for every type; one that is in none of the groups does not compile. */
const NAMES: Readonly<Record<EventType | ControlEvent["type"], string>> = {
  ...{ ...SALES, ...COMMISSIONS, ...SETTLEMENTS, ...DOCUMENTS },
  ...{ ...PAYMENTS, ...PLANS, ...CONTROL },
};

/** A group of types, with its word in addresses. */
interface EventFamily {
  readonly id: string;
  readonly words: string;
  readonly types: Readonly<Record<string, string>>;
}

/** Every type of event with its name. */
export const EVENT_FAMILIES: ReadonlyArray<EventFamily> = [
  { id: "sales", words: "Sales", types: SALES },
  { id: "commissions", words: "Commissions", types: COMMISSIONS },
  { id: "settlements", words: "Settlements", types: SETTLEMENTS },
  { id: "documents", words: "Documents", types: DOCUMENTS },
  { id: "payments", words: "Payments", types: PAYMENTS },
  { id: "plans", words: "Plans and formulas", types: PLANS },
  { id: "control", words: "Partners, keys and policies", types: CONTROL },
];

/** The name of a type; a type that the page does not know is shown with its name in the interface. */
export const eventTypeWords = (type: string): string =>
  Object.hasOwn(NAMES, type) ? NAMES[type as EventType] : type.replaceAll("_", " ");
