/** The operations on payment files and bank statements. */
import { Effect } from "effect";
import type { BankStatements, PaymentFiles } from "quittance";
import { paymentFile, statementResult } from "../wire/PaymentFile.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("payment_files", paymentFile);

/** The handlers of the operations of this group; each calls its service. */
export const paymentFiles = (
  files: PaymentFiles.PaymentFiles,
  statements: BankStatements.BankStatements,
): Handlers["payment_files"] => ({
  list: ({ principal, query }) => Effect.flatMap(files.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(files.create(principal, payload, options), Responses.createdRecord),
  read: ({ principal, path }) =>
    Effect.map(files.read(principal, path.id), ({ fileName, mediaType, bytes }) =>
      Responses.file(fileName, bytes, mediaType),
    ),
  hand_over: ({ principal, path, options }) =>
    Effect.map(files.handOver(principal, path.id, options), Responses.emptyBody),
  discard: ({ principal, path, payload, options }) =>
    Effect.map(files.discard(principal, path.id, payload, options), Responses.emptyBody),
  read_statement: ({ principal, payload, options }) =>
    Effect.map(statements.upload(principal, payload.file, options), (result) =>
      Responses.commandResult(statementResult(result), result.replayed),
    ),
});
