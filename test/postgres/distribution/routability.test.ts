/** Checks without Citus what Citus requires: constraint names with a shard number, and statements that one node can execute. */

import { Context, Effect, Exit, Layer, ManagedRuntime, Scope } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import type { Committed, Conflict } from "../../../adapters/sql/Failure.ts";
import * as Sql from "../../../adapters/sql/index.ts";
import { contractOfSameStatements } from "../../support/contract.ts";
import { database } from "../../support/postgres.ts";
import { type Catalog, type Routine, readersOf, routineProblems, statementProblems } from "./Routability.ts";
import { schemaOf } from "./Schema.ts";

/** A returned conflict in the form of Citus: the name of the constraint is that of a shard. */
const onShard = <Row extends object>(row: Row): Row => {
  const conflict = Reflect.get(row, "conflict") as Conflict | null | undefined;
  return conflict?.constraint == null
    ? row
    : { ...row, conflict: { ...conflict, constraint: `${conflict.constraint}_102031` } };
};

const sent = new Map<string, Sql.Statement>();
/** The errors that the server has raised, and the conflicts that functions have returned, by SQLSTATE. */
const raised = new Set<unknown>();
const returned = new Set<string>();

/** Changes constraint names in conflicts, and records the text of every statement and how it failed. */
const asCitus = (runner: Sql.Runner): Sql.Runner => ({
  ...runner,
  run: <Row extends object>(statement: Sql.Statement, parameters: ReadonlyArray<Sql.Parameter>) =>
    Effect.suspend(() => {
      sent.set(`${statement.text} ${JSON.stringify(statement.scope)}`, statement);
      return runner.run<Row>(statement, parameters).pipe(
        Effect.tapError(({ cause }) => Effect.sync(() => raised.add(Reflect.get(Object(cause), "code")))),
        Effect.map((rows) => {
          for (const { conflict } of rows as ReadonlyArray<Partial<Committed>>)
            if (conflict != null) returned.add(conflict.code);
          return rows.map(onShard);
        }),
      );
    }),
});

const scope = Effect.runSync(Scope.make());
const url = await Effect.runPromise(Scope.extend(database(), scope));
const runtime = ManagedRuntime.make(
  Sql.layer({ migrate: false }).pipe(
    Layer.provide(
      Layer.map(client({ url }), (context) =>
        Context.add(context, Sql.Statements, asCitus(Context.get(context, Sql.Statements))),
      ),
    ),
  ),
);
afterAll(async () => {
  await runtime.dispose();
  await Effect.runPromise(Scope.close(scope, Exit.void));
});

describe("the storage contract with the constraint names of Citus", () => {
  it.each(contractOfSameStatements)("$name", ({ check }) => runtime.runPromise(check));

  it("is refused by values: an error of a node would make the coordinator close its connection to it", () => {
    expect([...returned].sort()).toEqual(["23505", "QT001", "QT002"]);
    // What a change set refers to is absent only by a mistake of ours.
    expect([...raised]).toEqual(["23503"]);
  });
});

/** Functions that read rows of all customers. For statements the scope decides. */
const SEARCHES = ["claim_messages"];

/** The `from` of statements without a scope that read rows of all customers. */
const LOOK_UPS = ["from quittance.payment_references t where t.reference = any"];

const schema = Effect.runPromise(schemaOf(url));

/** The number of the parameter that names the customer, as the check takes it. */
const customerOf = ({ scope, text }: Sql.Statement): number | "any" | null =>
  scope.type === "customer"
    ? scope.position + 1
    : scope.type === "none" && !LOOK_UPS.some((lookUp) => text.includes(lookUp))
      ? "any"
      : null;

