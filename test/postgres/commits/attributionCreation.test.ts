/** `quittance.create_attributions` and `quittance.commit_command` store the same rows for the same change sets. */
import { Effect, type Scope } from "effect";
import fc from "fast-check";
import type pg from "pg";
import { Ids, type Storage } from "quittance";
import { Build } from "quittance/testing";
import { expect, it } from "vitest";
import type { Committed, Conflict } from "../../../adapters/sql/Failure.ts";
import { creation as creationOf } from "../../../adapters/sql/groupCommit/Creation.ts";
import { CREATE_ATTRIBUTIONS } from "../../../adapters/sql/groupCommit/createAttributions.ts";
import { parameters } from "../../../adapters/sql/groupCommit/creationArguments.ts";
import { body } from "../../../adapters/sql/writing/ChangeSet.ts";
import { connected, database } from "../../support/postgres.ts";

/** Without the customer, whom the identifiers of the fixtures' API keys name as well. */
const ROWS = `
select 'attribution' as kind, to_jsonb(t) - 'customer_id' || jsonb_build_object('properties', t.properties::text) as row
from quittance.attributions t where t.customer_id = $1
union all
select 'commission', to_jsonb(t) - 'customer_id' from quittance.commissions t where t.customer_id = $1
union all
select 'event', (to_jsonb(t) - 'customer_id' || jsonb_build_object('event', t.event::text)) #- '{stored,key_id}'
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

/** Sums of the deltas, because a group may append fewer delta rows than its commands one by one. */
const COUNTED = `
select kind, partner_id, day, workspace_id, status, currency, sum(count) as count, sum(settled) as settled, sum(due) as due,
  sum(waiting) as waiting
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
  /** Of a sale after the first one of a command: its credit of the first one. */
  credit: fc.option(fc.record({ role: text, further: fc.boolean() })),
});

/** The same value with another customer's id. */
const of = <Value>(customerId: Ids.CustomerId, other: Ids.CustomerId, value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(customerId, other)) as Value;

type Sale = typeof sale extends fc.Arbitrary<infer Given> ? Given : never;

/** A partner and schema with two formulas in two workspaces, and an API key of the customer. */
interface Fixture {
  readonly of: Build.FormulaSetKey;
  readonly apiKeyId: string;
  readonly workspaces: ReadonlyArray<Ids.WorkspaceId>;
  readonly formulas: ReadonlyArray<Storage.SaveLogged<"formula">>;
  readonly setting: Storage.ChangeSet;
}

const createFixture = (customerId: Ids.CustomerId): Fixture => {
  const of = {
    customerId,
    workspaceId: Build.fresh.workspace(),
    partnerId: Build.fresh.partner(),
    schemaId: Build.fresh.schema(),
  };
  const { partnerId, schemaId } = of;
  const formulas = [Build.formula(of), Build.formula(of, { release: "on_receipt" })];
  // The key id is unique among all customers.
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
  readonly person?: string | null;
  readonly at?: number;
  readonly key?: string | null;
  /** The required version of the API keys; null for no requirement. */
  readonly apiKeyVersion?: number | null;
}

