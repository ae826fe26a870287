/** Personal data in records and their logs: what erasing removes, what it leaves, and how long it has to be kept. */
import { SchemaAST } from "effect";
import type { CalendarDate } from "./CalendarDate.ts";
import { CommissionEvent } from "./Commission.ts";
import { type Document, slug } from "./Document.ts";
import { byType, type Entry, type Events, PERSONAL } from "./Event.ts";
import type { EventType, RecordEvent } from "./EventFeed.ts";
import { type BankAccount, erasing, type SelfBillingData } from "./Partner.ts";
import type { BankPayment } from "./PaymentFile.ts";
import type { ApprovedAccount } from "./PayoutAccount.ts";
import { ShownEvent } from "./SettlementEvent.ts";
import { isOpen, type View } from "./SettlementView.ts";
import { format, type Timestamp } from "./Timestamp.ts";

/** What stands for an erased text. */
export const ERASED = "[erased]";

type EventOf<Type> = Extract<RecordEvent, { readonly type: Type }>;

/** True if a text names the person whose data is erased. */
export type Names = (text: string) => boolean;

const WORD = /[\p{L}\p{N}]{3,}/gu;

/** Recognizes texts that contain a word of one of these names, in any letter case. */
export const namesOf = (names: ReadonlyArray<string>): Names => {
  const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(WORD) ?? [];
  const known = new Set(names.flatMap(words));
  return (text) => words(text).some((word) => known.has(word));
};

const ERASED_ACCOUNT: BankAccount = { beneficiaryName: ERASED, iban: ERASED, bic: ERASED };

/** What is left of a partner's data: country and terms, on which the taxes of its documents were based. */
const leftOfData = ({ address, paymentTermsDays, taxConfig }: SelfBillingData): SelfBillingData => ({
  legalName: ERASED,
  address: { street: ERASED, city: ERASED, region: "", postalCode: ERASED, country: address.country },
  vatNumber: ERASED,
  paymentTermsDays,
  bankAccount: ERASED_ACCOUNT,
  taxConfig,
});

/** Erases the given fields, as far as the event has them. */
const without =
  <Event extends object>(...fields: ReadonlyArray<keyof Event>) =>
  (event: Event): Event => ({
    ...event,
    ...Object.fromEntries(fields.filter((field) => event[field] != null).map((field) => [field, ERASED])),
  });

/** Erases the name and the description of terms that name the person. */
const unnamed = <Event extends { readonly name?: string; readonly description?: string | null }>(
  event: Event,
  names: Names,
): Event => ({
  ...event,
  ...(event.name !== undefined && names(event.name) ? { name: ERASED } : {}),
  ...(event.description != null && names(event.description) ? { description: ERASED } : {}),
});

type Link = EventOf<"link_report" | "link_invoice" | "link_credit_note">;

/** A partner numbers what it uploads, and the problems of an e-invoice quote its data. */
const linked =
  <Event extends Link>(number: keyof Event) =>
  (event: Event): Event => {
    const { stored } = event;
    const left = stored?.uploaded === true ? without<Event>(number)(event) : event;
    if (stored === undefined || !("e_invoice_problems" in stored)) return left;
    const problems = stored.e_invoice_problems?.map((problem) => ({ ...problem, message: ERASED }));
    return { ...left, stored: { ...stored, e_invoice_problems: problems } };
  };

/** What is left of the account of an approval. */
const leftOfAccount = <Account extends ApprovedAccount | null>(account: Account): Account =>
  account === null ? account : { ...account, details: {} };

/**
 * The log of a partner has the masked account, its reference elsewhere and its tags, which may name it, and fingerprints, which
 * confirm who guesses the data.
 */
const unidentified = <Event extends EventOf<"create_partner" | "update_partner">>(event: Event): Event => ({
  ...event,
  ...(event.bank_account == null ? {} : { bank_account: null }),
  ...(event.external_reference == null ? {} : { external_reference: null }),
  ...(event.tags === undefined ? {} : { tags: [] }),
  stored: { sha256: ERASED },
});

const NOTHING = null;

