/** Every bound the engine enforces, in one place; each is tested at and past its value. */

import { DAY, MINUTE } from "./Durations.ts";

/** Largest amount, in either direction, that a commission, line or total may reach: 2^53 − 1 smallest units. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** Longest `name` of any record, in code points. */
export const NAME_MAX = 255;
/** Longest formula description, in code points. */
export const DESCRIPTION_MAX = 2_000;
/** Longest reason or note, in code points. */
export const REASON_MAX = 1_000;
/** Lines that a dispute names at most. */
export const DISPUTED_LINES_MAX = 100;
/** Longest comment on a settlement, in code points. */
export const COMMENT_MAX = 1_000;
/** Comments, and withdrawals of disputes, of each side that a settlement takes: the log is loaded as a whole. */
export const COMMENTS_MAX = 50;
/** Attachments that one message names at most. */
export const ATTACHMENTS_MAX = 5;
/** Longest number of a document that a caller uploads, in code points. */
export const DOCUMENT_NUMBER_MAX = 64;
/** Longest reference that a bank gives a payment, in code points. */
export const BANK_REFERENCE_MAX = 255;
/** How far the clocks of two machines may differ, in milliseconds. */
export const CLOCKS_DIFFER_MAX = 5 * MINUTE;
/** How long before the approval a payment may have been made, in milliseconds: the day of a bank has no time zone. */
export const PAID_BEFORE_APPROVAL_MAX = DAY;
/** How far ahead of the clock a payment may be dated, in milliseconds. */
export const PAID_AHEAD_MAX = CLOCKS_DIFFER_MAX;
/** How far ahead of the clock an attribution may be dated, in milliseconds. */
export const OCCURRED_AHEAD_MAX = CLOCKS_DIFFER_MAX;
/** Longest external reference of an attribution or a partner, in code points. */
export const EXTERNAL_REFERENCE_MAX = 255;
/** Most tags of a partner. */
export const TAGS_MAX = 50;
/** Longest tag, in code points. */
export const TAG_MAX = 64;
/** Longest e-mail address, in code points: the longest that a mail server takes. */
export const EMAIL_MAX = 254;
/** Most credits that a request may give one sale. */
export const CREDITS_MAX = 20;
/** Most credits of one sale, those of uplines included, and of all sales of a batch. */
export const SALE_CREDITS_MAX = 100;
export const BATCH_CREDITS_MAX = 10_000;
/** Most roles of a formula. */
export const ROLES_MAX = 20;
/** Longest role of a credit or a link, in code points. */
export const ROLE_MAX = 64;

/** Most payments of one payment file. */
export const FILE_PAYMENTS_MAX = 1_000;

/** The most payments that the creation of a file names because no format can pay them. */
export const LEFT_OUT_MAX = 100;
/** How far ahead a payment file may be executed, in days. */
export const EXECUTION_DAYS_MAX = 365;
/** Most business days after which a payment that is not booked is overdue. */
export const PAYMENT_OVERDUE_DAYS_MAX = 250;
/** The least and the most years for which documents have to be kept; a bank may return a payment for more than one. */
export const RETENTION_YEARS_MIN = 2;
export const RETENTION_YEARS_MAX = 100;
/** Settlements of a partner whose personal data is erased at once. */
export const ERASED_SETTLEMENTS_MAX = 100;
/** Entries of the feed that are erased at once. */
export const ERASED_ENTRIES_MAX = 100;
/** Largest amount of one SEPA payment, in cents. */
export const SEPA_AMOUNT_MAX = 99_999_999_999;

/** Most properties one attribution schema may define. */
export const SCHEMA_PROPERTIES_MAX = 100;
/** Longest property name, in code points. */
export const PROPERTY_NAME_MAX = 128;
/** Longest string value of a property, in code points. */
export const PROPERTY_STRING_MAX = 4_096;

/** Longest legal name, address part, tax label or beneficiary, in code points. */
export const LEGAL_TEXT_MAX = 255;
/** Most properties of a sale that its schema may have documents show. */
export const DISPLAY_PROPERTIES_MAX = 4;
/** Longest value of such a property that is passed to documents, in code points; a longer one ends with an ellipsis. */
export const SHOWN_VALUE_MAX = 255;
/** Largest logo, in bytes. */
export const LOGO_BYTES_MAX = 256 * 1024;
/** Longest side of a logo, in pixels. */
export const LOGO_SIDE_MAX = 2_000;
/** Lowest contrast between a colour of documents and what it is next to (WCAG 2.2, 1.4.3). */
export const CONTRAST_MIN = 4.5;

/** Most exchange rates of a billing profile. */
export const EXCHANGE_RATES_MAX = 500;
/** The age of the oldest exchange rate that a document may state, in days: some offices publish rates by month. */
export const EXCHANGE_RATE_DAYS_MAX = 31;
/** Longest name of who published an exchange rate, in code points. */
export const RATE_SOURCE_MAX = 100;
/** Longest legal note of a party on documents, in code points. */
export const LEGAL_NOTE_MAX = 1_000;
/** Longest VAT number, in code points. */
export const VAT_NUMBER_MAX = 64;
/** Longest IBAN, in characters (ISO 13616). */
export const IBAN_MAX = 34;
/** Longest BIC, in characters (ISO 9362). */
export const BIC_MAX = 11;
/** Most fields of a payout account whose type prescribes none. */
export const PAYOUT_FIELDS_MAX = 20;
/** Most payout accounts of a partner that wait for a confirmation or have one, and most retired ones that its record keeps. */
export const PAYOUT_ACCOUNTS_MAX = 50;
/** Longest wait for the confirmation of a payout account, in hours: 90 days. */
export const PAYOUT_HOURS_MAX = 2_160;
/** Longest payment term, in days. */
export const PAYMENT_TERMS_DAYS_MAX = 3_650;
/** Highest tax rate, in basis points (100 %). */
export const RATE_BPS_MAX = 10_000;

