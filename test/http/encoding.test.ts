/** Compiled JSON writers against `JSON.stringify`: every response of the contract, and records with a mapping. */
import * as HttpApi from "@effect/platform/HttpApi";
import { Arbitrary, FastCheck as fc, Schema } from "effect";
import { api } from "quittance/http/api";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { DateTime } from "../../adapters/http/api/shared/Field.ts";
import { attribution } from "../../adapters/http/wire/Attribution.ts";
import { GAP, recordWriter, textAround, writer } from "../../adapters/http/wire/Encoding.ts";
import { longOr } from "../support/profile.ts";

/** Random values of each response. */
const RUNS = longOr(100, 30);

type Codec = Schema.Schema<unknown, unknown>;

/** The schemas of JSON responses that succeed, by their operation. */
const responses = (): ReadonlyArray<readonly [string, Codec]> => {
  const found: Array<readonly [string, Codec]> = [];
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, successes }) => {
      for (const { ast } of successes.values()) {
        const schema = ast._tag === "Some" ? ast.value : null;
        if (schema?._tag === "TypeLiteral")
          found.push([`${group.identifier} ${endpoint.name}`, Schema.make(schema)]);
      }
    },
  });
  return found;
};

describe("the writer of attributions", () => {
  it("does not show which sellers stand below a credit", () => {
    const scene = {
      customerId: Build.fresh.customer(),
      workspaceId: Build.fresh.workspace(),
      partnerId: Build.fresh.partner(),
      schemaId: Build.fresh.schema(),
    };
    const credit = { role: "manager", share: "1", depth: 1, sellers: [Build.fresh.partner()] };
    const { row, entries } = Build.attribution(scene, { credit, originId: Build.fresh.attribution() });
    const written = JSON.parse(attribution({ ...row, events: entries }));
    const shown = { role: "manager", share: "1", depth: 1 };
    expect(written.metadata.credit).toEqual(shown);
    expect(written.events[0].event.credit).toEqual(shown);
  });
});