type StoringTypeOf<Event extends RecordEvent> = Event extends unknown
  ? "stored" extends keyof Event
    ? Event["type"]
    : never
  : never;

/** The types of events of which the log stores more than it shows. */
type StoringType = StoringTypeOf<RecordEvent>;

type Erase = (value: never) => unknown;

/** Erases the texts of a value that are marked as personal; null where it never has one. */
const erasingTexts = (ast: SchemaAST.AST): Erase | null => {
  if (ast.annotations[PERSONAL] === true) return () => ERASED;
  if (SchemaAST.isTupleType(ast)) {
    const item = ast.rest[0] === undefined ? null : erasingTexts(ast.rest[0].type);
    return item && ((items: ReadonlyArray<never>) => items.map(item));
  }
  if (!SchemaAST.isTypeLiteral(ast)) return null;
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const erase = erasingTexts(type);
    return erase === null ? [] : [[String(name), erase] as const];
  });
  return fields.length === 0
    ? null
    : (value: Readonly<Record<string, never>>) => ({
        ...(value as object),
        ...Object.fromEntries(
          fields.flatMap(([name, erase]) => (value[name] == null ? [] : [[name, erase(value[name])]])),
        ),
      });
};

/**
 * What is left of the events of a union by the marks of their texts. Of events whose log stores more than they show, the
 * table below states it.
 */
const leftOfTexts = <Type extends EventType>(
  events: Events<Type>,
): { readonly [Each in Exclude<Type, StoringType>]: (<Event>(event: Event) => Event) | null } =>
  byType(events, ({ ast }) => erasingTexts(ast)) as never;

/**
 * What is left of an event of each type; null where an event never has personal data. A type that is missing here does
 * not compile.
 */
const LEFT: {
  readonly [Type in EventType]: ((event: EventOf<Type>, names: Names) => EventOf<Type>) | null;
} = {
  // The properties of an attribution belong to what was sold, and commissions are computed from them.
  create_attribution: NOTHING,
  cancel_attribution: NOTHING,
  recredit_attribution: NOTHING,
  state_received: NOTHING,
  create_commission_formula: (event, names) =>
    event.assignment === undefined ? unnamed(event, names) : event,
  update_commission_formula: (event, names) =>
    event.assignment === undefined ? unnamed(event, names) : event,
  // A quota or a rate belongs to what was agreed, and commissions are computed from it.
  set_parameter_values: NOTHING,
  cancel_commission_formula: (event, names) =>
    event.assignment === undefined && names(event.reason) ? { ...event, reason: ERASED } : event,
  create_commission_plan: NOTHING,
  update_commission_plan: NOTHING,
  cancel_commission_plan: NOTHING,
  ...leftOfTexts(CommissionEvent),
  ...leftOfTexts(ShownEvent),
  create_settlement: NOTHING,
  approve_settlement: (event) => {
    const { self_billing_data: data } = event.stored;
    const { payout_account: account } = event.stored;
    const left = {
      ...{ partner_name: ERASED, self_billing_data: data === null ? null : leftOfData(data) },
      ...(account === undefined ? {} : { payout_account: leftOfAccount(account) }),
    };
    return { ...event, stored: { ...event.stored, ...left } };
  },
  choose_payout_account: (event) => ({
    ...event,
    details: {},
    stored: { payout_account: leftOfAccount(event.stored.payout_account) },
  }),
  link_report: linked("report_number"),
  link_invoice: linked("invoice_number"),
  link_credit_note: linked("credit_note_number"),
  create_partner: unidentified,
  update_partner: unidentified,
  propose_payout_account: (event) => ({ ...event, details: {}, stored: { sha256: ERASED } }),
  confirm_payout_account: (event) => ({ ...event, stored: { sha256: ERASED } }),
  retire_payout_account: (event) => ({ ...event, stored: { sha256: ERASED } }),
  // Logs of keys are erased for the keys of the person alone.
  create_api_key: (event) => ({ ...event, name: event.name === null ? null : ERASED, person: null }),
  revoke_api_key: NOTHING,
  // Data of the customer, which is a company.
  write_billing_profile: NOTHING,
  write_posting_rules: NOTHING,
  close_period: NOTHING,
  seal_period: NOTHING,
  reopen_period: NOTHING,
  write_settlement_policy: NOTHING,
  begin_settlement_period: NOTHING,
  write_workspace: NOTHING,
  create_partner_link: NOTHING,
  update_partner_link: NOTHING,
  // What was accepted when stays; a reference may name the person.
  accept_commission_plan: without("name", "reference"),
  erase_personal_data: NOTHING,
};

