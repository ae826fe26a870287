/** The statement of a partner: as JSON, as comma-separated values or as PDF. */
import { Effect } from "effect";
import { Document, PartnerStatements, Refusal } from "quittance";
import * as Wire from "../wire/PartnerStatement.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

export const statement =
  (service: PartnerStatements.PartnerStatements): Handlers["partners"]["statement"] =>
  ({ principal, path, query: { format, ...query }, prefers }) => {
    if (prefers("text/csv"))
      return Effect.map(service.statementStream(principal, path.id, query), ({ head, entries }) =>
        Responses.csv(`${PartnerStatements.fileNameOf(head)}.csv`, Wire.csv(head, entries, format)),
      );
    if (format === "spreadsheet")
      return Effect.fail(Refusal.invalid("format", "spreadsheet is for the header Accept: text/csv"));
    if (prefers(Document.PDF))
      return Effect.map(service.statementPdf(principal, path.id, query), ({ fileName, bytes }) =>
        Responses.file(fileName, bytes, Document.PDF),
      );
    return Effect.flatMap(service.statement(principal, path.id, query), (page) =>
      Responses.listOfItems(Wire.aroundMovements(page), page.movements, Wire.movement),
    );
  };
