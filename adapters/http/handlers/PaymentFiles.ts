/** Files of payments and statements, which are not JSON. */
import { Effect } from "effect";
import type { BankStatements, PaymentFiles } from "quittance";
import { statementResult } from "../wire/PaymentFile.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** Downloads a payment file. */
export const readPaymentFile =
  (service: PaymentFiles.PaymentFiles): Handlers["payment_files"]["read"] =>
  ({ principal, path }) =>
    Effect.map(service.read(principal, path.id), ({ fileName, bytes }) => Responses.file(fileName, bytes));

/** Reads a bank statement. */
export const readStatement =
  (service: BankStatements.BankStatements): Handlers["payment_files"]["read_statement"] =>
  ({ principal, payload, options }) =>
    Effect.map(service.upload(principal, payload.file, options), (result) =>
      Responses.written(statementResult(result), 200, result.replayed),
    );
