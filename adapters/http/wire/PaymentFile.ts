/** Payment files and bank statements on the wire. */
import type { BankStatements, Storage } from "quittance";
import * as Contract from "../api/PaymentFiles.ts";
import { recordWriter } from "./Encoding.ts";
import { createdAt, formatOrNull } from "./Entry.ts";

/** A payment file in a list. */
export const paymentFile = recordWriter<Storage.Listed["paymentFile"]>()(Contract.PaymentFile, {
  debtor: [{}],
  created_at: createdAt,
  handed_over_at: (row) => formatOrNull(row.handedOverAt),
  discarded_at: (row) => formatOrNull(row.discardedAt),
});

/** What a statement changed. */
export const statementResult = recordWriter<BankStatements.StatementResult>()(Contract.BankStatementResult, {
  unmatched: [{}],
});
