/** Why a command or query is refused. A refusal changes nothing; its message is returned to the caller. */
import { Data, ParseResult } from "effect";

/** Names the part of a request that is wrong. */
interface Located {
  /** The path of the field, such as `bank_account.iban`, with which the message begins; null if no single field is wrong. */
  readonly field: string | null;
  readonly message: string;
}

/** The request can never succeed as written. */
export class Invalid extends Data.TaggedError("Invalid")<Located> {}

/** The principal may not do this; decided from principal and request alone, never from stored data. */
export class Forbidden extends Data.TaggedError("Forbidden")<Located> {}

/** The principal sees no such record; an absent and a foreign record give the same refusal. */
export class Missing extends Data.TaggedError("Missing")<{ readonly message: string }> {}

/** The stable first words of the messages of conflicts. */
export const CONFLICT_TOKENS = [
  "settlement_not_draft",
  "settlement_state",
  "settlement_terminal",
  "settlement_stale",
  "amount_too_large",
  "four_eyes",
  "commission_in_open_settlement",
  "commission_not_computable",
  "billing_mode",
  "upload_limit",
  "comment_limit",
  "attachment_used",
  "tax_review",
  "e_invoice_invalid",
  "exchange_rate_missing",
  "e_invoice_unavailable",
  "partner_suspended",
  "payout_unavailable",
  "payout_account",
  "payment_file_stale",
  "period",
  "formula_cancelled",
  "formula_of_plan",
  "versions_ahead",
  "version_not_ahead",
  "plan_cancelled",
  "plan_assignment",
  "link_overlap",
  "link_loop",
  "link_depth",
  "terms_changed",
  "plan_trial",
  "parameter_values",
  "external_reference_reuse",
  "attribution_cancelled",
  "credit_of_sale",
  "idempotency_key_reuse",
  "feed_off",
  "pdf_unavailable",
  "webhooks_off",
  "webhook_disabled",
  "webhook_limit",
  "busy",
] as const;
export type ConflictToken = (typeof CONFLICT_TOKENS)[number];

/** The present state refuses a well-formed, permitted command; it may succeed later. */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly token: ConflictToken;
  readonly message: string;
}> {}

export type Refusal = Invalid | Forbidden | Missing | Conflict;

/** A conflict whose message begins with its token. */
export const conflict = (token: ConflictToken, explanation: string): Conflict =>
  new Conflict({ token, message: `${token}: ${explanation}` });

/** An invalid field, named by its path in the request. */
export const invalid = (field: string, explanation: string): Invalid =>
  new Invalid({ field, message: `${field}: ${explanation}` });

/** The same refusal in a request that has the refused part at a path. */
export const within = (path: string, { field, message }: Invalid): Invalid =>
  field === null
    ? invalid(path, message)
    : new Invalid({ field: `${path}.${field}`, message: `${path}.${message}` });

/** What the principal may not do at all. */
export const forbidden = (message: string): Forbidden => new Forbidden({ field: null, message });

/** A value of a field that the principal may not use. */
export const forbiddenField = (field: string, explanation: string): Forbidden =>
  new Forbidden({ field, message: `${field}: ${explanation}` });

/** The field and the token that a refusal states in addition to its message. */
export const facts = (
  refusal: Refusal,
): { readonly field: string | null; readonly token: ConflictToken | null } => ({
  field: "field" in refusal ? refusal.field : null,
  token: "token" in refusal ? refusal.token : null,
});

/** The refusal for a record that the principal does not see. */
export const missing = (what: string): Missing => new Missing({ message: `${what} not found` });

/** The first problem of a decoded or validated value: the path of the field, then what it must be. */
export const fromParseError = (error: ParseResult.ParseError): Invalid => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error);
  const deepest = issues.reduce((chosen, issue) => (issue.path.length > chosen.path.length ? issue : chosen));
  const field = deepest.path.map(String).join(".");
  return field === ""
    ? new Invalid({ field: null, message: deepest.message })
    : invalid(field, deepest.message);
};
