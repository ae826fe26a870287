/** What the specifications that e-invoices follow demand differently. */
import { TYPE_CODES } from "./Codes.ts";
import type { EInvoice } from "./EInvoice.ts";

/** A specification of e-invoices, in either syntax. */
export interface Specification {
  /** Its identifier (BT-24). */
  readonly customization: string;
  /** The business process (BT-23); null where the specification has none. */
  readonly profile: string | null;
  readonly typeCodes: Readonly<Record<EInvoice["kind"], string>>;
  /** True if how to pay is stated also where nothing is to be paid to an account. */
  readonly alwaysHasPaymentMeans: boolean;
}

/** Peppol BIS Self-Billing 3.0: what is stored. */
export const SELF_BILLING: Specification = {
  customization: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0",
  profile: "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0",
  typeCodes: TYPE_CODES,
  alwaysHasPaymentMeans: false,
};

/** EN 16931 itself. */
export const CORE: Specification = {
  customization: "urn:cen.eu:en16931:2017",
  profile: null,
  typeCodes: TYPE_CODES,
  alwaysHasPaymentMeans: false,
};

/** XRechnung 3.0. It has no code for a self-billed credit note (BR-DE-17), and always states how to pay (BR-DE-1). */
export const XRECHNUNG: Specification = {
  customization: "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
  profile: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
  typeCodes: { ...TYPE_CODES, credit_note: "381" },
  alwaysHasPaymentMeans: true,
};

/** UNTDID 4461: no instrument is stated. */
export const NOT_DEFINED = "1";
