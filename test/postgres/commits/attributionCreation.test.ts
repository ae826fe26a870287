/** `quittance.create_attributions` stores what `quittance.commit` stores: the same change sets by both functions, row by row. */
import { Effect, type Scope } from "effect";
import fc from "fast-check";
import type pg from "pg";
import { Ids, type Storage } from "quittance";
import { Build } from "quittance/testing";
import { expect, it } from "vitest";
import { creation as creationOf } from "../../../adapters/sql/groupCommit/Creation.ts";
import { CREATE_ATTRIBUTIONS } from "../../../adapters/sql/groupCommit/createAttributions.ts";
import { parameters } from "../../../adapters/sql/groupCommit/creationArguments.ts";
import { body } from "../../../adapters/sql/writing/ChangeSet.ts";
import { connected, database } from "../../support/postgres.ts";

const ROWS = `
select 'attribution' as kind, to_jsonb(t) - 'customer_id' || jsonb_build_object('properties', t.properties::text) as row
from quittance.attributions t where t.customer_id = $1
union all
select 'commission', to_jsonb(t) - 'customer_id' from quittance.commissions t where t.customer_id = $1
union all
select 'event', to_jsonb(t) - 'customer_id' || jsonb_build_object('event', t.event::text)
from quittance.events t where t.customer_id = $1
union all
select 'formula set', to_jsonb(t) - 'customer_id' from quittance.formula_sets t where t.customer_id = $1
union all
select 'command', to_jsonb(t) - 'customer_id' from quittance.commands t where t.customer_id = $1
union all
select 'idempotency record', to_jsonb(t) - 'customer_id' || jsonb_build_object('result', t.result::text)
from quittance.idempotency_records t where t.customer_id = $1
order by 1, 2`;

const DELTAS = `
select to_jsonb(t) - 'customer_id' as row from quittance.rollup_deltas t where t.customer_id = $1 order by 1`;

/** A group may append fewer rows of deltas than its commands one by one. */
const COUNTED = `
select kind, partner_id, day, workspace_id, status, currency, sum(count) as count, sum(settled) as settled, sum(due) as due
from quittance.rollup_deltas where customer_id = $1
group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`;

const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.constantFrom('"', "\\", "{}", "NULL", "null", "a,b", "'", "\n", "1e9", "é\\u0000"),
);

const sale = fc.record({
  workspace: fc.nat(1),
  agent: fc.boolean(),
  reference: fc.option(text),
  properties: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()), { maxKeys: 3 }),
  amounts: fc.array(fc.option(fc.integer({ min: -1_000, max: 1_000 }), { freq: 4 }), { maxLength: 2 }),
  /** From 1970 to five minutes ahead of the clock. */
  occurredAt: fc.option(fc.integer({ min: 0, max: Build.EPOCH + 300_000 })),
});

/** The same value, of another customer. */
const of = <Value>(customerId: Ids.CustomerId, other: Ids.CustomerId, value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(customerId, other)) as Value;

type Sale = typeof sale extends fc.Arbitrary<infer Given> ? Given : never;

/** A partner's schema with two formulas, in two workspaces, and a key of the customer. */
interface Program {
  readonly of: Build.FormulaSetKey;
  readonly apiKeyId: string;
  readonly workspaces: ReadonlyArray<Ids.WorkspaceId>;
  readonly formulas: ReadonlyArray<Storage.SaveLogged<"formula">>;
  readonly setting: Storage.ChangeSet;
}

const made = (customerId: Ids.CustomerId): Program => {
  const of = {
    customerId,
    workspaceId: Build.fresh.workspace(),
    partnerId: Build.fresh.partner(),
    schemaId: Build.fresh.schema(),
  };
  const { partnerId, schemaId } = of;
  const formulas = [Build.formula(of), Build.formula(of)];
  // Its public half is unique among all customers.
  const apiKey = Build.apiKey(customerId, { keyId: `${customerId} ${partnerId}` });
  const changes: ReadonlyArray<Storage.Change> = [
    apiKey,
    Build.partner(of, { id: partnerId }),
    Build.schema(of, { id: schemaId }),
    { type: "bump_formula_set", partnerId, schemaId },
    ...formulas,
  ];
  const workspaces = [of.workspaceId, Build.fresh.workspace()];
  return { of, apiKeyId: apiKey.row.id, workspaces, formulas, setting: Build.changeSet({ changes }) };
};

/** The input of one command; absent fields have the values of the fixtures. */
interface Given {
  readonly sales: ReadonlyArray<Sale>;
  readonly actor?: string;
  readonly at?: number;
  readonly key?: string | null;
  /** The version at which the keys of the programs are required; null: they are not. */
  readonly apiKeyVersion?: number | null;
}