/** A command that creates the sales, under the fixtures' formula sets in turn. */
const creation = (
  fixtures: ReadonlyArray<Fixture>,
  { sales, actor = Build.ACTOR, person = null, at = Build.EPOCH, key = null, apiKeyVersion = null }: Given,
  version = 1,
): Storage.ChangeSet => {
  const acting = person === null ? { actor } : { actor, person };
  const by = <Save extends Storage.SaveLogged<"attribution"> | Storage.SaveLogged<"commission">>(
    save: Save,
  ) => ({
    ...save,
    entries: save.entries.map((entry) => ({ ...entry, ...acting })),
  });
  let originId: Ids.AttributionId | null = null;
  const changes = sales.flatMap(
    ({ workspace, agent, reference, properties, amounts, occurredAt, credit }, index) => {
      const credited = originId === null ? null : credit;
      const fixture = fixtures[index % fixtures.length];
      if (fixture === undefined) throw new Error("no fixture");
      const attribution = Build.attribution(
        { ...fixture.of, workspaceId: fixture.workspaces[workspace] ?? fixture.of.workspaceId },
        {
          createdAt: at,
          occurredAt,
          properties,
          agentId: agent ? Ids.AgentId.make(Build.freshUuid()) : null,
          externalReference: reference === null ? null : `${Build.freshUuid()}${reference}`,
          ...(credited === null
            ? {}
            : {
                originId,
                credit: {
                  ...{ role: credited.role, share: "1/3", depth: index },
                  ...(credited.further ? { further: true } : {}),
                },
              }),
        },
      );
      originId ??= attribution.row.id;
      return [
        by(attribution),
        ...amounts.flatMap((amount, place) => {
          const formula = fixture.formulas[place];
          return formula === undefined ? [] : [by(Build.commission(attribution.row, formula.row, amount))];
        }),
      ];
    },
  );
  const requires: Array<Storage.Requirement> = fixtures
    .slice(0, sales.length)
    .map(({ of: { partnerId, schemaId } }) => ({ type: "formula_set", partnerId, schemaId, version }));
  if (apiKeyVersion !== null) {
    requires.push(
      ...fixtures.map(
        ({ apiKeyId: id }) => ({ type: "record", kind: "apiKey", id, version: apiKeyVersion }) as const,
      ),
    );
  }
  const answer = { text: `of ${key}`, null: null, list: [1, "a,b"] };
  return Build.changeSet({
    command: { id: Build.fresh.command(), ...acting, at },
    changes,
    requires,
    idempotencyRecord:
      key === null ? null : { principalId: actor, key, requestSha256: `sha of ${key}`, result: answer, at },
  });
};

/** Fails with the conflict that a call returns. */
const stored = async (query: Promise<pg.QueryResult<Committed>>): Promise<void> => {
  const [committed] = (await query).rows;
  if (committed?.conflict !== null) throw committed?.conflict;
};

const refused = (query: Promise<void>): Promise<Pick<Conflict, "code" | "detail"> | null> =>
  query.then(
    () => null,
    ({ code, detail }: Conflict) => ({ code, detail }),
  );

/** A database, both functions, and queries for rows. */
const openFunctions = Effect.gen(function* () {
  const client = yield* connected(yield* database());
  const commit = async (customerId: Ids.CustomerId, set: Storage.ChangeSet) =>
    stored(
      client.query("select quittance.commit_command($1::uuid, $2::jsonb) as conflict", [
        customerId,
        await Effect.runPromise(body(customerId, set)),
      ]),
    );
  const createAttributions = (customerId: Ids.CustomerId, sets: ReadonlyArray<Storage.ChangeSet>) => {
    const creations = sets.map((set) => {
      const creation = creationOf(customerId, set);
      if (creation === null) throw new Error("the change set is not a creation of attributions");
      return creation;
    });
    return stored(
      client.query(
        CREATE_ATTRIBUTIONS,
        parameters(customerId, creations).map((make) => make()),
      ),
    );
  };
  const found = async (query: string, customerId: Ids.CustomerId) =>
    (await client.query(query, [customerId])).rows;
  return { commit, createAttributions, found };
});

const run = <A>(test: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(test));

