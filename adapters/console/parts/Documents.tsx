/** The documents of a settlement, and what is said about it: loaded with the page of a settlement alone. */
import type { Settlement } from "../api/Records.ts";
import { t } from "../words/Language.ts";
import { DownloadButton, downloadOf } from "./Download.tsx";
import { EInvoices } from "./EInvoices.tsx";

export { Comments } from "./Comments.tsx";

const DOCUMENTS = [
  { kind: "report", words: "Report", reference: "reportReference", number: "reportNumber" },
  { kind: "invoice", words: "Invoice", reference: "invoiceReference", number: "invoiceNumber" },
  {
    kind: "credit_note",
    words: "Credit note",
    reference: "creditNoteReference",
    number: "creditNoteNumber",
  },
] as const;

export const Documents = ({ settlement }: { readonly settlement: Settlement }) => {
  const linked = DOCUMENTS.filter(({ reference }) => settlement[reference] !== null);
  // Only documents that this service issues have an e-invoice.
  const isIssued = settlement.billingMode === "self_billing";
  return (
    <>
      <h2 class="only-on-screen">{t("Documents")}</h2>
      <div class="row">
        {linked.map(({ kind, words, number }) => (
          <DownloadButton key={kind} load={downloadOf(settlement.id, kind)}>
            {`${t(words)}${settlement[number] === null ? "" : ` ${settlement[number]}`}`}
          </DownloadButton>
        ))}
        <DownloadButton
          load={(remote) => remote.settlements.export(settlement.id, { format: "spreadsheet" })}
        >
          {t("Lines as CSV")}
        </DownloadButton>
      </div>
      {isIssued &&
        linked.map(
          ({ kind }) => kind !== "report" && <EInvoices key={kind} settlement={settlement} kind={kind} />,
        )}
    </>
  );
};