/** A command that creates the sales, under the formula sets in turn. */
const creation = (
  programs: ReadonlyArray<Program>,
  { sales, actor = Build.ACTOR, at = Build.EPOCH, key = null, apiKeyVersion = null }: Given,
  version = 1,
): Storage.ChangeSet => {
  const by = <Save extends Storage.SaveLogged<"attribution"> | Storage.SaveLogged<"commission">>(
    save: Save,
  ) => ({
    ...save,
    entries: save.entries.map((entry) => ({ ...entry, actor })),
  });
  const changes = sales.flatMap(({ workspace, agent, reference, properties, amounts, occurredAt }, index) => {
    const program = programs[index % programs.length];
    if (program === undefined) throw new Error("no program");
    const attribution = Build.attribution(
      { ...program.of, workspaceId: program.workspaces[workspace] ?? program.of.workspaceId },
      {
        createdAt: at,
        occurredAt,
        properties,
        agentId: agent ? Ids.AgentId.make(Build.freshUuid()) : null,
        externalReference: reference === null ? null : `${Build.freshUuid()}${reference}`,
      },
    );
    return [
      by(attribution),
      ...amounts.flatMap((amount, place) => {
        const formula = program.formulas[place];
        return formula === undefined ? [] : [by(Build.commission(attribution.row, formula.row, amount))];
      }),
    ];
  });
  const requires: Array<Storage.Requirement> = programs
    .slice(0, sales.length)
    .map(({ of: { partnerId, schemaId } }) => ({ type: "formula_set", partnerId, schemaId, version }));
  if (apiKeyVersion !== null) {
    requires.push(
      ...programs.map(
        ({ apiKeyId: id }) => ({ type: "record", kind: "apiKey", id, version: apiKeyVersion }) as const,
      ),
    );
  }
  const answer = { text: `of ${key}`, null: null, list: [1, "a,b"] };
  return Build.changeSet({
    command: { id: Build.fresh.command(), actor, at },
    changes,
    requires,
    idempotencyRecord:
      key === null ? null : { principalId: actor, key, requestSha256: `sha of ${key}`, result: answer, at },
  });
};

const refused = (
  query: Promise<unknown>,
): Promise<{ readonly code: string; readonly detail: string } | null> =>
  query.then(
    () => null,
    (error: pg.DatabaseError) => ({ code: error.code ?? "", detail: error.detail ?? "" }),
  );

/** A database, its two functions, and queries of its rows. */
const doors = Effect.gen(function* () {
  const client = yield* connected(yield* database());
  const general = async (customerId: Ids.CustomerId, set: Storage.ChangeSet) =>
    client.query("select quittance.commit($1::uuid, $2::jsonb)", [
      customerId,
      await Effect.runPromise(body(customerId, set)),
    ]);
  const short = (customerId: Ids.CustomerId, sets: ReadonlyArray<Storage.ChangeSet>) => {
    const creations = sets.map((set) => {
      const creation = creationOf(customerId, set);
      if (creation === null) throw new Error("not taken for a creation");
      return creation;
    });
    return client.query(
      CREATE_ATTRIBUTIONS,
      parameters(customerId, creations).map((make) => make()),
    );
  };
  const found = async (query: string, customerId: Ids.CustomerId) =>
    (await client.query(query, [customerId])).rows;
  return { general, short, found };
});

const run = <A>(test: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(test));

it("both functions store the same rows and refuse the same change sets", () =>
  run(
    Effect.gen(function* () {
      const { general, short, found } = yield* doors;
      const same = fc.asyncProperty(
        fc.array(sale, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 1, 1, 0),
        fc.constantFrom(null, 1, 1, 2),
        async (sales, version, apiKeyVersion) => {
          const [one, other] = [Build.fresh.customer(), Build.fresh.customer()];
          const program = made(one);
          await general(one, program.setting);
          await general(other, of(one, other, program.setting));
          const set = creation([program], { sales, apiKeyVersion }, version);
          const byCommit = await refused(general(other, of(one, other, set)));
          expect(await refused(short(one, [set]))).toEqual(byCommit);
          expect(byCommit?.code ?? null).toBe(version === 1 && apiKeyVersion !== 2 ? null : "QT001");
          expect(await found(ROWS, one)).toEqual(await found(ROWS, other));
          expect(await found(DELTAS, one)).toEqual(await found(DELTAS, other));
        },
      );
      yield* Effect.promise(() => fc.assert(same, { numRuns: 40, seed: 20261120 }));
    }),
  ));

