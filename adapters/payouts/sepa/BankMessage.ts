/** The messages of banks: statements (camt.053, camt.054, MT940, MT942), status reports (pain.002) and returns (NACHA). */
import { Effect } from "effect";
import { type PaymentFile, Refusal } from "quittance";
import * as NachaReturns from "../files/NachaReturns.ts";
import * as Camt from "./Camt.ts";
import * as Mt940 from "./Mt940.ts";
import * as Pain002 from "./Pain002.ts";
import { read as readXml } from "./Xml.ts";

const NEEDED: ReadonlySet<string> = new Set([...Camt.NEEDED, ...Pain002.NEEDED]);

const UNKNOWN = Refusal.invalid(
  "file",
  "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
);

/** What a message says about payments. */
export const read = (bytes: Uint8Array): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> => {
  if (Mt940.isMt940(bytes)) return Mt940.read(bytes);
  if (NachaReturns.isNacha(bytes)) return NachaReturns.read(bytes);
  return Effect.flatMap(readXml(bytes, NEEDED), (document) =>
    document.name === "Document" ? (Camt.read(document) ?? Pain002.read(document) ?? UNKNOWN) : UNKNOWN,
  );
};
