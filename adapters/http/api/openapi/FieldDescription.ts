/**
 * What each parameter and each field of a request body means. The schemas of the contract state its form; they are shared
 * between operations, so the meaning is here, by name.
 */
import { isList, isObject, type Json, type JsonObject, mapValues } from "./Json.ts";

/**
 * Meanings by the path of a field in its body, or by its last name where every body means the same. An operation's own
 * meaning is under `operation:path`. Elements of lists have the path of their list.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  accent_color:
    "The colour of titles and lines on documents, #rrggbb; its contrast on white is at least 4.5.",
  address: "The postal address, as documents show it.",
  "address.city": "The city.",
  "address.country": "The country.",
  "address.postal_code": "The postal code.",
  "address.region": "The state, province or region; may be empty.",
  "address.street": "The street and number.",
  agent_id:
    "The agent whom the key acts for. Required when kind is agent; attributions that the key creates have it.",
  attributions: "The attributions to create, 1 to 1,000, in the order of their results.",
  auto_approve:
    "never, or by currency the largest total that a run approves without a person, in the smallest unit. Currencies that are not named are never approved automatically.",
  background_color:
    "The background of key facts on documents, #rrggbb; its contrast to dark text is at least 4.5.",
  bank_account: "The account to which payments are made.",
  "bank_account.beneficiary_name": "The holder of the account, as the bank knows it.",
  "bank_account.bic": "The BIC of the bank.",
  "bank_account.iban": "The IBAN of the account.",
  bank_reference: "The bank's reference of the payment.",
  billing_mode:
    "self_billing: this service issues the partner's invoices. partner_billing: the partner issues them.",
  cadence: "When runs start automatically: manual (never), or weekly, monthly or quarterly.",
  "cadence.type": "The length of a period.",
  commission_ids: "The commissions to settle, 1 to 10,000, of one partner, workspace and currency.",
  currencies: "The currencies to settle; by default every currency.",
  currency: "The currency of the amounts that the expression gives.",
  customer_id: "The customer. Must be that of the credential; a platform credential chooses it.",
  date: "The date on the document.",
  decision:
    "Of a negative settlement: issue_credit_note requests the amount from the partner, carry_forward releases the lines for a later settlement, write_off ends the settlement without payment. Of a tax under review: accept_tax allows the payment, refuse_tax refuses the document, and the settlement waits for another one.",
  description: "A note for people; has no effect.",
  display_properties: "The names of the properties that documents show, at most 4.",
  document_numbers:
    "How the numbers of reports, invoices and credit notes are formed. Excludes invoice_prefix.",
  "document_numbers.prefix":
    "The beginning of every number: letters A to Z in either case and digits, with single separators between them.",
  "document_numbers.separator": "The character between the parts of a number; - by default.",
  "document_numbers.series":
    "customer (the default): one series for all partners. partner: one for each, whose last eight digits are a part of the number.",
  "document_numbers.year":
    "Whether the year is a part of the number, and numbers begin at 1 in each year; false by default.",
  dry_run:
    "true returns what the run would do, for at most 5,000 partners, and stores nothing; false by default.",
  due_date: "The date by which the document asks for payment; not before date.",
  e_invoice:
    "required: a settlement is approved only if its e-invoice is valid. optional: it is approved anyway. By default required when electronic_address has a scheme.",
  effective_datetime:
    "Inclusive: the new expression applies to attributions that occurred at this moment or later. Not in the future; by default now, or 1 ms after the newest attribution when that is later.",
  electronic_address:
    "The address for e-invoices: a scheme of the Peppol list and an identifier, such as 0088:7300010000001.",
  enabled: "false: nothing is sent. true: events are sent, beginning with those that were missed.",
  end_datetime: "Exclusive: attributions that occurred before this moment earn. Null or absent: no end.",
  execution_date:
    "The day on which the bank pays: a business day of the euro area, today or within 365 days; by default the next one.",
  expires_at: "Exclusive: the key is valid before this moment; by default without end.",
  expression: "What an attribution earns, as nodes of the formula language; or as text in expression_text.",
  expression_text:
    "The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of UTF-8. It is stored as nodes.",
  external_reference:
    "The caller's own name of the event, unique in its schema. The same reference with the same content returns the existing id.",
  four_eyes_above:
    "By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run does. The drafts of one partner and day are added up.",
  hold_days:
    "Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default for a workspace.",
  invoice_prefix:
    "The beginning of document numbers, before the kind and the count. Excludes document_numbers.",
  invoice_tax_bps:
    "The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the rate is unknown, is paid only after an approver has accepted it.",
  kind: "customer (the default), partner, which needs partner_ids, or agent, which needs agent_id.",
  language: "The language of documents; en by default.",
  legal_name: "The legal name, as documents show it.",
  logo: "The logo of documents, in base64.",
  minimum:
    "By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a later run.",
  mode: "atomic (the default): one invalid attribution refuses all. independent: the valid ones are stored.",
  name: "A name for people.",
  negative: "What a run does with a negative total: review creates a draft, carry_forward none.",
  note: "A remark for the settlement's log.",
  number: "The number on the document.",
  occurred_at:
    "When the event occurred, the date that it counts for: at most 5 minutes ahead of the clock, by default the time of the request.",
  person:
    "Who holds the key; four eyes compare it. Only the platform states it: any other credential creates keys of its own person.",
  paid_at:
    "When the payment was made, between 24 hours before the approval and 5 minutes from now; by default the time of the request.",
  partner_id: "The partner.",
  partner_ids: "The partners, 1 to 1,000, all of the same workspace.",
  payment_reference: "The reference under which the payment was ordered.",
  payment_terms_days: "The days from the date of an invoice until it is due.",
  properties:
    "The values of the schema's properties, by name. A required one must be present, and no other may be.",
  reason: "Why; the log shows it.",
  reconciled: "Whether the payment was found on a bank statement.",
  resolution:
    "upheld cancels the settlement and releases its lines; rejected restores the status before the dispute.",
  samples: "The attributions to evaluate the expression for, 1 to 100.",
  "samples.created_at": "When the sample was recorded; by default now.",
  "samples.occurred_at": "When the sample occurred, which may be in the future; by default its created_at.",
  "samples.history": "The attributions that arrived before the sample, in order of arrival, at most 1,000.",
  "samples.history.created_at": "When the earlier attribution was recorded.",
  "samples.history.occurred_at": "When the earlier attribution occurred; by default its created_at.",
  "samples.history.status": "confirmed (the default), or cancelled, which aggregates do not count.",
  schema_id: "The attribution schema, of the same workspace.",
  scopes: "What the key may do; by default every scope of the caller except keys:admin.",
  self_billing_data: "The partner's legal data for self-billing, replaced as a whole.",
  start_datetime: "Inclusive: attributions that occurred at this moment or later earn.",
  tax_amount: "The tax on the document, in the smallest unit; counted with the sign of the total.",
  tax_config: "The tax on the partner's commissions.",
  "tax_config.label": "The name of the tax on documents, such as VAT.",
  "tax_config.rate_bps":
    "The rate in hundredths of a percent: 2550 is 25.5 %. Null or absent unless treatment is standard.",
  "tax_config.treatment": "standard charges rate_bps; reverse_charge and exempt charge no tax.",
  time_zone: "The time zone in which periods begin.",
  until:
    "Exclusive: the run settles what occurred before this moment, at most 5 minutes ahead of the clock; by default everything up to now.",
  vat_number: "The VAT number.",
  workspace_id: "The workspace.",
  workspace_ids: "The workspaces that the key may use, or * for all; by default those of the caller.",

  "assignCommissionPlan:end_datetime":
    "Exclusive: the assignment ends before this moment. Null or absent: it ends with the plan.",
  "assignCommissionPlan:start_datetime":
    "Inclusive: the assignment begins at this moment. Null or absent: it begins with the plan.",
  "eraseEvents:cursors": "The cursors of the entries, 1 to 100.",
  "eraseEvents:customer_id": "The customer whose feed it is.",
  "erasePartner:dry_run": "With true, lists what would be erased, and erases nothing.",
  "erasePartner:page": "The page of the partner's settlements, 100 at a time; 1 by default.",
  "createApiKey:customer_id": "The customer of the key. Only a platform credential chooses it.",
  "createApiKey:name": "A name by which people recognise the key.",
  "createApiKey:partner_ids":
    "The partners that the key may use, or * for all; by default those of the caller.",
  "createAttributionSchema:properties": "The properties of an attribution, at most 100.",
  "createAttributionSchema:properties.default":
    "What formulas read when the property was not given; it is not written into attributions.",
  "createAttributionSchema:properties.format":
    "What a number means: money_minor is an amount in the smallest unit of a formula's currency, money_major one in whole units, count a number of things, percent a percentage (7.5 is 7.5 %), plain (the default) none of these. Explanations, documents and the console print numbers by it; it changes no amount.",
  "createAttributionSchema:properties.name": "The property's name, once per schema.",
  "createAttributionSchema:properties.required":
    "Whether every attribution must have the property, also when it has a default.",
  "createPartner:billing_mode":
    "self_billing: this service issues the partner's invoices. partner_billing (the default): the partner issues them.",
  "createWebhookEndpoint:after":
    "A cursor of the event feed: events after it are sent; by default those from now on.",
  "createWebhookEndpoint:types": "The types of events to send, 1 to 100; by default every type.",
  "discardPaymentFile:reason": "Why the file is discarded; the log of each of its settlements shows it.",
  "readBankStatement:file": "The statement: a part with a file name.",
  "reportPayment:id": "The provider's own id of the report; the same id again changes nothing.",
  "reportPayment:reason": "Why the payment failed or was returned.",
  "reportPayment:type": "What happened to the payment: confirmed, failed or returned.",
  "startSettlementRun:partner_ids":
    "The partners to settle, 1 to 1,000 of the workspace; by default every partner.",
  "startSettlementRun:workspace_id": "The workspace whose partners are settled.",
  "unassignCommissionPlan:end_datetime":
    "Exclusive: attributions that occurred before this moment still earn; by default now. At or before the start, the assignment is withdrawn.",
  "updateWebhookEndpoint:types": "The types of events to send, 1 to 100; null sends every type.",
  "uploadSettlementInvoice:file": "The document: a part with a file name.",
  url: "Where requests are sent: https, a public address.",
  "writeBillingProfile:bank_account":
    "The customer's account: payment files pay from it, and credit notes ask for payment to it.",
};

/** Meanings of parameters; `operation:name` is the meaning in one operation. */
const PARAMETERS: Readonly<Record<string, string>> = {
  currency: "The currency of the statement.",
  delivery_id: "The delivery to send again.",
  from: "The start of the period.",
  partner_id: "The partner whose policy it is.",
  to: "The end of the period.",
  workspace_id: "The workspace whose policy it is.",
  "unassignCommissionPlan:partner_id": "The partner whose assignment ends.",
};

