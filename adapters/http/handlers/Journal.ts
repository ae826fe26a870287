/** The journal, and payables: pages as JSON, or the whole as a file. */
import { Effect } from "effect";
import { Journals, Payables } from "quittance";
import { FORMS, file } from "../wire/journal/Forms.ts";
import * as Wire from "../wire/journal/Journal.ts";
import * as PayablesWire from "../wire/Payables.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

export const readJournal =
  (service: Journals.Journals): Handlers["journal"]["read"] =>
  ({ principal, query: { format: asked, ...query }, prefers }) => {
    const format = asked ?? (prefers("text/csv") ? "csv" : prefers("text/plain") ? "hledger" : "json");
    if (format === "json")
      return Effect.flatMap(service.journal(principal, query), (page) =>
        Responses.listOfItems(Wire.aroundEntries(page), page.entries, Wire.entry),
      );
    const form = FORMS[format];
    return Effect.map(service.journalStream(principal, query, format), ({ head, entries }) =>
      Responses.textFile(form.fileName(Journals.fileNameOf(head)), file(form, head, entries), form.mediaType),
    );
  };

export const readPayables =
  (service: Payables.Payables): Handlers["journal"]["payables"] =>
  ({ principal, query: { format: asked, ...query }, prefers }) => {
    const format = asked ?? (prefers("text/csv") ? "csv" : "json");
    if (format === "json")
      return Effect.flatMap(service.payables(principal, query), (page) =>
        Responses.listOfItems(PayablesWire.aroundRows(page), page.rows, PayablesWire.row),
      );
    return Effect.map(service.payablesStream(principal, query), ({ head, rows }) =>
      Responses.csv(`${Payables.fileNameOf(head)}.csv`, PayablesWire.file(format, head, rows)),
    );
  };
