/** Compiled decoders against the schemas' own: every schema of the contract, on values that conform and on others. */
import * as HttpApi from "@effect/platform/HttpApi";
import { Arbitrary, Either, FastCheck as fc, Option, Schema } from "effect";
import { describe, expect, it } from "vitest";
import { api } from "../../adapters/http/api/Api.ts";
import * as Decoding from "../../adapters/http/wire/Decoding.ts";

type Codec = Schema.Schema<unknown, unknown>;

/** Shapes that the contract happens not to have, compiled or not. */
const OTHERS: ReadonlyArray<readonly [string, Codec]> = [
  ["a date", Schema.Struct({ at: Schema.Date })],
  ["numbers from text", Schema.Array(Schema.NumberFromString)],
  [
    "tagged alternatives",
    Schema.Union(Schema.Struct({ a: Schema.Number }), Schema.Struct({ a: Schema.Unknown })),
  ],
  ["fixed and further items", Schema.Tuple([Schema.String], Schema.Number)],
  [
    "names beside any others",
    Schema.Struct({ a: Schema.String }, { key: Schema.String, value: Schema.String }),
  ],
  [
    "a field that may be absent",
    Schema.Struct({
      a: Schema.optional(Schema.Number),
      b: Schema.optionalWith(Schema.String, { default: () => "b" }),
    }),
  ],
  [
    "a field that is absent as null",
    Schema.Struct({ a: Schema.optionalWith(Schema.Number, { nullable: true }) }),
  ],
  ["nothing", Schema.Struct({})],
  ["one after the other", Schema.compose(Schema.Trim, Schema.NonEmptyTrimmedString)],
].map(([name, schema]) => [name, schema] as readonly [string, Codec]);

/** By the operation and the part of the request that a schema describes; uploads, which carry no JSON, left out. */
const codecs = (): ReadonlyArray<readonly [string, Codec]> => {
  const found: Array<readonly [string, Codec]> = [];
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) => {
      for (const part of ["pathSchema", "urlParamsSchema", "payloadSchema"] as const) {
        const schema = Option.getOrNull<Schema.Schema.All>(endpoint[part]);
        if (schema === null || /^(upload|attach|read_statement)/.test(endpoint.name)) continue;
        found.push([`${group.identifier} ${endpoint.name} ${part}`, schema as Codec]);
      }
    },
  });
  return found;
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", " ", "x", "\u0000", "\ud800", 0, -0, 1.5, -1, 1e16, 1e-30, true, [], {}),
  fc.constantFrom<unknown>(
    [null],
    { constructor: 1 },
    JSON.parse('{"__proto__":"x"}'),
    "2026-02-30T00:00:00Z",
    "EUR",
    "eur",
  ),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The value with one of its parts changed, left out or added. */
const changed = (value: unknown, steps: ReadonlyArray<number>, part: unknown): unknown => {
  const [step, ...further] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return part;
  const names = Object.keys(value);
  const name = names[step % (names.length + 1)];
  const copy = Object.assign<Record<string, unknown>, object>(Array.isArray(value) ? Object([]) : {}, value);
  if (name === undefined) {
    if (!Array.isArray(copy)) copy.unexpected = part;
  } else if (step % 5 === 4 && !Array.isArray(copy)) delete copy[name];
  else copy[name] = changed(copy[name], further, part);
  return copy;
};

const outcome = (
  decode: (value: unknown) => Either.Either<unknown, { readonly message: string }>,
  value: unknown,
) =>
  Either.match(decode(value), {
    onLeft: ({ message }) => ({ refused: message }),
    onRight: (decoded) => ({ decoded }),
  });

describe("a compiled decoder", () => {
  it.each([...codecs(), ...OTHERS])("decodes as its schema does: %s", (_, schema) => {
    const compiled = Decoding.decoder(schema);
    const plain = Schema.decodeUnknownEither(schema);
    const conforming = Arbitrary.make(schema).map(Schema.encodeSync(schema));
    const given = fc.oneof(
      { weight: 1, arbitrary: conforming },
      {
        weight: 3,
        arbitrary: fc
          .tuple(conforming, fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }), odd)
          .map(([value, steps, part]) => changed(value, steps, part)),
      },
      { weight: 1, arbitrary: odd },
    );
    const seen = { decoded: 0, refused: 0 };
    fc.assert(
      fc.property(given, (value) => {
        const due = outcome(plain, value);
        expect(outcome(compiled, value)).toStrictEqual(due);
        seen["refused" in due ? "refused" : "decoded"] += 1;
      }),
      { numRuns: 150, seed: 20261120 },
    );
    expect(seen.decoded).toBeGreaterThan(10);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
