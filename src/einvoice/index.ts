/** E-invoices in UBL 2.1 after EN 16931 and Peppol BIS Self-Billing 3.0: what they state, which rules it breaks, the XML. */
export { type Content, type EInvoice, make, type Replacement, type Seller } from "./EInvoice.ts";
export { problemsOf } from "./Rules.ts";
export { write } from "./Ubl.ts";
