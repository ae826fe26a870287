/** `quittance formula`, and `quittance simulate` with a formula as text. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder, run } from "../running.ts";

const here = folder();
afterAll(() => here.remove());

const NODES = {
  type: "multiply",
  operands: [
    { type: "property", name: "amount" },
    { type: "literal", value: { type: "percent", value: 10 } },
    { type: "literal", value: { type: "number", value: 100 } },
  ],
};

beforeAll(() => {
  const files: Readonly<Record<string, string>> = {
    "plan.txt": "# gross\n10 % of amount * 100\n",
    "override.txt": "20 % of sale.sellers_commission\n",
    "wrong.txt": "rate = 10 %\namuont * rat\n",
    "broken.txt": "amount * (\n",
    "plan.json": JSON.stringify(NODES),
    "wrong.json": JSON.stringify({ ...NODES, operands: [{ type: "property", name: "amuont" }] }),
    "body.json": `\ufeff ${JSON.stringify({ name: "ten", currency: "JPY", expression_text: "amount * 10 %" })}`,
    "years.json": JSON.stringify({
      expression_text: "plan.rate * (count earlier this year since plan.joined_on)",
      parameters: [
        { name: "rate", type: "number", default: 3 },
        { name: "joined_on", type: "date" },
      ],
      values: { joined_on: "2020-02-10" },
    }),
    "valueless.json": JSON.stringify({
      expression_text: "amount * plan.rate",
      parameters: [{ name: "rate", type: "number" }],
    }),
    "misdeclared.json": JSON.stringify({
      expression_text: "1",
      parameters: [{ name: "rate", type: "money" }],
    }),
    "schema.json": JSON.stringify({
      properties: [
        { name: "amount", type: "number", required: true },
        { name: "country", type: "string", required: false },
      ],
    }),
    "sales.csv": "amount\n100\n250\n",
    "monthly.txt": "amount + 100 * (count earlier this month)\n",
    "days.csv": [
      "amount,occurred_at,occurred_on",
      "1,2026-01-31T23:30:00Z,2026-02-01",
      "2,2026-02-10T12:00:00Z,",
      "4,2026-01-31T23:30:00Z,",
      "8,2026-02-10T12:00:00Z,2026-02-12",
      "",
    ].join("\n"),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(here.path, name), text);
});

interface Ended {
  readonly code: number | string;
  readonly output: string;
  readonly errors: string;
}

const ended = async (...words: ReadonlyArray<string>): Promise<Ended> => {
  const started = run(here.path, words);
  return { code: await started.ended, output: started.output(), errors: started.errors() };
};

describe("quittance formula", () => {
  const schema = ["--schema", "schema.json"];

  it.each<readonly [words: ReadonlyArray<string>, code: number, output: string]>([
    [["check", "plan.txt"], 0, "plan.txt has no mistakes; names and types are checked with --schema\n"],
    [["check", "plan.txt", ...schema], 0, "plan.txt has no mistakes\n"],
    [["check", "plan.json", ...schema], 0, "plan.json has no mistakes\n"],
    [
      ["check", "wrong.txt", ...schema],
      1,
      "wrong.txt:2:1: unknown name 'amuont'; did you mean 'amount'?\nwrong.txt:2:10: unknown name 'rat'; did you mean 'rate'?\n",
    ],
    [
      ["check", "wrong.json", ...schema],
      1,
      "wrong.json: $.operands.0.name: the schema has no property `amuont`\n",
    ],
    [
      ["check", "broken.txt"],
      1,
      "broken.txt:2:1: expected a value, a name or (, found the end of the text\n",
    ],
    [["print", "plan.txt"], 0, "amount * 10 % * 100\n"],
    [["print", "plan.json"], 0, "amount * 10 % * 100\n"],
    [["print", "plan.txt", "--json"], 0, `${JSON.stringify(NODES)}\n`],
    [["print", "body.json"], 0, "amount * 10 %\n"],
    [
      ["explain", "plan.txt", "--sale", '{"amount": 249.99, "country": "DE"}', "--date", "2026-03-01"],
      0,
      "25.00 EUR for the sale of 1 March 2026 under “plan.txt”.\n10 % of 249.99 (amount) × 100 = 2,499.9, rounded to 2,500, which is 25.00 EUR.\n",
    ],
    [
      ["explain", "plan.txt", "--sale", '{"amount": 249.99}', "--date", "2026-03-01", "--language", "es"],
      0,
      "25,00 EUR por la venta del 1 de marzo de 2026 según «plan.txt».\n10\u00a0% de 249,99 (amount) × 100 = 2.499,9, redondeado a 2.500, es decir, 25,00 EUR.\n",
    ],
  ])("%j ends with %i", async (words, code, output) => {
    expect(await ended("formula", ...words)).toEqual({ code, output, errors: "" });
  });

  it("prints mistakes and explanations as JSON for programs", async () => {
    const checked = await ended("formula", "check", "wrong.txt", ...schema, "--json");
    expect(
      checked.output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ file: "wrong.txt", line: 2, column: 1, start: 12, end: 18 }),
      expect.objectContaining({ file: "wrong.txt", line: 2, column: 10 }),
    ]);
    const explained = await ended("formula", "explain", "body.json", "--sale", '{"amount": 2000}', "--json");
    expect(JSON.parse(explained.output)).toMatchObject({ amount: 200, currency: "JPY" });
  });

  it.each<readonly [words: ReadonlyArray<string>, message: string]>([
    [["check", "nowhere.txt"], "nowhere.txt cannot be read: ENOENT"],
    [["check", "plan.txt", "--schema", "plan.json"], "plan.json must be a list of properties"],
    [["print", "broken.txt"], "broken.txt:2:1: expected a value, a name or (, found the end of the text"],
    [
      ["explain", "plan.txt", "--sale", "{}"],
      "plan.txt:2:9: unknown name 'amount'; without --schema the sale has to state every property",
    ],
    [
      ["explain", "override.txt", "--sale", "{}"],
      "override.txt: reads sellers_commission, which no sale here states: simulate it over the API",
    ],
    [["explain", "plan.txt", "--sale", "[]"], '--sale must be an object like {"amount": 249.99}'],
    [["explain", "plan.txt", "--sale", '{"amount": "x"}'], "plan.txt:2:9: must be a number, found a text"],
    [["explain", "plan.txt", ...schema, "--sale", '{"country": "DE"}'], "--sale: properties.amount"],
    [["explain", "plan.txt", "--sale", '{"amount": 1}', "--date", "soon"], "--date must be a date like"],
    [
      ["explain", "plan.txt", "--sale", '{"amount": 1}', "--language", "it"],
      '--language must be one of en, de, fr, es, not "it"',
    ],
  ])("%j ends with 2 and one line", async (words, message) => {
    const { code, output, errors } = await ended("formula", ...words);
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toContain(`quittance: ${message}`);
    expect(errors.trim()).not.toContain("\n");
  });
});

describe("quittance simulate", () => {
  it("takes a formula as text", async () => {
    const { code, output } = await ended("simulate", "plan.txt", "sales.csv");
    expect([code, output.split("\n")[1]]).toEqual([0, "total     35.00 EUR"]);
  });

  it("has the values of a body, and refuses one without", async () => {
    const { code, output } = await ended("simulate", "years.json", "days.csv", "--amounts");
    expect([code, output.split("\n").slice(0, 3)]).toEqual([
      1,
      ["       1  0.00", "       2  0.00", "       3  0.03"],
    ]);
    expect(await ended("simulate", "valueless.json", "sales.csv")).toMatchObject({
      code: 2,
      errors: "quittance: valueless.json: values.rate: is missing; the parameter has no default\n",
    });
    expect((await ended("simulate", "misdeclared.json", "sales.csv")).errors).toContain(
      "misdeclared.json: parameters.0.type: must be one of number, string, boolean, date",
    );
    const explained = await ended("formula", "explain", "years.json", "--sale", "{}");
    expect([explained.code, explained.output]).toEqual([0, expect.stringContaining("0.00 EUR")]);
    expect((await ended("formula", "check", "years.json", "--schema", "schema.json")).code).toBe(0);
  });

  it("counts a row for the day that it states", async () => {
    const { code, output, errors } = await ended("simulate", "monthly.txt", "days.csv", "--amounts");
    expect([code, output.split("\n").slice(0, 3)]).toEqual([
      1,
      ["       1  0.01", "       2  1.02", "       3  0.04"],
    ]);
    expect(errors).toContain(
      "row 4 (line 5): occurred_on: must be at most one day from 2026-02-10, the UTC day of occurred_at",
    );
  });

  it("names the line and column of a mistake", async () => {
    const { code, errors } = await ended("simulate", "wrong.txt", "sales.csv");
    expect([code, errors]).toEqual([
      2,
      "quittance: wrong.txt:2:1: unknown name 'amuont'; types are guessed from the columns, and one with any other cell is text: state them with --schema\n",
    ]);
  });
});
