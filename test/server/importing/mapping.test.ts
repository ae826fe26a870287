/** How the texts of a file become the values of properties, and which mappings are refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect, Either } from "effect";
import { afterAll, expect, it } from "vitest";
import { asType, read } from "../../../adapters/server/importing/Mapping.ts";

const folder = mkdtempSync(join(tmpdir(), "mapping-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ["1.99", 1.99],
  ["+05.50", 5.5],
  ["-0.10", -0.1],
  ["0.000", 0],
  ["1000000", 1_000_000],
  ["0.00000001", 0.00000001],
  ["33.333333333333336", 33.333333333333336],
  ["0.30000000000000004", 0.30000000000000004],
])("the text %s is the number %d", (text, number) => {
  expect(asType(text, "number")).toEqual(Either.right(number));
});

it.each([
  ["123456789012345.123456", "123456789012345.12"],
  ["0.1000000000000000055", "0.1"],
  ["9999999999999999.9", "10000000000000000"],
])("the text %s is refused, because it would be stored as %s", (text, stored) => {
  expect(asType(text, "number")).toEqual(
    Either.left(`has too many digits to be stored exactly: "${text}" would become ${stored}`),
  );
});

/** What is wrong with a mapping with some fields; null where nothing is. */
const problemOf = (fields: object): string | null => {
  const file = join(folder, "mapping.json");
  writeFileSync(
    file,
    JSON.stringify({ workspace_id: "w", schema_id: "s", partner_id: "p", properties: {}, ...fields }),
  );
  const found = Effect.runSync(Effect.either(read(file)));
  return Either.isLeft(found) ? found.left.message.replace(`${file}: `, "") : null;
};

const date = (stated: object) => ({ occurred_at: { column: "at", ...stated } });
const number = (stated: object) => ({ properties: { cents: { column: "paid", ...stated } } });

it.each<readonly [object, RegExp]>([
  [date({ date: { form: "us" } }), /^occurred_at\.date\.form: /],
  [date({ date: { time_zone: "Mars/Olympus" } }), /^occurred_at\.date\.time_zone: must be an IANA time zone/],
  [
    date({ date: { form: "epoch_seconds", time_zone: "UTC" } }),
    /^occurred_at\.date\.time_zone: must be absent: epoch_seconds has no time zone/,
  ],
  [date({ date: {}, prefix: "2026-" }), /^occurred_at\.prefix: must be absent where date is stated/],
  [date({ number: {} }), /^occurred_at\.number: /],
  [number({ number: { factor: 0.01 } }), /^properties\.cents\.number\.factor: /],
  [number({ number: { factor: "1/3" } }), /: must be a positive decimal number as text, such as "0\.01"/],
  [number({ number: { decimals: "," } }), /^properties\.cents\.number\.decimals: /],
  [
    number({ number: {}, values: { a: 1 } }),
    /^properties\.cents\.values: must be absent where number is stated/,
  ],
  [number({ date: {} }), /^properties\.cents\.date: /],
  [{ occurred_on: { column: "at", date: { form: "epoch_seconds" } } }, /^occurred_on\.date\.form: /],
  [{ partner_id: { column: "who", number: {} } }, /^partner_id\.number: /],
  [{ only: { status: [] } }, /^only\.status/],
  [{ only: { status: "paid" } }, /^only\.status: /],
])("the mapping %j is refused", (fields, problem) => {
  expect(problemOf(fields)).toMatch(problem);
});

it("a mapping states formats, a filter, values and prefixes", () => {
  const fields = {
    only: { status: ["paid"], who: "not_empty" },
    external_reference: { column: "order", prefix: "order-" },
    occurred_at: {
      column: "at",
      date: { form: "month_first", time_zone: "America/New_York" },
      default: "2026-01-31",
    },
    occurred_on: { column: "day", date: { form: "day_first" } },
    properties: {
      cents: { column: "paid", number: { decimal: ",", currency: "kr.", factor: "0.01" }, default: 0 },
      kind: { column: "kind", values: { a: "new" } },
    },
  };
  expect(problemOf(fields)).toBe(null);
});