/** Whose data is erased. */
export interface Subject {
  readonly names: Names;
  /** True if a principal is one of the person's own credentials; their events keep no person. */
  readonly isOwn: (actor: string) => boolean;
}

/** What is left of an entry of a log. */
export const leftOf = <Event extends { readonly type: EventType }>(
  entry: Entry<Event>,
  { names, isOwn }: Subject,
): Entry<Event> => {
  const left = LEFT[entry.event.type] as ((event: Event, names: Names) => Event) | null;
  const { person, ...rest } = entry;
  return {
    ...rest,
    ...(person === undefined || isOwn(entry.actor) ? {} : { person }),
    event: left === null ? entry.event : left(entry.event, names),
  };
};

/** Why data is kept. */
export const REASONS = ["settlement_open", "retention", "commissions_due", "key_usable"] as const;

/** That data is kept, and the last day on which it has to be; null where no date ends it. */
export interface Kept {
  readonly reason: (typeof REASONS)[number];
  readonly until: CalendarDate | null;
}

/** The last day of the retention of what happened last at a moment: years count from the end of the year. */
export const retainedUntil = (lastAt: Timestamp, years: number): CalendarDate =>
  `${String(Number(format(lastAt).slice(0, 4)) + years).padStart(4, "0")}-12-31`;

/** True if a settlement has documents or payments, which have to be kept. */
const isBooked = ({
  reportReference,
  invoiceReference,
  creditNoteReference,
  attempt,
  status,
}: View): boolean =>
  reportReference !== null ||
  invoiceReference !== null ||
  creditNoteReference !== null ||
  attempt > 0 ||
  status.type === "paid";

/**
 * Why the data of a settlement may not be erased on a day; null when it may. A settlement that was cancelled before it had a
 * document or a payment has nothing that must be kept.
 */
export const keptOfSettlement = (
  state: View & { readonly lastAt: Timestamp },
  today: CalendarDate,
  years: number,
): Kept | null => {
  if (isOpen(state.status.type)) return { reason: "settlement_open", until: null };
  const until = retainedUntil(state.lastAt, years);
  return isBooked(state) && today <= until ? { reason: "retention", until } : null;
};

/** The update that leaves what is left of a partner. */
export const ERASED_PARTNER = erasing(ERASED);

/** What is left of the record of a document, which keeps its number if the service issued it. Its bytes are removed. */
export const leftOfDocument = <Record extends Document>(document: Record, wasUploaded: boolean): Record => {
  const { eInvoice, fileName, number } = document;
  const extension = /\.[a-z0-9]{1,4}$/i.exec(fileName)?.[0] ?? "";
  return {
    ...document,
    number: wasUploaded && number !== null ? ERASED : number,
    fileName: `${slug(document.kind)}-${document.settlementId}${extension}`,
    ...(eInvoice?.type === "not_made"
      ? {
          eInvoice: {
            ...eInvoice,
            problems: eInvoice.problems.map((problem) => ({ ...problem, message: ERASED })),
          },
        }
      : {}),
    isErased: true,
  };
};

/** What is left of a payment: its amount, its payment reference and its bookings. */
export const leftOfPayment = <Record extends BankPayment>({ account: _, ...payment }: Record) => ({
  ...payment,
  bankAccount: ERASED_ACCOUNT,
  remittance: ERASED,
});

/** True if the account of a payment was erased. */
export const isErasedAccount = ({ bankAccount }: Pick<BankPayment, "bankAccount">): boolean =>
  bankAccount?.iban === ERASED;