/** Descriptions that the platform derives from a rule, such as "an array of at most 100 item(s)"; keywords state the same. */
const isDerived = (text: Json | undefined): boolean => typeof text === "string" && /^(an? )[a-z]/.test(text);

const compose = (meaning: string | undefined, form: Json | undefined): Json | undefined => {
  const kept = isDerived(form) ? undefined : form;
  if (meaning === undefined || meaning === kept) return meaning ?? kept;
  return kept === undefined ? meaning : `${meaning} ${kept}`;
};

/** A parameter's description: its meaning in the operation, then its form. */
export const parameterDescription = (id: string, name: string, form: Json | undefined): Json | undefined =>
  compose(PARAMETERS[`${id}:${name}`] ?? PARAMETERS[name], form);

const meaningOf = (id: string, path: string): string | undefined => {
  const steps = path.split(".");
  const suffixes = steps.map((_, index) => steps.slice(index).join("."));
  return [`${id}:${path}`, ...suffixes].map((key) => DESCRIPTIONS[key]).find((text) => text !== undefined);
};

const describeField = (id: string, path: string, field: Json): Json => {
  if (!isObject(field)) return field;
  const { description: form, ...rest } = describeFields(id, field, path);
  const description = compose(meaningOf(id, path), form);
  if (description === undefined) return rest;
  // A reference ignores its siblings.
  const { $ref } = rest;
  return $ref === undefined ? { ...rest, description } : { description, allOf: [{ $ref }] };
};

const describeParts = (id: string, parts: Json, path: string): Json =>
  isList(parts)
    ? parts.map((part) => describeParts(id, part, path))
    : isObject(parts)
      ? describeFields(id, parts, path)
      : parts;

/** The schema of a body, or of the part of it at a path, whose fields have descriptions of their own. */
export const describeFields = (id: string, schema: JsonObject, path = ""): JsonObject =>
  mapValues(schema, (value, keyword) => {
    if (keyword === "items" || keyword === "anyOf") return describeParts(id, value, path);
    if (keyword !== "properties") return value;
    return mapValues(value, (field, name) =>
      describeField(id, path === "" ? name : `${path}.${name}`, field),
    );
  });