describe("a writer of the contract's own form", () => {
  it("exists for every operation that returns JSON", () => {
    expect(responses().length).toBeGreaterThan(15);
  });

  it.each(responses())("writes the same as JSON.stringify: %s", (_, schema) => {
    const write = writer(schema);
    fc.assert(
      fc.property(Arbitrary.make(schema), (value) => {
        expect(JSON.parse(write(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: RUNS, seed: 20261122 },
    );
  });

  it("escapes the same characters as JSON.stringify, in any string", () => {
    const write = writer(Schema.Struct({ text: Schema.String }));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string16bits()), (text) => {
        expect(write({ text })).toBe(JSON.stringify({ text }));
      }),
    );
    for (const text of [
      '"',
      "\\",
      "\u0000",
      "\u001f",
      "\u007f",
      "\ud800",
      "\udc00",
      "😀",
      "</script>",
      "\u2028",
    ]) {
      expect(write({ text })).toBe(JSON.stringify({ text }));
    }
  });

  it("omits fields that the contract does not have, and writes null only where it allows null", () => {
    const schema = Schema.Struct({
      id: Schema.String,
      note: Schema.optionalWith(Schema.String, { exact: true }),
      end: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
    });
    const write = writer(schema);
    const wide = { id: "a", secret: "s" };
    expect(write(wide)).toBe('{"id":"a"}');
    expect(write({ id: "a", note: "b", end: null })).toBe('{"id":"a","note":"b","end":null}');
  });

  it("chooses a struct of a union by its type, else by its first field", () => {
    const typed = Schema.Union(
      Schema.Struct({ type: Schema.Literal("one"), a: Schema.Number }),
      Schema.Struct({ type: Schema.Literal("two"), b: Schema.Boolean }),
    );
    expect(writer(typed)({ type: "two", b: true })).toBe('{"type":"two","b":true}');
    const untyped = Schema.Union(Schema.Struct({ a: Schema.Number }), Schema.Struct({ b: Schema.Boolean }));
    expect(writer(untyped)({ b: false })).toBe('{"b":false}');
  });

  it("writes integers beyond the range of a number with all digits", () => {
    const write = writer(Schema.Struct({ amount: Schema.Number }));
    expect(write({ amount: 90_071_992_547_409_930_001n })).toBe('{"amount":90071992547409930001}');
  });

  it("is not compiled from a schema that it could not write exactly", () => {
    for (const schema of [
      Schema.Struct({ at: Schema.Date }),
      Schema.Union(Schema.String, Schema.Struct({ a: Schema.String })),
      Schema.Struct({ a: Schema.optionalWith(Schema.String, { exact: true }) }),
      Schema.Tuple(Schema.String),
    ]) {
      expect(() => writer(schema as Schema.Schema.AnyNoContext)).toThrow("no JSON writer can be compiled");
    }
  });
});

describe("a writer of records of another form", () => {
  const Shown = Schema.Struct({
    record_id: Schema.String,
    payment_terms: Schema.optionalWith(Schema.String, { exact: true }),
    view: Schema.Struct({ is_open: Schema.Boolean, total: Schema.Number }),
    parts: Schema.Array(Schema.Struct({ part_name: Schema.String, at: Schema.String })),
    data: Schema.NullOr(Schema.Struct({ legal_name: Schema.String })),
  });
  interface Row {
    readonly recordId: string;
    readonly paymentTerms: string | null;
    readonly isOpen: boolean;
    readonly parts: ReadonlyArray<{ readonly partName: string; readonly at: number }>;
    readonly data: { readonly legalName: string } | null;
  }
  const row: Row = {
    recordId: "7",
    paymentTerms: null,
    isOpen: true,
    parts: [
      { partName: "one", at: 1 },
      { partName: "two", at: 2 },
    ],
    data: { legalName: "Nordlys" },
  };
  const parts = { at: ({ at }: { readonly at: number }) => `at ${at}` };
  const rest = { view: { total: ({ parts: all }: Row) => all.length }, data: [{}] } as const;

  it("reads a field by its camelCase name, a rule, or a mapping of its own record", () => {
    const write = recordWriter<Row>()(Shown, { ...rest, parts: [parts] });
    expect(JSON.parse(write(row))).toEqual({
      record_id: "7",
      view: { is_open: true, total: 2 },
      parts: [
        { part_name: "one", at: "at 1" },
        { part_name: "two", at: "at 2" },
      ],
      data: { legal_name: "Nordlys" },
    });
    expect(JSON.parse(write({ ...row, paymentTerms: "net", data: null, parts: [] }))).toEqual({
      record_id: "7",
      payment_terms: "net",
      view: { is_open: true, total: 0 },
      parts: [],
      data: null,
    });
  });

  it("writes a moment from its milliseconds, and as it is where it is a text", () => {
    const When = Schema.Struct({ at: DateTime, until: Schema.NullOr(DateTime), from: DateTime });
    const write = recordWriter<{ at: number; until: number | null; from: string }>()(When, {});
    const [at, from] = [Date.parse("2026-01-31T10:00:00.007Z"), "2026-01-01T00:00:00.000Z"];
    expect(write({ at, until: null, from })).toBe(
      `{"at":"2026-01-31T10:00:00.007Z","until":null,"from":"${from}"}`,
    );
    expect(JSON.parse(write({ at: 0, until: at, from }))).toMatchObject({
      until: "2026-01-31T10:00:00.007Z",
    });
  });

  it("writes fields in the order of the contract", () => {
    const write = recordWriter<Row>()(Shown, { ...rest, parts: [parts] });
    expect(write({ ...row, parts: [] })).toBe(
      '{"record_id":"7","view":{"is_open":true,"total":0},"parts":[],"data":{"legal_name":"Nordlys"}}',
    );
  });

  it("returns the text on both sides of a list that is written separately", () => {
    const [before, after] = textAround(recordWriter<Row>()(Shown, { ...rest, parts: GAP }))(row);
    expect(JSON.parse(before + after)).toMatchObject({ parts: [] });
    expect(before.endsWith('"parts":[')).toBe(true);
  });
});
