/** The e-invoice of a document in every format, and the reason in words where the server refuses one. */
import { useState } from "preact/hooks";
import { type Download, QuittanceError } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { Settlement } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { linkTo } from "../data/Route.ts";
import { saveDownload } from "../data/Save.ts";
import {
  type EInvoiceReader,
  type EInvoiceReason,
  eInvoiceReasons,
  PAYEE_E_INVOICES,
  TEAM_E_INVOICES,
} from "../words/EInvoiceWords.ts";
import { type Text, t } from "../words/Language.ts";
import { Failure } from "./Basics.tsx";
import { type DocumentFormat, downloadOf } from "./Download.tsx";
import { announce } from "./Focus.ts";

type Kind = "invoice" | "credit_note";

const WORDS: Readonly<Record<Kind, { readonly formats: Text; readonly without: Text }>> = {
  invoice: {
    formats: "Invoice as an e-invoice",
    without: "The invoice was issued without an e-invoice",
  },
  credit_note: {
    formats: "Credit note as an e-invoice",
    without: "The credit note was issued without an e-invoice",
  },
};

const FORMATS = [
  ["pdf", "PDF with the e-invoice inside (Factur-X)"],
  ["ubl", "XML for Peppol (UBL)"],
  ["xrechnung", "XML for XRechnung (UBL)"],
  ["cii", "XML after EN 16931 (CII)"],
  ["xrechnung-cii", "XML for XRechnung (CII)"],
] as const satisfies ReadonlyArray<readonly [DocumentFormat, Text]>;

/** The e-invoice of a document. The PDF contains it only where it exists, which its download in CII shows. */
const read = async (
  remote: Client["remote"],
  id: string,
  kind: Kind,
  asked: { readonly format: DocumentFormat; readonly hasPdf: boolean },
): Promise<Download> => {
  const { format, hasPdf } = asked;
  if (format === "pdf") await downloadOf(id, kind, { format: "cii" })(remote);
  const isWhole = hasPdf && format !== "pdf";
  return downloadOf(id, kind, { format, ...(isWhole ? { attachment: "pdf" } : {}) })(remote);
};

const LINKS = { partner: "Change the partner", company: "Change your company" } as const;

const Reasons = ({
  title,
  isAlert = false,
  reasons,
  partnerId,
}: {
  readonly title: string;
  /** True where it answers a click. */
  readonly isAlert?: boolean;
  readonly reasons: ReadonlyArray<EInvoiceReason>;
  readonly partnerId: string;
}) => (
  <div class="notice wait" role={isAlert ? "alert" : undefined}>
    <strong>{title}</strong>
    <ul>
      {reasons.map(({ text, at }) => (
        <li key={text}>
          {text}{" "}
          {at !== null && (
            <a href={linkTo(at === "partner" ? `partners/${partnerId}` : "company")}>{LINKS[at]}</a>
          )}
        </li>
      ))}
    </ul>
    {reasons.some(({ at }) => at !== null) && (
      <p>A document that exists stays as it is: what you change is stated by the next ones.</p>
    )}
  </div>
);

interface OfDocument {
  readonly settlement: Pick<Settlement, "id" | "partnerId" | "eInvoiceProblems">;
  readonly kind: Kind;
}

/** What is said of reasons to the team or to the partner. */
const useReader = (): EInvoiceReader =>
  useSession().principal.kind === "partner" ? PAYEE_E_INVOICES : TEAM_E_INVOICES;

/** The e-invoice of a document in each format, or the reasons why it was issued without one. */
export const EInvoices = ({ settlement, kind }: OfDocument) => {
  const reader = useReader();
  const problems = settlement.eInvoiceProblems.filter((problem) => problem.kind === kind);
  return problems.length === 0 ? (
    <Formats settlement={settlement} kind={kind} />
  ) : (
    <Reasons
      title={t(WORDS[kind].without)}
      reasons={problems.map(reader.ofRule)}
      partnerId={settlement.partnerId}
    />
  );
};

const Formats = ({ settlement: { id, partnerId }, kind }: OfDocument) => {
  const { client } = useSession();
  const reader = useReader();
  const [failure, setFailure] = useState<{
    readonly format: DocumentFormat;
    readonly problem: unknown;
  } | null>(null);
  const [running, setRunning] = useState<DocumentFormat | null>(null);
  const [hasPdf, setHasPdf] = useState(false);
  const load = async (format: DocumentFormat, words: Text): Promise<void> => {
    if (running !== null) return;
    setRunning(format);
    setFailure(null);
    try {
      saveDownload(await read(client.remote, id, kind, { format, hasPdf }));
      announce(t("{title}: downloaded.", { title: t(words) }));
    } catch (problem) {
      setFailure({ format, problem });
    }
    setRunning(null);
  };
  const problem = failure?.problem;
  return (
    <details class="formats">
      <summary>{t(WORDS[kind].formats)}</summary>
      <label class="check">
        <input
          type="checkbox"
          checked={hasPdf}
          onChange={({ currentTarget }) => setHasPdf(currentTarget.checked)}
        />
        {t("XML with the PDF inside")}
      </label>
      <div class="row">
        {FORMATS.map(([format, words]) => (
          <button
            key={format}
            type="button"
            aria-disabled={running !== null}
            onClick={() => load(format, words)}
          >
            {running === format ? t("Loading…") : t(words)}
          </button>
        ))}
      </div>
      {failure !== null &&
        (problem instanceof QuittanceError && problem.token === "e_invoice_unavailable" ? (
          <Reasons
            title={t("There is no e-invoice of this format")}
            isAlert
            reasons={eInvoiceReasons(reader, problem.message)}
            partnerId={partnerId}
          />
        ) : (
          <Failure
            failure={problem}
            retry={() => {
              const [, words] = FORMATS.find(([one]) => one === failure.format) ?? FORMATS[0];
              void load(failure.format, words);
            }}
          />
        ))}
    </details>
  );
};
