/** Saving files from the page. */
import type { Download } from "quittance/client";

/** Saves a file that the server has sent. */
export const saveDownload = ({ document: { fileName }, bytes }: Download): void =>
  save({ name: fileName ?? "document.bin", blob: new Blob([bytes as Uint8Array<ArrayBuffer>]) });

export const save = ({ name, blob }: { readonly name: string; readonly blob: Blob }): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
