/** The names of all types of events in groups, in a file that the console does not load at its start. */
import type { ControlEvent } from "./ControlWords.ts";
import { GROUPS } from "./TeamEvents.ts";

type ControlType = Exclude<ControlEvent["type"], keyof typeof GROUPS.plans> | "erase_personal_data";

const CONTROL: Readonly<Record<ControlType, string>> = {
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

type Names = Readonly<Record<string, string>>;

const namesIn = (group: Readonly<Record<string, readonly [name: string, sentence?: unknown]>>): Names =>
  Object.fromEntries(Object.entries(group).map(([type, [name]]) => [type, name]));

/** A group of types, with its word in addresses. */
interface EventFamily {
  readonly id: string;
  readonly words: string;
  readonly types: Names;
}

/** Every type of event with its name. */
export const EVENT_FAMILIES: ReadonlyArray<EventFamily> = [
  { id: "sales", words: "Sales", types: namesIn(GROUPS.sales) },
  { id: "commissions", words: "Commissions", types: namesIn(GROUPS.commissions) },
  { id: "settlements", words: "Settlements", types: namesIn(GROUPS.settlements) },
  { id: "documents", words: "Documents", types: namesIn(GROUPS.documents) },
  { id: "payments", words: "Payments", types: namesIn(GROUPS.payments) },
  { id: "plans", words: "Plans and formulas", types: namesIn(GROUPS.plans) },
  { id: "control", words: "Partners, keys and policies", types: CONTROL },
];

const NAMES: Names = Object.assign({}, ...EVENT_FAMILIES.map(({ types }) => types));

/** The name of a type; a type that the page does not know is shown with its name in the interface. */
export const eventTypeWords = (type: string): string => NAMES[type] ?? type.replaceAll("_", " ");
