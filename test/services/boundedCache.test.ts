/** Caches of formulas hold no more bytes than they may, however large the formulas are. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Effect, Either, Layer } from "effect";
import { type Formula, type Ids, Storage } from "quittance";
import { Build } from "quittance/testing";
import { expect, it } from "vitest";
import * as Evaluator from "../../src/services/attributions/Evaluator.ts";
import * as FormulaSetCache from "../../src/services/attributions/FormulaSetCache.ts";
import * as BoundedCache from "../../src/services/process/BoundedCache.ts";

const MIB = 1024 * 1024;

it("a bounded cache evicts first-in, first-out by number and by bytes, and does not store a value that is too large", () => {
  const kept = BoundedCache.make<string>(3, { bytesMax: 10, bytesOf: (value) => value.length });
  const held = () => ["a", "b", "c", "d"].filter((key) => kept.get(key) !== undefined).join("");
  for (const key of ["a", "b", "c", "d"]) kept.set(key, "1");
  expect(held()).toBe("bcd");
  kept.set("a", "12345678");
  expect(held()).toBe("acd");
  kept.set("b", "12345678901");
  expect(held()).toBe("acd");
  kept.set("a", "1");
  kept.set("b", "12345678");
  expect(held()).toBe("abd");
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes of live objects after a collection. */
const held = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

/** Nearly as large as an expression may be: 992 nodes in 59 KiB of JSON. */
const largest = (seed: number): object => ({
  type: "round",
  mode: "half_up",
  operand: {
    type: "add",
    operands: Array.from({ length: 99 }, (_, group) => ({
      type: "add",
      operands: Array.from({ length: 9 }, (_, index) =>
        index % 2 === 0
          ? { type: "property", name: "order_value" }
          : { type: "literal", value: { type: "number", value: 1_000_000_000 + seed + group * 10 + index } },
      ),
    })),
  },
});

const owner = { customerId: Build.fresh.customer(), workspaceId: Build.fresh.workspace() };
const partner = Build.partner(owner).row;
const schema = Build.schema(owner).row;
const program = { ...owner, partnerId: partner.id, schemaId: schema.id };
const first = Build.formula(program).row;

/** A formula of its own, whose only version is as large as may be. */
const formulaOf = (seed: number): Storage.Versioned<Formula.Formula> => ({
  ...first,
  id: Build.fresh.formula(),
  versions: [
    {
      ...first.versions[0],
      expression: JSON.parse(JSON.stringify(largest(seed))) as Formula.ExpressionVersion["expression"],
    },
  ],
});

const FORMULAS = 1_500;
/** The limit of the cache, and as much again for the inaccuracy of heap measurements. */
const GROWTH_MAX = 128 * MIB;

it("the cache of formula sets stays bounded if every partner has its own formula", async () => {
  // Only what the cache reads is there.
  const storage = {
    find: (_: unknown, kind: string, ids: ReadonlyArray<string>) =>
      Effect.succeed(kind === "partner" ? ids.map((id) => ({ ...partner, id })) : [schema]),
    formulaSets: (_: unknown, __: unknown, partnerIds: ReadonlyArray<Ids.PartnerId>) =>
      Effect.sync(() => partnerIds.map((partnerId) => ({ partnerId, version: 1, formulas: [formulaOf(0)] }))),
  } as unknown as Storage.StorageService;
  const cache = await Effect.runPromise(
    Effect.provide(
      FormulaSetCache.FormulaSetCache,
      Layer.provide(FormulaSetCache.layer, [Layer.succeed(Storage.Storage, storage), Evaluator.layer]),
    ),
  );
  const before = held();
  for (let made = 0; made < FORMULAS; made++) {
    const key = { partnerId: Build.fresh.partner(), schemaId: schema.id };
    await Effect.runPromise(cache.find(owner.customerId, [key], false));
  }
  expect(held() - before).toBeLessThan(GROWTH_MAX);
  expect(cache).toBeDefined();
});

it("the cache of compiled formulas stays bounded", async () => {
  const evaluator = await Effect.runPromise(Effect.provide(Evaluator.Evaluator, Evaluator.layer));
  const evaluate = evaluator.forSchema(schema);
  const attribution = Build.attribution(program, { properties: { order_value: 5 } }).row;
  const before = held();
  for (let made = 0; made < FORMULAS / 4; made++) {
    expect(Either.isRight(evaluate(formulaOf(made), 1, attribution))).toBe(true);
  }
  expect(held() - before).toBeLessThan(GROWTH_MAX);
  expect(evaluator).toBeDefined();
});
