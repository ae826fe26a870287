/** Payment files and bank statements: payments by files that a person uploads to a bank. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { PaymentFile as Domain, Ids, Partner } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { uploadedFile } from "./SettlementDocuments.ts";
import { extension, extensionWithOptionalBody, MemoryTimes } from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { Amount, CalendarDate, Count, Currency, DateTime, Id, optional, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { shown } from "./shared/Record.ts";

/** A payment file; `sum` is in the smallest unit of its currency. */
export const PaymentFile = Schema.Struct({
  id: Id,
  customer_id: Id,
  execution_date: CalendarDate,
  debtor: Schema.NullOr(shown(Partner.BankAccount)),
  format: optional(
    Schema.String.annotations({
      description: "The format in which the file was created; absent of files from before it was recorded.",
    }),
  ),
  currency: Currency,
  count: Count,
  sum: Amount,
  created_at: DateTime,
  handed_over_at: Schema.NullOr(DateTime),
  discarded_at: Schema.NullOr(DateTime),
  created_by: optional(
    Schema.String.annotations({
      description: "The person that created it; absent of files from before it was recorded.",
    }),
  ),
  handed_over_by: optional(Schema.String),
  discarded_by: optional(Schema.String),
}).annotations({ identifier: "PaymentFile" });

/** A file that was created, and the payments that wait and that no format can pay, at most 100. */
export const CreatedPaymentFile = Schema.Struct({
  id: Id,
  left_out: Schema.Array(Schema.Struct({ settlement_id: Id, partner_id: Id, reason: Schema.String })),
}).annotations({ identifier: "CreatedPaymentFile" });

/** A bank booking that matches no payment exactly, or that changed nothing. */
const UnmatchedMovement = Schema.Struct({
  reason: Schema.Literal(
    "unknown_reference",
    "other_account",
    "other_currency",
    "other_amount",
    "booked_before",
    "duplicate",
    "notice",
    "unexpected",
  ),
  direction: Schema.Literal("debit", "credit", "rejected"),
  end_to_end_id: Schema.NullOr(Schema.String),
  amount: Schema.NullOr(Amount),
  currency: Schema.String,
  booking_date: Schema.NullOr(Schema.String),
  bank_reference: Schema.NullOr(Schema.String),
  explanation: optional(
    Schema.String.annotations({
      description:
        "Why the bank returned or rejected the payment, or what it reports about it, in words. Absent where the bank states nothing, and of other business on the account.",
    }),
  ),
}).annotations({ identifier: "UnmatchedMovement" });

/** What a statement changed. */
export const BankStatementResult = Schema.Struct({
  confirmed: Count,
  returned: Count,
  reconciled: Count,
  failed: Count,
  unmatched: Schema.Array(UnmatchedMovement),
}).annotations({ identifier: "BankStatementResult" });

const path = recordPath(Ids.PaymentFileId);

const list = HttpApiEndpoint.get("list", "/payment-files")
  .setUrlParams(Schema.Struct({ ...filters("paymentFile"), ...paging }))
  .addSuccess(pageOf("payment_files", PaymentFile))
  .pipe(
    extension({
      operation: "list payment files",
      id: "listPaymentFiles",
      summary: "List payment files",
      description:
        "Oldest first by default. Every operation on payment files and bank statements needs the grant * of workspaces and partners.",
      response: { payment_files: [Example.paymentFile], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/payment-files")
  .setPayload(Domain.Create)
  .addSuccess(CreatedPaymentFile, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extensionWithOptionalBody({
      operation: "create payment file",
      id: "createPaymentFile",
      summary: "Create a payment file",
      description:
        "The file has initiated payments that are in no other file, at most 1,000, the oldest first: those of one currency that go into the same format as the oldest. Create another one for the rest. It pays on execution_date, by default the next business day, from the bank_account of the billing profile where its format states one. left_out has payments that no format can pay, and why.",
      request: { execution_date: "2026-03-02" },
      response: { id: Example.PAYMENT_FILE, left_out: [] },
      refused: "execution_date: must be a date as YYYY-MM-DD",
    }),
  );

const Bytes = Schema.Uint8ArrayFromSelf.pipe(
  HttpApiSchema.withEncoding({ kind: "Uint8Array", contentType: "application/octet-stream" }),
).annotations({
  description: "The file, as an attachment with a suggested name, whose extension is that of its format.",
  jsonSchema: { type: "string", format: "binary" },
});

const read = HttpApiEndpoint.get("read", "/payment-files/:id")
  .setPath(path)
  .addSuccess(Bytes)
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "list payment files",
      id: "downloadPaymentFile",
      summary: "Download a payment file",
      description:
        "The file in the format in which it was created: XML (pain.001), fixed-length text (NACHA) or CSV (Wise). A conflict after the file was discarded, and, before it is handed over, when one of its settlements no longer awaits the payment.",
    }),
  );

const handOver = HttpApiEndpoint.post("hand_over", "/payment-files/:id/hand-over")
  .setPath(path)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "hand over payment file",
      id: "handOverPaymentFile",
      summary: "Mark a payment file as handed over",
      description:
        "Call it before you give the file to the bank. A conflict when one of its settlements no longer awaits the payment.",
    }),
  );

const discard = HttpApiEndpoint.del("discard", "/payment-files/:id")
  .setPath(path)
  .setPayload(Domain.Discard)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "discard payment file",
      id: "discardPaymentFile",
      summary: "Discard a payment file",
      description:
        "For a file that the bank has not received or has refused as a whole. Its open payments fail; each settlement can then be paid again under a new reference.",
      request: { reason: "The bank refused the file" },
      refused: Example.REASON,
    }),
  );

/** A form with a statement in its part `file`. */
const StatementUpload = HttpApiSchema.Multipart(
  Schema.Struct({ file: uploadedFile("The statement: a part with a file name.") }),
);

const readStatement = HttpApiEndpoint.post("read_statement", "/bank-statements")
  .setPayload(StatementUpload)
  .addSuccess(BankStatementResult)
  .addError(BodyFailure)
  // The text, its elements and the movements in it; measured with files of 10 MiB that have nothing else.
  .annotate(MemoryTimes, 4)
  .pipe(
    extension({
      operation: "read bank statement",
      id: "readBankStatement",
      summary: "Read a bank statement",
      description:
        "Takes a camt.053, camt.054, pain.002, MT940 or MT942 message or a NACHA return file from the bank, or a ZIP archive of them. Matches bookings with payments of payment files by end-to-end id, account, amount and currency: debits confirm payments, credits return them, and a camt.053 or MT940 reconciles them. What a pain.002 rejects (the file, or single payments) fails. A NACHA return file returns payments; its notifications of change are unmatched and change nothing. Returns the counts and the unmatched bookings. The same statement again changes nothing.",
      response: {
        confirmed: 1,
        returned: 0,
        reconciled: 1,
        failed: 0,
        unmatched: [
          {
            reason: "unknown_reference",
            direction: "credit",
            end_to_end_id: null,
            amount: 4900,
            currency: "EUR",
            booking_date: "2026-03-02",
            bank_reference: "AB1027",
          },
        ],
      },
      refused: "file: is not XML",
    }),
  );

/** The operations on payment files and bank statements. */
export const PaymentFiles = HttpApiGroup.make("payment_files")
  .add(list)
  .add(create)
  .add(read)
  .add(handOver)
  .add(discard)
  .add(readStatement)
  .annotate(PlatformOpenApi.Title, "Payment files")
  .annotate(PlatformOpenApi.Description, "SEPA payments: files for the bank, and the bank's statements.");
