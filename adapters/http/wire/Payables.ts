/** Payables and accruals on the wire, as JSON and as comma-separated values. */
import type { Stream } from "effect";
import { Currency, type Payables, PayablesReport, Timestamp } from "quittance";
import * as Contract from "../api/Journal.ts";
import * as Csv from "./Csv.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";

/** A row of the report. */
export const row = recordWriter<PayablesReport.Row>()(Contract.PayablesRow, {});

/** The text before and after the rows of a page. */
export const aroundRows = textAround(
  recordWriter<Payables.PayablesPage>()(Contract.PayablesPage, {
    rows: GAP,
  }),
);

/** The columns of the figures: those of the contract, which come after whose they are. */
const COLUMNS = Object.keys(Contract.PayablesRow.fields).slice(4);

const HEADER = `at,currency,partner_id,partner_name,workspace_id,${COLUMNS.join(",")}\r\n`;

/** The rows as a file: amounts with the decimals of their currency. */
export const file = <E>(
  format: Csv.CsvFormat,
  { at }: Payables.PayablesHead,
  rows: Stream.Stream<PayablesReport.Row, E>,
): Stream.Stream<Uint8Array, E> => {
  const line = (figures: PayablesReport.Row): string =>
    `${[
      ...[Timestamp.format(at), figures.currency, figures.partnerId ?? ""],
      ...[Csv.cell(figures.partnerName ?? ""), figures.workspaceId ?? ""],
      ...PayablesReport.FIGURES.map((name) => Currency.formatAmount(figures[name], figures.currency)),
    ].join(",")}\r\n`;
  return Csv.file(HEADER, rows, line, { format });
};
