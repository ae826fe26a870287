/** Imports sales from a CSV file: every row is checked against the schema and the partners before anything is stored. */
import { useState } from "preact/hooks";
import { checkSaleColumns, type FindPartner, type SaleOfRow, saleReader } from "../../importing/SaleRow.ts";
import type { Client } from "../api/Client.ts";
import { sendUntilKnown } from "../api/Command.ts";
import type { Partner, Schema } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { cell } from "../data/Csv.ts";
import { useLoad } from "../data/Load.ts";
import { utcDay } from "../format/Dates.ts";
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
import { Heading, LoadResult } from "../parts/Basics.tsx";
import { NoSchema } from "../sales/NoSchema.tsx";
import { SchemaChoice } from "../sales/SchemaChoice.tsx";

/** Sales of one request. */
const BATCH = 100;

/** The most partners among which those of a file are found. */
const PARTNERS_MAX = 20_000;

type Place = Pick<Schema, "id" | "workspaceId" | "properties">;

/** Finds the partners of a workspace by id or reference, else by a name that only one has. */
const finderOf = (partners: ReadonlyArray<Partner>): FindPartner => {
  const ids = new Map(
    partners.flatMap(({ id, externalReference }) => [
      [id, id],
      [externalReference ?? id, id],
    ]),
  );
  const names = new Map<string, Array<string>>();
  for (const { id, name } of partners) names.set(name, [...(names.get(name) ?? []), id]);
  return (text) => {
    if (text === "") return { problem: "is empty" };
    const id = ids.get(text);
    if (id !== undefined) return { id };
    const [named, ...others] = names.get(text) ?? [];
    if (named === undefined) return { problem: `there is no partner "${text}" in this workspace` };
    return others.length === 0
      ? { id: named }
      : { problem: `several are called "${text}": state the reference` };
  };
};

/** The partners of a workspace: finding them, and one as a file names it. */
const readPartners = async (client: Client, workspaceId: string, signal: AbortSignal) => {
  const query = { workspaceIds: [workspaceId] };
  const partners = workspaceId === "" ? [] : await client.every("partners", query, PARTNERS_MAX, signal);
  const [first] = partners;
  return { find: finderOf(partners), example: first?.externalReference ?? first?.name ?? "Nordlys ApS" };
};

/** Sends rows in batches, in the order of the file; `one` returns the results of a batch. */
const inBatches =
  (
    one: (rows: Parameters<Send<SaleOfRow>>[0], client: Client) => Promise<ReadonlyArray<RowResult>>,
  ): Send<SaleOfRow> =>
  async (rows, { client, show, signal }) => {
    const found = new Map<string, RowResult>();
    for (let from = 0; from < rows.length && !signal.aborted; from += BATCH) {
      const some = rows.slice(from, from + BATCH);
      const results = await one(some, client);
      for (const [index, { line }] of some.entries()) found.set(line, results[index] ?? NOT_KNOWN);
      show(() => new Map(found));
    }
  };

/** Which order numbers the schema has already: such a sale stays as it is. */
const checkSales = ({ id: schemaId }: Place): Send<SaleOfRow> =>
  inBatches(async (rows, client) => {
    const externalReferences = rows.map(({ item }) => item.externalReference);
    const found = await client.every("attributions", { externalReferences }, Number.POSITIVE_INFINITY);
    const own = found.filter((sale) => sale.schemaId === schemaId);
    const there = new Set(own.map(({ externalReference }) => externalReference));
    return rows.map(({ item }) => ({
      kind: there.has(item.externalReference) ? "existing" : "new",
      words: "",
    }));
  });