const given = fc.record({
  sales: fc.array(sale, { minLength: 1, maxLength: 3 }),
  actor: fc.oneof(fc.constantFrom("one", "other", "null"), text),
  // Around midnight, so that neighbours fall on one day or on two.
  at: fc.nat(6).map((hours) => Build.EPOCH + (hours - 3) * (Build.DAY / 6)),
  key: fc.option(text),
  apiKeyVersion: fc.constantFrom(null, 1),
});

it("one call for several commands stores the same rows as a commit for each", () =>
  run(
    Effect.gen(function* () {
      const { general, short, found } = yield* doors;
      const same = fc.asyncProperty(
        fc.array(given, { minLength: 2, maxLength: 5 }),
        fc.constantFrom(1, 2),
        async (commands, count) => {
          const [one, other] = [Build.fresh.customer(), Build.fresh.customer()];
          const programs = Array.from({ length: count }, () => made(one));
          for (const { setting } of programs) {
            await general(one, setting);
            await general(other, of(one, other, setting));
          }
          const sets = commands.map((command, place) =>
            creation(programs, {
              ...command,
              key: command.key === null ? null : `${place}${command.key}`,
            }),
          );
          await short(one, sets);
          for (const set of sets) await general(other, of(one, other, set));
          expect(await found(ROWS, one)).toEqual(await found(ROWS, other));
          expect(await found(COUNTED, one)).toEqual(await found(COUNTED, other));
        },
      );
      yield* Effect.promise(() => fc.assert(same, { numRuns: 40, seed: 20261120 }));
    }),
  ));

const plain: Sale = {
  workspace: 0,
  agent: false,
  reference: null,
  properties: {},
  amounts: [100],
  occurredAt: null,
};
const earlier: Given = { sales: [plain], key: "taken" };

/** Faults of one command of a group, with the code of the error; `before` are the sets already stored. */
const faults: ReadonlyArray<{
  readonly name: string;
  readonly code: string;
  readonly of: (program: Program, stored: Storage.ChangeSet) => ReadonlyArray<Storage.ChangeSet>;
}> = [
  {
    name: "the version of a program is another",
    code: "QT001",
    of: (program) => [creation([program], { sales: [plain] }, 2)],
  },
  {
    name: "the credential has changed",
    code: "QT001",
    of: (program) => [creation([program], { sales: [plain], apiKeyVersion: 2 })],
  },
  {
    name: "its key is taken",
    code: "QT002",
    of: (program) => [creation([program], earlier)],
  },
  {
    name: "another of the group has its key",
    code: "QT002",
    of: (program) => ["k", "k"].map((key) => creation([program], { sales: [plain], key })),
  },
  {
    name: "its id is taken",
    code: "23505",
    of: (program, { command }) => [{ ...creation([program], { sales: [plain] }), command }],
  },
  {
    name: "another of the group has its id",
    code: "23505",
    of: (program) => {
      const { command } = creation([program], { sales: [plain] });
      return [command, command].map((same) => ({
        ...creation([program], { sales: [plain] }),
        command: same,
      }));
    },
  },
  {
    name: "another of the group has its reference",
    code: "23505",
    of: (program) => {
      const set = creation([program], { sales: [plain] });
      const named = (one: Storage.ChangeSet): Storage.ChangeSet => ({
        ...one,
        changes: one.changes.map((change) =>
          change.type === "save" && change.kind === "attribution"
            ? { ...change, row: { ...change.row, externalReference: "same" } }
            : change,
        ),
      });
      return [named(set), named(creation([program], { sales: [plain] }))];
    },
  },
];

for (const { name, code, of: faulty } of faults)
  it(`a group stores nothing when of one ${name}, and fails with the error of that command's own commit`, () =>
    run(
      Effect.gen(function* () {
        const { general, short, found } = yield* doors;
        const check = async (place: number) => {
          const [one, other] = [Build.fresh.customer(), Build.fresh.customer()];
          const program = made(one);
          const stored = creation([program], earlier);
          for (const set of [program.setting, stored]) {
            await general(one, set);
            await general(other, of(one, other, set));
          }
          const group = [0, 1].map((index) => creation([program], { sales: [plain], key: `fine ${index}` }));
          group.splice(place, 0, ...faulty(program, stored));
          const alone = [];
          for (const set of group) alone.push((await refused(general(other, of(one, other, set))))?.code);
          const refusals = alone.filter((refusal) => refusal !== undefined);
          expect(refusals).toEqual([code]);
          const before = [await found(ROWS, one), await found(DELTAS, one)];
          expect((await refused(short(one, group)))?.code).toBe(code);
          expect([await found(ROWS, one), await found(DELTAS, one)]).toEqual(before);
        };
        for (const place of [0, 1, 2]) yield* Effect.promise(() => check(place));
      }),
    ));