/** Most commissions one settlement may hold. */
export const SETTLEMENT_LINES_MAX = 10_000;
/** Longest hold of a settlement policy, in days. */
export const HOLD_DAYS_MAX = 3_650;
/** Most partners that a settlement run or a recredit run may name. */
export const RUN_PARTNERS_MAX = 1_000;
/** Most partners that a dry run may cover; they are returned in one response. */
export const DRY_RUN_PARTNERS_MAX = 5_000;
/** Partners that one step of a settlement run settles before its progress is stored. */
export const RUN_BATCH = 20;
/** Sales that one step of a recredit run visits. */
export const RECREDIT_BATCH = 100;
/** Commissions of one partner that a settlement run reads at once. */
export const RUN_READ_MAX = 2_000;
/** Most attributions one batch may hold. */
export const BATCH_MAX = 1_000;
/** Most samples one simulation may hold. */
export const SAMPLES_MAX = 100;
/** Most earlier attributions that one sample may bring. */
export const HISTORY_MAX = 1_000;
/** Most earlier attributions that the samples of one simulation may bring together. */
export const HISTORIES_MAX = 10_000;
/** Most posting rules one customer may have. */
export const POSTING_RULES_MAX = 1_000;
/** Most values one list filter may hold. */
export const FILTER_VALUES_MAX = 100;
/** Highest page number of a list. */
export const PAGE_MAX = 2_147_483_647;
/** Most records on one page. */
export const PER_PAGE_MAX = 100;
/** Records on one page when the caller names no number. */
export const PER_PAGE_DEFAULT = 10;
/** Most buckets one statistic may span. */
export const BUCKETS_MAX = 1_000;

/** Largest uploaded file, in bytes. */
export const UPLOAD_BYTES_MAX = 10 * 1024 * 1024;
/** Most uploaded documents of a settlement that are kept, those that were replaced included. */
export const UPLOADS_MAX = 20;
/** Most bytes of the uploaded documents of a settlement together. */
export const UPLOADS_BYTES_MAX = 50 * 1024 * 1024;
/** Longest suggested file name, in characters. */
export const FILE_NAME_MAX = 100;

/** Most partners that one assignment of a commission plan may name. */
export const ASSIGNED_MAX = 1_000;
/** Most links of a chain of one role. */
export const UPLINE_DEPTH_MAX = 16;
/** Formulas that a change of a commission plan reaches before it returns; more follow in the background. */
export const ROLL_OUT_INLINE_MAX = 100;
/** Formulas that one commit of a roll-out changes. */
export const ROLL_OUT_BATCH = 50;

/** Most confirmed sales that the span of one trial may have. */
export const TRIAL_SALES_MAX = 1_000_000;
/** Most partners that one trial may name. */
export const TRIAL_PARTNERS_MAX = 1_000;
/** Most sales that did not happen that one trial may add. */
export const TRIAL_ADDED_MAX = 1_000;
/** Longest span of a trial, in days. */
export const TRIAL_DAYS_MAX = 3_660;
/** The changed sales that the result of a trial shows. */
export const TRIAL_CHANGES_MAX = 10;
/** Partners that one step of a trial computes before its progress is stored. */
export const TRIAL_BATCH = 20;
/** Sales after which a step of a trial stores its progress, once the partner that it computes is done. */
export const TRIAL_STEP_SALES = 20_000;
/** Most trials of one customer that are kept at the same time. */
export const TRIALS_MAX = 1_000;
/** Most past sales that a dry run of a new formula or an assignment computes. */
export const DRY_RUN_SALES_MAX = 100_000;
/** Most formulas that a dry run names under which sales would pay as well. */
export const PROSPECT_OVERLAPS_MAX = 100;
/** How long the result of a trial is kept after its end. */
export const TRIAL_KEPT_MILLISECONDS = 30 * DAY;

/** Most workspaces, and most partners, that a key may name; `*` stands for all. */
export const GRANT_MAX = 1_000;
/** Longest cursor of a page, in characters. */
export const CURSOR_MAX = 255;

/** Longest idempotency key, in visible ASCII characters. */
export const IDEMPOTENCY_KEY_MAX = 255;
/** Times a command is run when others keep moving what it read. */
export const COMMAND_ATTEMPTS_MAX = 8;
/** How often a command is attempted that conflicts with other processes in the order of one partner and schema. */
export const ORDERED_ATTEMPTS_MAX = 64;
/** Overrides that one recomputation batch may follow up. */
export const OVERRIDES_MAX = 1_000;
/** Commissions that one recomputation batch reads and commits. */
export const RECOMPUTATION_BATCH = 1_000;
/** Commissions that a formula command recomputes before it returns; a worker recomputes the rest. */
export const RECOMPUTE_INLINE_MAX = 10_000;

/** Most webhook endpoints of one customer. */
export const WEBHOOK_ENDPOINTS_MAX = 100;
/** Longest URL of a webhook endpoint, in code points. */
export const WEBHOOK_URL_MAX = 2_000;
/** Most secrets of one webhook endpoint that sign at the same time. */
export const WEBHOOK_SECRETS_MAX = 10;
/** The longest problem of a webhook delivery that is stored, in characters; longer ones are cut. */
export const WEBHOOK_PROBLEM_MAX = 500;

/** The shortest token of the platform, in characters. */
export const ADMIN_TOKEN_MIN = 32;

/** Most parameters that one formula or plan may declare. */
export const PARAMETERS_MAX = 50;
