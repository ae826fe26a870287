/** The files of a message: choosing them, sending them before the message that names them, and those that messages have. */

import { InvalidError, QuittanceError } from "quittance/client";
import type { Commands } from "../api/Client.ts";
import type { LogEvent, Settlement } from "../api/Records.ts";
import { FieldProblem } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { sizeWords } from "../format/Sizes.ts";
import { t } from "../words/Language.ts";
import { Field } from "./Basics.tsx";
import type { ProblemOf } from "./Dialog.tsx";
import { DownloadButton } from "./Download.tsx";

const NAME = "files";

/** The field of a form for the files of its message; they are chosen, or dropped on it. Some may resolve a dispute, and send no files. */
export const Files = ({ problemOf }: { readonly problemOf: ProblemOf }) => {
  const { principal } = useSession();
  return principal.scopes.includes("settlements:write") ? (
    <Field
      label="Files (optional)"
      hint="Up to 5 PDF, PNG or JPEG files of up to 10 MiB each. Choose them or drop them here."
      problem={problemOf(NAME)}
    >
      <input name={NAME} type="file" multiple accept=".pdf,.png,.jpg,.jpeg" />
    </Field>
  ) : null;
};

/** The ids of files that were sent: a message that is refused names them when it is sent again. */
const sent = new WeakMap<File, string>();

/** What is wrong with a file that the server has refused; null where the file is not the reason. */
const problemWith = ({ name, size }: File, failure: unknown): FieldProblem | null => {
  if (failure instanceof QuittanceError && failure.status === 413)
    return new FieldProblem(NAME, t("{name} is too large.", { name }));
  if (!(failure instanceof InvalidError) || !failure.message.startsWith("file:")) return null;
  const words =
    size === 0
      ? t("{name} is empty.", { name })
      : /bytes$/.test(failure.message)
        ? t("{name} is too large.", { name })
        : t("{name} is not a PDF, PNG or JPEG file.", { name });
  return new FieldProblem(NAME, words);
};

const sendFile = async (commands: Commands, id: string, file: File, index: number): Promise<string> => {
  try {
    const { id: attachmentId } = await commands
      .part(index)
      .documents.attach(id, { fileName: file.name, bytes: file });
    return attachmentId;
  } catch (failure) {
    throw problemWith(file, failure) ?? failure;
  }
};

/** Sends the files of a form to a settlement; returns what its message says of them. */
export const sendFiles = async (
  commands: Commands,
  { id }: Pick<Settlement, "id">,
  fields: FormData,
): Promise<{ readonly attachmentIds?: ReadonlyArray<string> }> => {
  // A field without a file has one without a name.
  const files = fields.getAll(NAME).filter((file) => file instanceof File && file.name !== "") as Array<File>;
  if (files.length > 5) throw new FieldProblem(NAME, t("Choose at most 5 files."));
  const attachmentIds: Array<string> = [];
  for (const [index, file] of files.entries()) {
    const attachmentId = sent.get(file) ?? (await sendFile(commands, id, file, index));
    sent.set(file, attachmentId);
    attachmentIds.push(attachmentId);
  }
  return attachmentIds.length === 0 ? {} : { attachmentIds };
};

/** The files of a message, each to download. */
export const Attachments = ({ id, event }: { readonly id: string; readonly event: LogEvent }) => {
  const files = "attachments" in event ? (event.attachments ?? []) : [];
  return files.length === 0 ? null : (
    <span class="files">
      {files.map((file) => (
        <DownloadButton
          key={file.id}
          isLink
          load={(remote) => remote.documents.downloadAttachment(id, file.id)}
        >
          {`${file.file_name} (${sizeWords(file.byte_length)})`}
        </DownloadButton>
      ))}
    </span>
  );
};
