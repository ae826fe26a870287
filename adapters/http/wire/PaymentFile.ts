/** Payment files and bank statements on the wire. */
import { type BankStatements, PaymentFile, type PaymentFiles, type Storage } from "quittance";
import * as Contract from "../api/PaymentFiles.ts";
import { recordWriter } from "./Encoding.ts";

/** A payment file in a list. */
export const paymentFile = recordWriter<Storage.Listed["paymentFile"]>()(Contract.PaymentFile, {
  debtor: [{}],
  currency: (row) => PaymentFile.currencyOf(row),
});

/** A file that was created. */
export const createdFile = recordWriter<PaymentFiles.CreatedFile>()(Contract.CreatedPaymentFile, {
  left_out: [{}],
});

/** What a statement changed. */
export const statementResult = recordWriter<BankStatements.StatementResult>()(Contract.BankStatementResult, {
  unmatched: [{}],
});
