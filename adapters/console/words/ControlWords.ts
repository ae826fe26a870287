/** Words for the events of what decides who may do what, and where money goes: partners, keys, the billing profile, policies. */

import type { FeedEntry } from "quittance/client";
import type { LogEvent } from "../api/Records.ts";
import { day } from "../format/Dates.ts";
import { sumsWords } from "../format/Money.ts";
import { accountWords } from "./AccountWords.ts";
import { type Names, whoWords } from "./People.ts";

type FeedEvent = NonNullable<FeedEntry["event"]>;

/** An event that names who has acted. */
export type ControlEvent = Exclude<FeedEvent, LogEvent>;

type ControlType = ControlEvent["type"];
type ControlOf<Type extends ControlType> = Extract<ControlEvent, { readonly type: Type }>;

/** True if an event names who has acted. */
export const isControlEvent = (event: FeedEvent): event is ControlEvent => "actor" in event;

/** Who has acted: the person, or the credential where no person is known. */
export const actorWords = ({ actor }: ControlEvent, names?: Names): string =>
  names === undefined ? actor.person : whoWords(actor.person, names);

const FIELDS: Readonly<Record<string, string>> = {
  name: "name",
  billing_mode: "who writes the invoice",
  vat_number: "VAT number",
  bank_account: "bank account",
  tax_config: "tax",
  payment_terms_days: "payment terms",
  invoice_prefix: "prefix of invoice numbers",
  document_numbers: "numbers of documents",
  tax_currency: "national currency",
  exchange_rates: "exchange rates",
  e_invoice: "e-invoices",
  external_reference: "reference",
  email: "e-mail address",
};

const fieldWords = (field: string): string => {
  const name = field.replace("self_billing_data.", "");
  return FIELDS[name] ?? name.replaceAll("_", " ");
};

interface Changed {
  readonly fields: ReadonlyArray<string>;
  readonly bank_account?: { readonly iban: string } | null;
  readonly status?: string;
}

const changes = ({ fields, bank_account: account, status }: Changed): string =>
  `Changed: ${fields.map(fieldWords).join(", ")}${account == null ? "" : `. The account is now ${account.iban}`}${status === undefined ? "" : `. The partner is now ${status}`}`;

type AmountByCurrency = Readonly<Record<string, number>>;

const amounts = (byCurrency: AmountByCurrency): string =>
  sumsWords(Object.entries(byCurrency).map(([currency, amount]) => ({ currency, amount })));

const isEmpty = (byCurrency: AmountByCurrency): boolean => Object.keys(byCurrency).length === 0;

const policy = (event: ControlOf<"write_settlement_policy">): string => {
  const { auto_approve: approves, four_eyes_above: above, invoice_tax_bps: rate } = event;
  const { require_acceptance: asks } = event;
  const terms = [
    approves === null
      ? []
      : [
          approves === "never" || isEmpty(approves)
            ? "drafts are approved by hand"
            : `runs approve up to ${amounts(approves)}`,
        ],
    above === null ? [] : [isEmpty(above) ? "no four eyes" : `four eyes above ${amounts(above)}`],
    rate === null
      ? []
      : [`tax on invoices of partners ${rate === "unknown" ? "not known" : `${rate / 100} %`}`],
    asks === null ? [] : [asks ? "plans have to be accepted" : "plans need no acceptance"],
  ].flat();
  const whose = event.partner_id === null ? "The workspace" : "The partner";
  return terms.length === 0 ? `${whose}'s other terms` : `${whose}: ${terms.join(", ")}`;
};

const WORDS: { readonly [Type in ControlType]: (event: ControlOf<Type>) => string } = {
  create_partner: ({ bank_account: account }) =>
    account === null ? "Without a bank account" : `Paid to ${account.iban}`,
  update_partner: changes,
  propose_payout_account: ({ currency, details }) =>
    `${accountWords(details)}${currency === null ? "" : `, for ${currency}`}`,
  confirm_payout_account: () => "Payments go to it from then on",
  retire_payout_account: () => "Nothing more is paid to it",
  create_api_key: ({ name, person, scopes }) =>
    `${name ?? "Without a name"}, ${scopes.length} rights${person === null ? "" : `, held by ${person}`}`,
  revoke_api_key: () => "Refused from then on",
  write_billing_profile: changes,
  write_settlement_policy: policy,
  write_posting_rules: ({ rules }) => (rules.length === 1 ? "1 rule" : `${rules.length} rules`),
  close_period: ({ month }) => month,
  seal_period: ({ month, entries }) => `${month}, ${entries === 1 ? "1 entry" : `${entries} entries`}`,
  reopen_period: ({ month, reason }) => `${month}: ${reason}`,
  write_workspace: ({ name, time_zone }) => `${name ?? "Without a name"}, days of ${time_zone}`,
  create_partner_link: ({ role, start_datetime: start, end_datetime: end }) =>
    `As ${role}, from ${day(start)}${end === null ? "" : ` to ${day(end)}`}`,
  update_partner_link: ({ end_datetime: end }) => (end === null ? "Without an end" : `Ends ${day(end)}`),
  begin_settlement_period: ({ period }) => `Period ${period}`,
  accept_commission_plan: ({ name, formula_version: version, on_behalf: onBehalf, reference }) =>
    `Version ${version}, by ${name}${onBehalf ? `, recorded from ${reference ?? ""}` : ""}`,
};

const wordsOf = <Type extends ControlType>(event: ControlOf<Type>): string => {
  const words: ((event: ControlOf<Type>) => string) | undefined = WORDS[event.type as Type];
  return words?.(event) ?? event.type.replaceAll("_", " ");
};

/** An event in words, with who has acted: by the names that are known, or exactly as it is stored. */
export const controlWords = (event: ControlEvent, names?: Names): string =>
  `${wordsOf(event)}, by ${actorWords(event, names)}`;
