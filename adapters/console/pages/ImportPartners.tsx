import type { CreatePartner, PartnerDryRun } from "quittance/client";
import { checkColumns, inColumns, PARTNER_COLUMNS, partnerReader } from "../../importing/PartnerRow.ts";
import type { Progress } from "../api/Command.ts";
import { sentence } from "../api/Refusal.ts";
import {
  Columns,
  type Importer,
  ImportFile,
  ImportProgress,
  NOT_KNOWN,
  type RowResult,
  refusalWords,
  type Send,
  useImport,
} from "../importing/Importing.tsx";
import { WorkspaceChoice } from "../partners/PartnerForm.tsx";
import { Heading } from "../parts/Basics.tsx";
import { sendInTurn } from "../settling/InTurn.ts";
import { useWorkspace } from "../settling/Workspaces.ts";

/** Requests that are under way at once. */
const LANES = 6;

/** A request with the names of fields that the client takes. */
const camel = (value: unknown): unknown =>
  Array.isArray(value) || typeof value !== "object" || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          camel(inner),
        ]),
      );

/** What the check of a row has found. */
const checked = (result: unknown): RowResult => {
  const { existingId, doubts } = result as PartnerDryRun;
  if (existingId !== null) return { kind: "existing", words: "" };
  return doubts.length === 0
    ? { kind: "new", words: "" }
    : { kind: "doubt", words: doubts.map(({ message }) => sentence(message)).join(" ") };
};

const resultOf = (progress: Progress<unknown>, dryRun: boolean): RowResult => {
  switch (progress.type) {
    case "refused":
      return { kind: "problem", words: inColumns(refusalWords(progress.failure)) };
    case "done":
      return dryRun ? checked(progress.result) : { kind: "stored", words: "" };
    default:
      return NOT_KNOWN;
  }
};

const sendPartners =
  (dryRun: boolean): Send<CreatePartner> =>
  async (rows, { client, show, signal }) => {
    const partners = new Map(rows.map(({ line, item }) => [line, item]));
    await sendInTurn(
      [...partners.keys()],
      (commands, line) =>
        commands.partners.create({
          ...(partners.get(line) as CreatePartner),
          ...(dryRun ? { dryRun } : {}),
        }),
      {
        ...{ client, signal, lanes: LANES },
        show: (results) =>
          show(() => new Map([...results].map(([line, progress]) => [line, resultOf(progress, dryRun)]))),
      },
    );
  };

const importerOf = (workspaceId: string): Importer<CreatePartner> => ({
  noun: "partner",
  titles: { name: "Name", reference: "Reference" },
  list: { link: "#/partners", words: "To the partners" },
  columnsOf: checkColumns,
  readerOf: (titles) => {
    const read = partnerReader(titles, workspaceId);
    return (row) => {
      const found = read(row);
      const body: Readonly<Record<string, unknown>> = "body" in found ? found.body : {};
      return {
        ...{ name: String(body.name ?? ""), reference: String(body.external_reference ?? "") },
        item: "body" in found ? (camel(body) as CreatePartner) : null,
        problem: "problem" in found ? found.problem : "",
      };
    };
  },
  check: sendPartners(true),
  store: sendPartners(false),
});

const EXAMPLE = `name,external_reference,email
Nordlys ApS,partner-1,billing@nordlys.example`;

export const ImportPartners = () => {
  const workspace = useWorkspace();
  const importing = useImport<CreatePartner>();
  return (
    <>
      <Heading above={<a href="#/partners">Partners</a>} title="Import partners" />
      <section class="panel">
        <p>
          A CSV file whose first line has the names of the columns. <code>name</code> and{" "}
          <code>external_reference</code>, the partner's reference in your own system, are needed. Every row
          is checked before anything is stored.
        </p>
        <WorkspaceChoice
          workspaces={workspace.workspaces ?? []}
          value={workspace.id}
          change={workspace.choose}
        />
        <ImportFile
          problem={importing.problem}
          isDisabled={importing.isBusy || workspace.workspaces === null}
          choose={(file) => importing.choose(file, importerOf(workspace.id))}
        />
        <pre class="secret">{EXAMPLE}</pre>
        <Columns names={PARTNER_COLUMNS}>
          <p class="note">
            A row with a legal_name is billed by us. tax_rate is in percent; tags have | between them.
          </p>
        </Columns>
        <p class="note">
          You can import the same file again, such as after an interruption: partners whose reference exists
          already are left as they are.
        </p>
      </section>
      <ImportProgress importing={importing} />
    </>
  );
};
