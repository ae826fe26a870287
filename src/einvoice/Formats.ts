/** The formats of e-invoices: how each is written of the stored document, and what it requires beyond the rules of all. */
import type { EInvoiceProblem } from "../domain/Document.ts";
import * as Cii from "./Cii.ts";
import type { EInvoice } from "./EInvoice.ts";
import { XRECHNUNG } from "./Specification.ts";
import * as Ubl from "./Ubl.ts";

interface Format {
  readonly write: (invoice: EInvoice) => Uint8Array;
  /** Rules of this format alone. */
  readonly problemsOf: (invoice: EInvoice) => ReadonlyArray<EInvoiceProblem>;
}

const noProblems = () => [];

/** XRechnung requires a contact of the seller; the writer keeps its other rules. */
const contactProblems = ({ seller }: EInvoice): ReadonlyArray<EInvoiceProblem> =>
  seller.contact === null
    ? [
        {
          rule: "BR-DE-2",
          field: "partner.self_billing_data.contact",
          message: "is required by XRechnung, and was not stated when the document was issued",
        },
      ]
    : [];

/** Every format by its name in requests. */
export const FORMATS = {
  ubl: { write: (invoice) => Ubl.write(invoice), problemsOf: noProblems },
  cii: { write: (invoice) => Cii.write(invoice), problemsOf: noProblems },
  xrechnung: { write: (invoice) => Ubl.write(invoice, XRECHNUNG), problemsOf: contactProblems },
  "xrechnung-cii": { write: (invoice) => Cii.write(invoice, XRECHNUNG), problemsOf: contactProblems },
} as const satisfies Readonly<Record<string, Format>>;

/** The name of a format: UBL for Peppol BIS Self-Billing 3.0, CII after EN 16931, or either for XRechnung 3.0. */
export type FormatName = keyof typeof FORMATS;
