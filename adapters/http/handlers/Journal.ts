/** The journal, and payables: pages as JSON, or the whole as a file. */
import { Effect } from "effect";
import { Journals, Payables } from "quittance";
import * as Wire from "../wire/Journal.ts";
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
    return Effect.map(service.journalStream(principal, query), ({ head, entries }) => {
      const name = Journals.fileNameOf(head);
      const body = Wire.file(format, head, entries);
      return format === "hledger"
        ? Responses.textFile(`${name}.journal`, body)
        : Responses.csv(`${name}.csv`, body);
    });
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