it("both functions store the same rows and refuse the same change sets", () =>
  run(
    Effect.gen(function* () {
      const { commit, createAttributions, found } = yield* openFunctions;
      const same = fc.asyncProperty(
        fc.array(sale, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 1, 1, 0),
        fc.constantFrom(null, 1, 1, 2),
        async (sales, version, apiKeyVersion) => {
          const [one, other] = [Build.fresh.customer(), Build.fresh.customer()];
          const fixture = createFixture(one);
          await commit(one, fixture.setting);
          await commit(other, of(one, other, fixture.setting));
          const set = creation([fixture], { sales, apiKeyVersion }, version);
          const byCommit = await refused(commit(other, of(one, other, set)));
          expect(await refused(createAttributions(one, [set]))).toEqual(byCommit);
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
  person: fc.option(text),
  // Around midnight, so that two sales are on one day or on two.
  at: fc.nat(6).map((hours) => Build.EPOCH + (hours - 3) * (Build.DAY / 6)),
  key: fc.option(text),
  apiKeyVersion: fc.constantFrom(null, 1),
});

it("one call for several commands stores the same rows as a commit for each", () =>
  run(
    Effect.gen(function* () {
      const { commit, createAttributions, found } = yield* openFunctions;
      const same = fc.asyncProperty(
        fc.array(given, { minLength: 2, maxLength: 5 }),
        fc.constantFrom(1, 2),
        async (commands, count) => {
          const [one, other] = [Build.fresh.customer(), Build.fresh.customer()];
          const fixtures = Array.from({ length: count }, () => createFixture(one));
          for (const { setting } of fixtures) {
            await commit(one, setting);
            await commit(other, of(one, other, setting));
          }
          const sets = commands.map((command, place) =>
            creation(fixtures, {
              ...command,
              key: command.key === null ? null : `${place}${command.key}`,
            }),
          );
          await createAttributions(one, sets);
          for (const set of sets) await commit(other, of(one, other, set));
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
  credit: null,
};
const earlier: Given = { sales: [plain], key: "taken" };

/** Faults of one command in a group, with the error's code; `before` are change sets stored earlier. */
const faults: ReadonlyArray<{
  readonly name: string;
  readonly code: string;
  readonly of: (fixture: Fixture, stored: Storage.ChangeSet) => ReadonlyArray<Storage.ChangeSet>;
}> = [
  {
    name: "the version of a fixture is another",
    code: "QT001",
    of: (fixture) => [creation([fixture], { sales: [plain] }, 2)],
  },
  {
    name: "the credential has changed",
    code: "QT001",
    of: (fixture) => [creation([fixture], { sales: [plain], apiKeyVersion: 2 })],
  },
  {
    name: "its key is taken",
    code: "QT002",
    of: (fixture) => [creation([fixture], earlier)],
  },
  {
    name: "another of the group has its key",
    code: "QT002",
    of: (fixture) => ["k", "k"].map((key) => creation([fixture], { sales: [plain], key })),
  },
  {
    name: "its id is taken",
    code: "23505",
    of: (fixture, { command }) => [{ ...creation([fixture], { sales: [plain] }), command }],
  },
  {
    name: "another of the group has its id",
    code: "23505",
    of: (fixture) => {
      const { command } = creation([fixture], { sales: [plain] });
      return [command, command].map((same) => ({
        ...creation([fixture], { sales: [plain] }),
        command: same,
      }));
    },
  },
  {
    name: "another of the group has its reference",
    code: "23505",
    of: (fixture) => {
      const set = creation([fixture], { sales: [plain] });
      const named = (changeSet: Storage.ChangeSet): Storage.ChangeSet => ({
        ...changeSet,
        changes: changeSet.changes.map((change) =>
          change.type === "save" && change.kind === "attribution"
            ? { ...change, row: { ...change.row, externalReference: "same" } }
            : change,
        ),
      });
      return [named(set), named(creation([fixture], { sales: [plain] }))];
    },
  },
];

for (const { name, code, of: faulty } of faults)
  it(`a group stores nothing when of one ${name}, and fails with the error of that command's own commit`, () =>
    run(
      Effect.gen(function* () {
        const { commit, createAttributions, found } = yield* openFunctions;
        const check = async (place: number) => {
          const [one, other] = [Build.fresh.customer(), Build.fresh.customer()];
          const fixture = createFixture(one);
          const stored = creation([fixture], earlier);
          for (const set of [fixture.setting, stored]) {
            await commit(one, set);
            await commit(other, of(one, other, set));
          }
          const group = [0, 1].map((index) => creation([fixture], { sales: [plain], key: `fine ${index}` }));
          group.splice(place, 0, ...faulty(fixture, stored));
          const alone = [];
          for (const set of group) alone.push((await refused(commit(other, of(one, other, set))))?.code);
          const refusals = alone.filter((refusal) => refusal !== undefined);
          expect(refusals).toEqual([code]);
          const before = [await found(ROWS, one), await found(DELTAS, one)];
          expect((await refused(createAttributions(one, group)))?.code).toBe(code);
          expect([await found(ROWS, one), await found(DELTAS, one)]).toEqual(before);
        };
        for (const place of [0, 1, 2]) yield* Effect.promise(() => check(place));
      }),
    ));
