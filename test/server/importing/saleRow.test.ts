/** Reading sales from the rows of a CSV file, as the console imports them. */
import { describe, expect, it } from "vitest";
import { csvRows } from "../../../adapters/importing/Csv.ts";
import { checkSaleColumns, type SaleProperty, saleReader } from "../../../adapters/importing/SaleRow.ts";

const NOW = Date.parse("2026-11-29T09:00:00Z");

const PROPERTIES: ReadonlyArray<SaleProperty> = [
  { name: "order_value", type: "number", required: true },
  { name: "category", type: "string", required: false },
  { name: "new", type: "boolean", required: true, default: false },
  { name: "date", type: "string", required: false },
];

const findPartner = (text: string) =>
  text === "Nordlys" ? { id: "p-1" } : { problem: `there is no partner "${text}" in this workspace` };

const readAll = async (text: string) => {
  let titles: ReadonlyArray<string> = [];
  const chunks = (async function* () {
    yield text;
  })();
  const found = [];
  let read: ReturnType<typeof saleReader> | null = null;
  for await (const rows of csvRows(chunks, (columns) => {
    titles = columns;
  }))
    for (const row of rows) {
      read ??= saleReader(titles, PROPERTIES, findPartner, NOW);
      found.push(read(row));
    }
  return found;
};

const one = async (titles: string, cells: string) => {
  const [found] = await readAll(`order,partner,order value,${titles}\nA-1,Nordlys,10,${cells}\n`);
  return found?.sale ?? found?.problem;
};

describe("the columns of a file of sales", () => {
  it("are fields and properties by their names, in any case and with spaces", () => {
    expect(checkSaleColumns(["Order number", "Partner", "Order Value", "Colour"], PROPERTIES)).toEqual({
      ...{ missing: [], unknown: ["Colour"] },
    });
    expect(checkSaleColumns(["category"], PROPERTIES)).toEqual({
      ...{ missing: ["external_reference", "partner", "order_value"], unknown: [] },
    });
  });

  it("with the name of a field are that field, and of the property behind its prefix", async () => {
    expect(await one("date,properties.date", "2026-01-31,spring")).toMatchObject({
      ...{ occurredOn: "2026-01-31", properties: { order_value: 10, date: "spring" } },
    });
  });
});

describe("a row", () => {
  it("is a sale with the values of its cells; what is empty is not stated", async () => {
    const text =
      "external_reference,partner,order_value,category,new\nA-1,Nordlys,0012.50,,yes\nA-2,Nordlys,-7,x,\n";
    const [first, second] = await readAll(text);
    expect(first?.sale).toEqual({
      ...{ externalReference: "A-1", partnerId: "p-1", properties: { order_value: 12.5, new: true } },
    });
    expect(second?.sale?.properties).toEqual({ order_value: -7, category: "x" });
  });

  it.each([
    ["2026-01-31", { occurredAt: "2026-01-31T12:00:00.000Z", occurredOn: "2026-01-31" }],
    // The noon of today is still to come.
    ["2026-11-29", { occurredAt: "2026-11-29T00:00:00.000Z", occurredOn: "2026-11-29" }],
    ["2026-01-31T23:30:00+02:00", { occurredAt: "2026-01-31T21:30:00.000Z" }],
  ])("of %s counts for that day", async (date, expected) => {
    expect(await one("date", date)).toMatchObject(expected);
  });

  it.each([
    [
      "date",
      "2026-02-30",
      'date: must be a day such as 2026-01-31, or a moment such as 2026-01-31T12:00:00Z, not "2026-02-30"',
    ],
    ["date", "31.01.2026", expect.stringContaining("date: must be a day")],
    ["date", "2026-01-31T10:00", expect.stringContaining("date: must be a day")],
    ["new", "maybe", 'new: must be yes or no, not "maybe"'],
  ])("with the %s %s is wrong", async (title, cell, problem) => {
    expect(await one(title, cell)).toEqual(problem);
  });

  it("is wrong with a number that could be read in two ways or not be stored exactly, and without its needs", async () => {
    const rows = [
      'A,Nordlys,"1,5"',
      "B,Nordlys,1234567890123456",
      "C,Nordlys,",
      "D,Otso,1",
      ",Nordlys,1",
      "A,Nordlys,1",
    ];
    const found = await readAll(`order,partner,order_value\n${rows.join("\n")}\nE,Nordlys\n`);
    expect(found.map(({ problem }) => problem)).toEqual([
      'order_value: must be a number with a decimal point, such as 1234.5, not "1,5"',
      'order_value: has too many digits: "1234567890123456"',
      "order_value: is empty",
      'partner: there is no partner "Otso" in this workspace',
      "external_reference: is empty",
      "external_reference: is that of line 2",
      "it has 2 cells, the header has 3",
    ]);
  });
});
