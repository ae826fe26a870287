/** Downloading files of the server. */

import { useState } from "preact/hooks";
import type { Download } from "quittance/client";
import type { DocumentKind } from "../actions/Upload.tsx";
import type { Client } from "../api/Client.ts";
import { useSession } from "../api/Session.ts";
import { saveDownload } from "../data/Save.ts";
import { t } from "../words/Language.ts";
import { Failure } from "./Basics.tsx";
import { announce } from "./Focus.ts";

/** The formats in which the console offers a document. */
export type DocumentFormat = "pdf" | "ubl" | "xrechnung" | "cii" | "xrechnung-cii";

/** Downloads a document of a settlement, or its e-invoice in a format. */
export const downloadOf =
  (
    id: string,
    kind: DocumentKind,
    input: { readonly format?: DocumentFormat; readonly attachment?: "pdf" } = {},
  ) =>
  (remote: Client["remote"]): Promise<Download> => {
    // The methods of the kinds differ in their types alone.
    const download: (id: string, kind: DocumentKind, asked: typeof input) => Promise<Download> = remote
      .documents.download as never;
    return download(id, kind, input);
  };

/** A button that downloads a file. */
export const DownloadButton = ({
  load,
  isLink = false,
  children,
}: {
  readonly load: (remote: Client["remote"]) => Promise<Download>;
  /** True if it looks like a link. */
  readonly isLink?: boolean;
  readonly children: string;
}) => {
  const { client } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    if (isRunning) return;
    setRunning(true);
    setFailure(null);
    try {
      saveDownload(await load(client.remote));
      announce(t("{title}: downloaded.", { title: children }));
    } catch (problem) {
      setFailure(problem);
    }
    setRunning(false);
  };
  return (
    <>
      <button type="button" class={isLink ? "link left" : ""} onClick={run} aria-disabled={isRunning}>
        {isRunning ? t("Loading…") : children}
      </button>
      {failure !== null && <Failure failure={failure} retry={run} />}
    </>
  );
};