describe("every statement goes to the node of its customer", () => {
  it("of those that the contract sends", async () => {
    const { catalog } = await schema;
    expect(sent.size).toBeGreaterThan(100);
    const problems = [...sent.values()].flatMap((statement) => {
      const found = statementProblems(statement.text, customerOf(statement), catalog);
      return found.length === 0 ? [] : [{ text: statement.text, found }];
    });
    expect(problems).toEqual([]);
  });

  it("of those in functions", async () => {
    const { catalog, routines } = await schema;
    expect(routines.length).toBeGreaterThan(40);
    const problems = routines.flatMap((routine) => {
      const found = routineProblems(routine, catalog, SEARCHES.includes(routine.name));
      return found.length === 0 ? [] : [{ name: routine.name, found }];
    });
    expect(problems).toEqual([]);
  });
});

describe("the check of statements", () => {
  const catalog: Catalog = {
    distributed: new Set(["events", "commissions"]),
    reference: new Set(["routes"]),
    readers: new Set(["is_stale"]),
    volatile: new Set(["clock_timestamp", "now_milliseconds"]),
  };
  const lateral = `from (select 1) w cross join lateral (
    select from quittance.events e where e.customer_id = $1 and e.id = w.id limit 1) e`;

  it.each<readonly [string, number | "any" | null, string | null]>([
    ["select 1 from quittance.events e where e.customer_id = $1 and e.id = $2", 1, null],
    ["select 1 from quittance.events where $1::uuid = customer_id", 1, null],
    ["select 1 from quittance.events e where e.customer_id = $2", 1, "events e is not compared"],
    ["select 1 from quittance.events e where e.customer_id = any ($1)", 1, "events e is not compared"],
    ["select 1 from quittance.events e where e.customer_id = $1 or e.id = $2", 1, "events e is not compared"],
    [
      "select 1 from quittance.events e join quittance.commissions c on c.customer_id = e.customer_id where e.customer_id = $1",
      1,
      "commissions c is not compared",
    ],
    [
      "select (select 1 from quittance.events e where e.customer_id = c.customer_id) from quittance.commissions c where c.customer_id = $1",
      1,
      "events e is not compared",
    ],
    ["update quittance.events e set id = $2 where e.id = $1", "any", "events e is not compared"],
    [
      "delete from quittance.events e using quittance.routes r where e.customer_id = r.customer_id",
      "any",
      "events e is not",
    ],
    ["insert into quittance.events (id, customer_id) values ($2, $1)", 1, null],
    ["insert into quittance.events (id, customer_id) values ($1, $2)", 1, "a row of events"],
    [
      "insert into quittance.events (customer_id) select r.c from unnest($1) r(c) union all select $1",
      1,
      "a row of events",
    ],
    [
      "select 1 from quittance.events e where e.customer_id = $1 union all select 1 from quittance.events",
      1,
      "events events",
    ],
    [
      "update quittance.events set at = $2 where customer_id = $1 and at < clock_timestamp()",
      1,
      "a call of clock_timestamp",
    ],
    [
      "delete from quittance.events where customer_id = $1 and at < quittance.now_milliseconds()",
      1,
      "a call of now_milliseconds",
    ],
    ["insert into quittance.events (customer_id, at) values ($1, clock_timestamp())", 1, null],
    [
      "with w as (delete from quittance.events where customer_id = $1 returning id) insert into quittance.commissions (customer_id, id) select $1, w.id from w",
      1,
      "an insert into commissions of rows of the CTE w",
    ],
    [
      "with w as (select 1 as id), i as (insert into quittance.events (customer_id, id) select $1, w.id from w) select 1 from w",
      1,
      "an insert into events of rows of the CTE w",
    ],
    [
      "with w as (insert into quittance.events (customer_id, id) select $1, r from unnest($2::uuid[]) r returning id) select count(*) from w",
      1,
      null,
    ],
    ["update quittance.routes set at = clock_timestamp()", "any", null],
    ["with recursive w as (select 1) select 1 from w", 1, "a recursive CTE"],
    [
      "update quittance.events set id = coalesce($2[1], $3), place = ($2)[1] + 1 where customer_id = $1",
      1,
      null,
    ],
    ["update quittance.events set id = ($2::uuid[])[1] where customer_id = $1", 1, "an array element"],
    ["update quittance.events set id = ($2::text[])[1]::uuid where customer_id = $1", 1, "an array element"],
    [
      "insert into quittance.events (customer_id) values ($1) on conflict (customer_id) do update set id = ($2::uuid[])[1]",
      1,
      "an array element",
    ],
    [
      "select 1 from quittance.routes r where r.key = $1 for share",
      "any",
      "a lock on a row of the reference table",
    ],
    ["select quittance.is_stale($1, $2)", 1, null],
    [
      "select quittance.is_stale($1, e.id) from quittance.events e where e.customer_id = $1",
      1,
      "a call of is_stale",
    ],
    [`select 1 ${lateral}`, 1, null],
    [`select 1 ${lateral}`, null, "a lateral subquery with a limit"],
    ["select 1 from quittance.events e", null, null],
  ])("%s", (text, customer, problem) => {
    const found = statementProblems(text, customer, catalog);
    expect(found).toEqual(problem === null ? [] : [expect.stringContaining(problem)]);
  });

  const plpgsql = (body: string): Routine => ({
    name: "planted",
    language: "plpgsql",
    definition: `create function planted(customer uuid) returns void language plpgsql as $$ declare seen integer; begin ${body} end $$`,
    source: body,
  });
  const skipping = `insert into quittance.events (customer_id, id) select customer, g from generate_series(1, 2) g
    on conflict do nothing`;

  it.each<readonly [string, string | null]>([
    ["perform from quittance.events e where e.customer_id = customer;", null],
    ["perform from quittance.events e where e.customer_id = other;", "events e is not compared"],
    [
      "if exists (select from quittance.events e where e.id = customer) then return; end if;",
      "events e is not",
    ],
    ["seen := (select count(*) from quittance.events e);", "events e is not compared"],
    [
      "execute format('select 1 from quittance.%I t where t.id = $1', 'events') using customer;",
      "events t is not",
    ],
    [
      "execute format('select 1 from quittance.%I t where t.customer_id = $1', 'events') using customer;",
      null,
    ],
    [`${skipping}; get diagnostics seen = row_count;`, "row_count or found"],
    [`${skipping}; if not found then return; end if;`, "row_count or found"],
    [`${skipping}; if seen = 1 then return; end if;`, null],
    ["update quittance.events e set id = ids[1] where e.customer_id = customer;", "an array element"],
    [
      "update quittance.events e set at = clock_timestamp() where e.customer_id = customer;",
      "which is volatile",
    ],
    [
      "perform from quittance.routes r where r.key = customer for update;",
      "a lock on a row of the reference",
    ],
    [
      "perform quittance.is_stale(e.id) from quittance.events e where e.customer_id = customer;",
      "a call of is_stale",
    ],
    ["with recursive w as (select 1) select 1 into seen from w;", "a recursive CTE"],
    [
      "with w as (select e.id from quittance.events e where e.customer_id = customer) insert into quittance.events (customer_id, id) select customer, w.id from w;",
      "of rows of the CTE w",
    ],
  ])("%s", (body, problem) => {
    const found = routineProblems(plpgsql(body), catalog, false);
    expect(found).toEqual(problem === null ? [] : [expect.stringContaining(problem)]);
  });

  it("finds functions that read tables, and refuses those in the language SQL", () => {
    const sql = (source: string): Routine => ({ name: "counts", language: "sql", definition: "", source });
    const callsIt = plpgsql("perform quittance.counts();");
    const tables = new Set(["events"]);
    expect([...readersOf([sql("select 1"), callsIt], tables)]).toEqual([]);
    const real = sql("select count(*) from quittance.events");
    expect([...readersOf([callsIt, real], tables)].sort()).toEqual(["counts", "planted"]);
    expect(routineProblems(real, { ...catalog, readers: new Set(["counts"]) }, false)).toEqual([
      "a function in the language SQL that reads tables",
    ]);
  });
});