const storeSales = ({ id: schemaId, workspaceId }: Place): Send<SaleOfRow> =>
  inBatches(async (rows, client) => {
    let results: ReadonlyArray<RowResult> = rows.map(() => NOT_KNOWN);
    const attributions = rows.map(({ item }) => ({ ...item, schemaId, workspaceId }));
    await sendUntilKnown(
      (commands) => commands.attributions.createBatch({ mode: "independent", attributions }),
      client.commands(),
      {
        show: (progress) => {
          if (progress.type === "refused")
            results = rows.map(() => ({ kind: "problem", words: refusalWords(progress.failure) }));
          if (progress.type === "done")
            results = progress.result.results.map((result) =>
              "id" in result
                ? { kind: "stored", words: "" }
                : { kind: "problem", words: result.message.replace(/^properties\./, "") },
            );
        },
        // A request that was sent is waited for, so that its rows have results.
        signal: new AbortController().signal,
      },
    );
    return results;
  });

const importerOf = (schema: Place, findPartner: FindPartner): Importer<SaleOfRow> => ({
  noun: "sale",
  titles: { name: "Partner", reference: "Order" },
  list: { link: "#/sales", words: "To the sales" },
  columnsOf: (titles) => checkSaleColumns(titles, schema.properties),
  readerOf: (titles) => {
    const read = saleReader(titles, schema.properties, findPartner, Date.now());
    return (row) => {
      const { reference, partner, sale, problem } = read(row);
      return { name: partner, reference, item: sale, problem };
    };
  },
  check: checkSales(schema),
  store: storeSales(schema),
});

/** A file as it could be, with the properties of the schema and a partner that exists. */
const exampleOf = ({ properties }: Place, partner: string): string => {
  const values = { number: "199.5", string: "north", boolean: "yes" };
  return [
    ["external_reference", "partner", "date", ...properties.map(({ name }) => name)].join(","),
    ["order-1", cell(partner), utcDay(Date.now()), ...properties.map(({ type }) => values[type])].join(","),
  ].join("\n");
};

const ImportInto = ({ schemas }: { readonly schemas: ReadonlyArray<Schema> }) => {
  const { client } = useSession();
  const [chosen, setChosen] = useState<string | null>(null);
  const importing = useImport<SaleOfRow>();
  const schema = schemas.find(({ id }) => id === chosen) ?? schemas[0];
  const workspaceId = schema?.workspaceId ?? "";
  const partners = useLoad(`partners of ${workspaceId}`, (signal) =>
    readPartners(client, workspaceId, signal),
  );
  if (schema === undefined) return <NoSchema />;
  return (
    <>
      <section class="panel">
        <p>
          A CSV file whose first line has the names of the columns. Two are needed:{" "}
          <code>external_reference</code> (the order number) and <code>partner</code> (its name, reference or
          id). Every row is checked before anything is stored.
        </p>
        <SchemaChoice schemas={schemas} value={schema.id} change={setChosen} />
        <LoadResult loaded={partners} lines={1} what="Reading the partners">
          {({ find, example }) => (
            <>
              <ImportFile
                problem={importing.problem}
                isDisabled={importing.isBusy}
                choose={(file) => importing.choose(file, importerOf(schema, find))}
              />
              <pre class="secret">{exampleOf(schema, example)}</pre>
            </>
          )}
        </LoadResult>
        <Columns
          names={["external_reference", "partner", "date", ...schema.properties.map(({ name }) => name)]}
        >
          <p class="note">
            A date is a day or a moment with its offset; a row without one is of now. Sales are stored in the
            order of the file.
          </p>
        </Columns>
        <p class="note">
          You can import the same file again, such as after an interruption: orders that exist already are
          left as they are.
        </p>
      </section>
      <ImportProgress importing={importing} />
    </>
  );
};

export const ImportSales = () => {
  const { client, signOut } = useSession();
  const loaded = useLoad("schemas", (signal) => client.list("attributionSchemas", { perPage: 100 }, signal));
  return (
    <>
      <Heading above={<a href="#/sales">Sales</a>} title="Import sales" />
      <LoadResult loaded={loaded} lines={5} what="Reading what a sale has" signOut={signOut}>
        {({ items }) => <ImportInto schemas={items} />}
      </LoadResult>
    </>
  );
};
