/** Stores for the tests of commands: a customer with a schema, partners and formulas, and a file of sales. */

import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Expression } from "quittance/formula";
import { open } from "quittance/promise";

/** A store that sales can be imported into. */
export interface Prepared {
  readonly customerId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
}

const property = (name: string): Expression => ({ type: "property", name });

/** Dollars × quantity × 100 cents × 12 %. */
const EXPRESSION: Expression = {
  type: "multiply",
  operands: [
    property("unit_price"),
    property("quantity"),
    { type: "literal", value: { type: "number", value: 100 } },
    { type: "literal", value: { type: "percent", value: 12 } },
  ],
};

/** The formula as a file for `simulate`. */
export const FORMULA = { currency: "USD", expression: EXPRESSION };

const PROPERTIES = [
  { name: "line", type: "string", required: true },
  { name: "genre", type: "string", required: true },
  { name: "unit_price", type: "number", required: true },
  { name: "quantity", type: "number", required: true },
] as const;

/** Creates a customer with two agents who earn 12 % of each sale. */
export const prepare = async (database: string): Promise<Prepared> => {
  const quittance = await open({ database, worker: false });
  const customerId = randomUUID();
  const workspaceId = randomUUID();
  const me = quittance.as({ customerId });
  const { id: schemaId } = await me.attributionSchemas.create({
    workspaceId,
    name: "Sale",
    properties: [...PROPERTIES],
  });
  for (const name of ["Ada Lind", "Bo Marsh"]) {
    const { id: partnerId } = await me.partners.create({ name, workspaceId });
    await me.commissionFormulas.create({
      partnerId,
      schemaId,
      workspaceId,
      name: "12 %",
      currency: "USD",
      startDatetime: "2020-01-01T00:00:00Z",
      expression: EXPRESSION,
    });
  }
  await quittance.close();
  return { customerId, workspaceId, schemaId };
};

const GENRES = ["Rock", '"Jazz, cool"', "Folk"];

/** The line of a sale in the file. */
export const saleLine = (number: number): string =>
  [
    number,
    `2026-01-${String(1 + (number % 28)).padStart(2, "0")} 00:00:00`,
    number % 2 === 0 ? "Bo Marsh" : "Ada Lind",
    GENRES[number % 3],
    "1.99",
    1 + (number % 3),
  ].join(",");

export const HEADER = "line_id,invoice_date,agent,genre,unit_price,quantity";

/** Writes a file of sales and the mapping of its columns. */
export const writeSales = (folder: string, { workspaceId, schemaId }: Prepared, count: number): void => {
  const lines = Array.from({ length: count }, (_, index) => saleLine(index + 1));
  writeFileSync(join(folder, "sales.csv"), `${[HEADER, ...lines].join("\r\n")}\r\n`);
  writeFileSync(
    join(folder, "mapping.json"),
    JSON.stringify({
      workspace_id: workspaceId,
      schema_id: schemaId,
      partner_id: { column: "agent", by: "name" },
      external_reference: { column: "line_id", prefix: "line-" },
      occurred_at: { column: "invoice_date" },
      properties: {
        line: { column: "line_id" },
        genre: { column: "genre" },
        unit_price: { column: "unit_price" },
        quantity: { column: "quantity" },
      },
    }),
  );
};
