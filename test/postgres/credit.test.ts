/** `quittance.credit` stores what `quittance.commit` would: the same change sets by both doors, row by row. */
import { Effect } from "effect";
import fc from "fast-check";
import type pg from "pg";
import { Ids, type Storage } from "quittance";
import { Build } from "quittance/testing";
import { expect, it } from "vitest";
import { body } from "../../adapters/sql/ChangeSet.ts";
import * as Credit from "../../adapters/sql/Credit.ts";
import { connected, database } from "../support/postgres.ts";

const ROWS = `
select 'attribution' as kind, to_jsonb(t) - 'customer_id' || jsonb_build_object('properties', t.properties::text) as row
from quittance.attributions t where t.customer_id = $1
union all
select 'commission', to_jsonb(t) - 'customer_id' from quittance.commissions t where t.customer_id = $1
union all
select 'event', to_jsonb(t) - 'customer_id' || jsonb_build_object('event', t.event::text)
from quittance.events t where t.customer_id = $1
union all
select 'program', to_jsonb(t) - 'customer_id' from quittance.programs t where t.customer_id = $1
union all
select 'command', to_jsonb(t) - 'customer_id' from quittance.commands t where t.customer_id = $1
union all
select 'delta', to_jsonb(t) - 'customer_id' from quittance.rollup_deltas t where t.customer_id = $1
order by 1, 2`;

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
});

/** The same value, of another customer. */
const of = <Value>(customerId: Ids.CustomerId, other: Ids.CustomerId, value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(customerId, other)) as Value;

const creation = (
  program: Build.Program,
  sales: ReadonlyArray<typeof sale extends fc.Arbitrary<infer Given> ? Given : never>,
  version: number,
): { readonly setting: Storage.ChangeSet; readonly creation: Storage.ChangeSet } => {
  const { partnerId, schemaId } = program;
  const workspaces = [program.workspaceId, Build.fresh.workspace()];
  const partner = Build.partner(program, { id: partnerId });
  const schema = Build.schema(program, { id: schemaId });
  const formulas = [Build.formula(program), Build.formula(program)];
  const changes = sales.flatMap(({ workspace, agent, reference, properties, amounts }, index) => {
    const attribution = Build.attribution(
      { ...program, workspaceId: workspaces[workspace] ?? program.workspaceId },
      {
        properties,
        agentId: agent ? Ids.AgentId.make(Build.freshUuid()) : null,
        externalReference: reference === null ? null : `${index}${reference}`,
      },
    );
    return [
      attribution,
      ...amounts.flatMap((amount, place) => {
        const formula = formulas[place];
        return formula === undefined ? [] : [Build.commission(attribution.row, formula.row, amount)];
      }),
    ];
  });
  return {
    setting: Build.changeSet({
      changes: [partner, schema, { type: "raise", partnerId, schemaId }, ...formulas],
    }),
    creation: Build.changeSet({
      changes,
      requires: [{ type: "program", partnerId, schemaId, version }],
    }),
  };
};

const refused = (
  query: Promise<unknown>,
): Promise<{ readonly code: string; readonly detail: string } | null> =>
  query.then(
    () => null,
    (error: pg.DatabaseError) => ({ code: error.code ?? "", detail: error.detail ?? "" }),
  );

it("stores the same rows by both doors, and refuses the same", () =>
  Effect.gen(function* () {
    const url = yield* database();
    const client = yield* connected(url);
    const general = (customerId: Ids.CustomerId, set: Storage.ChangeSet) =>
      client.query("select quittance.commit($1::uuid, $2::jsonb)", [customerId, body(customerId, set)]);
    const short = (customerId: Ids.CustomerId, set: Storage.ChangeSet) => {
      const creation = Credit.creation(customerId, set);
      if (creation === null) throw new Error("not taken for a creation");
      return client.query(Credit.CREDIT, [...Credit.parameters(customerId, [creation])]);
    };
    const rows = async (customerId: Ids.CustomerId) => (await client.query(ROWS, [customerId])).rows;
    const same = fc.asyncProperty(
      fc.array(sale, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(1, 1, 1, 0),
      async (sales, version) => {
        const one: Build.Program = {
          customerId: Build.fresh.customer(),
          workspaceId: Build.fresh.workspace(),
          partnerId: Build.fresh.partner(),
          schemaId: Build.fresh.schema(),
        };
        const other = Build.fresh.customer();
        const { setting, creation: set } = creation(one, sales, version);
        await general(one.customerId, setting);
        await general(other, of(one.customerId, other, setting));
        const byCommit = await refused(general(other, of(one.customerId, other, set)));
        expect(await refused(short(one.customerId, set))).toEqual(byCommit);
        expect(byCommit?.code ?? null).toBe(version === 1 ? null : "QT001");
        expect(await rows(one.customerId)).toEqual(await rows(other));
      },
    );
    yield* Effect.promise(() => fc.assert(same, { numRuns: 60, seed: 20261120 }));
  }).pipe(Effect.scoped, Effect.runPromise));
