/**
 * E-invoices after EN 16931: what they state, which rules it breaks, and the XML in UBL 2.1 for Peppol BIS Self-Billing 3.0
 * and XRechnung, and in the Cross Industry Invoice of UN/CEFACT.
 */
export { write as writeCii } from "./Cii.ts";
export {
  type Attachment,
  type Content,
  type EInvoice,
  make,
  type Replacement,
  type Seller,
} from "./EInvoice.ts";
export { FORMATS, type FormatName } from "./Formats.ts";
export { read } from "./ReadUbl.ts";
export { problemsOf } from "./Rules.ts";
export { write } from "./Ubl.ts";
