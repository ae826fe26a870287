/** The work of `quittance takeover`: partners and commissions of another system, and a comparison of both afterwards. */
import { Effect, Either, Schema, type Scope, Stream } from "effect";
import { Currency, Ids } from "quittance";
import { type CommandFailed, FAILURE, usageError } from "../CommandFailed.ts";
import { type Body, type Definition, problemOf } from "../importing/Bodies.ts";
import { reporter, storeRows } from "../importing/ImportFile.ts";
import { listAll } from "../importing/KnownPartners.ts";
import { headerOf, type Row, requireColumns, rowsOf } from "../importing/Rows.ts";
import { counted, exitWith, note, print, printTable } from "../Output.ts";
import { expectStatus, type Target } from "../Target.ts";
import { agrees, type Line, reconcile, type Stored } from "./Reconciliation.ts";
import * as Sale from "./Sale.ts";
import { columnsOf, type System } from "./System.ts";
import { readTotals } from "./Totals.ts";

/** What to take over, and how. */
export interface Request {
  readonly file: string;
  readonly system: System;
  readonly workspaceId: string;
  /** A file of totals that the other system states; null where there is none. */
  readonly totals: string | null;
  readonly dryRun: boolean;
  readonly skipBadRows: boolean;
  readonly json: boolean;
}

const isWorkspaceId = Schema.is(Ids.WorkspaceId);

type Sales = ReadonlyMap<string, Sale.Sale>;

/** The reader of a file's commissions: the second row with a reference is wrong. */
const readerOf = (system: System) => {
  const lines = new Map<string, number>();
  return (row: Row): Either.Either<Sale.Sale, string> =>
    Either.flatMap(Sale.read(system, row), (sale) => {
      const before = lines.get(sale.reference);
      lines.set(sale.reference, before ?? row.line);
      return before === undefined || before === row.line
        ? Either.right(sale)
        : Either.left(`column ${system.reference} has "${sale.reference}", as line ${before}`);
    });
};

const checkColumns = ({ file, system }: Request): Effect.Effect<void, CommandFailed> =>
  system.format === "csv"
    ? Effect.flatMap(headerOf(file), (columns) => requireColumns(file, columns, columnsOf(system)))
    : Effect.void;

interface Named {
  readonly id: string;
  readonly name?: string;
  readonly view?: { readonly name?: string };
}

/** The id of the record of the workspace with a name; created where there is none. */
const findOrCreate = (
  target: Target,
  workspaceId: string,
  path: string,
  body: Readonly<Record<string, unknown>> & { readonly name: string },
): Effect.Effect<string, CommandFailed> =>
  Effect.gen(function* () {
    const filters = `&workspace_ids=${workspaceId}&name=${encodeURIComponent(body.name)}`;
    const found = yield* listAll<Named>(target, path, path.replaceAll("-", "_"), filters);
    const same = found.find(({ name, view }) => (name ?? view?.name) === body.name);
    if (same !== undefined) return same.id;
    const reply = yield* target.request("POST", path, { workspace_id: workspaceId, ...body });
    return (yield* expectStatus<Named>(reply, 201, `${path}: "${body.name}" cannot be created`)).id;
  });

interface PartnerRecord {
  readonly id: string;
  readonly external_reference?: string;
  readonly view?: { readonly external_reference?: string };
}

/** Partners of the workspace by their reference. */
const loadPartners = (target: Target, workspaceId: string) =>
  Effect.map(
    listAll<PartnerRecord>(target, "partners", "partners", `&workspace_ids=${workspaceId}`),
    (partners) =>
      new Map(
        partners.flatMap(({ id, view, external_reference: stated }) => {
          const reference = view?.external_reference ?? stated;
          return reference === undefined || reference === null ? [] : [[reference, id] as const];
        }),
      ),
  );

/** Creates the partners that the workspace lacks; returns the ids of all by their references. */
const createPartners = (target: Target, workspaceId: string, sales: Sales) =>
  Effect.gen(function* () {
    const ids = yield* loadPartners(target, workspaceId);
    let created = 0;
    for (const { partner } of sales.values()) {
      const { reference, name, email } = partner;
      if (ids.has(reference)) continue;
      const reply = yield* target.request("POST", "partners", {
        ...{ workspace_id: workspaceId, name, external_reference: reference },
        ...(email === "" ? {} : { email }),
      });
      ids.set(
        reference,
        (yield* expectStatus<Named>(reply, 201, `the partner "${name}" cannot be created`)).id,
      );
      created += 1;
    }
    return { ids, created };
  });

/** Partners that are assigned to a plan at once. */
const ASSIGNED = 1_000;

const PROPERTIES: ReadonlyArray<Definition> = [
  { name: "earned", type: "number", required: true },
  { name: "sale_amount", type: "number", required: false },
] as ReadonlyArray<Definition>;

/** A schema and a plan that pays what the other system computed, for each currency; returns the ids of the schemas. */
const createPlans = (
  target: Target,
  { system, workspaceId }: Request,
  sales: Sales,
  ids: ReadonlyMap<string, string>,
) =>
  Effect.gen(function* () {
    const schemas = new Map<string, string>();
    const counting = [...sales.values()].filter(({ state }) => state !== "void");
    for (const currency of new Set(counting.map((sale) => sale.currency))) {
      const schemaId = yield* findOrCreate(target, workspaceId, "attribution-schemas", {
        name: `Commissions of ${system.title}, ${currency}`,
        properties: PROPERTIES,
      });
      const planId = yield* findOrCreate(target, workspaceId, "commission-plans", {
        ...{ name: `As ${system.title} computed, ${currency}`, schema_id: schemaId, currency },
        ...{ start_datetime: "1970-01-01T00:00:00Z", expression: { type: "property", name: "earned" } },
      });
      const earners = counting
        .filter((sale) => sale.currency === currency)
        .map(({ partner }) => partner.reference);
      const partnerIds = [...new Set(earners)].map((reference) => ids.get(reference));
      for (let from = 0; from < partnerIds.length; from += ASSIGNED) {
        const reply = yield* target.request("POST", `commission-plans/${planId}/partners`, {
          partner_ids: partnerIds.slice(from, from + ASSIGNED),
        });
        yield* expectStatus(reply, 200, `partners cannot be assigned to the plan of ${currency}`);
      }
      schemas.set(currency, schemaId);
    }
    return schemas;
  });

/** A commission as an attribution; null where it is void. */
const bodyOf = (
  sale: Sale.Sale,
  workspaceId: string,
  partners: ReadonlyMap<string, string>,
  schemas: ReadonlyMap<string, string>,
): Body | null =>
  sale.state === "void"
    ? null
    : {
        workspace_id: workspaceId,
        schema_id: schemas.get(sale.currency),
        partner_id: partners.get(sale.partner.reference),
        external_reference: sale.reference,
        occurred_at: sale.occurredAt,
        properties: { earned: sale.earned, ...(sale.worth === null ? {} : { sale_amount: sale.worth }) },
        ...(sale.paidAt === null
          ? {}
          : {
              settled_elsewhere: {
                at: sale.paidAt,
                ...(sale.paidReference === "" ? {} : { reference: sale.paidReference }),
              },
            }),
      };

/** Why the interface would refuse a commission, or null. Ids are known when partners and schemas are created. */
const refusalOf = (sale: Sale.Sale, workspaceId: string): string | null => {
  const ids = new Map([[sale.partner.reference, workspaceId]]);
  const body = bodyOf(sale, workspaceId, ids, new Map([[sale.currency, workspaceId]]));
  return body === null ? null : problemOf(body, PROPERTIES);
};

/** The commission of a row, unless the interface would refuse it. */
const checkerOf = ({ system, workspaceId }: Request) => {
  const read = readerOf(system);
  return (row: Row): Either.Either<Sale.Sale, string> =>
    Either.flatMap(read(row), (sale) => {
      const refusal = refusalOf(sale, workspaceId);
      return refusal === null ? Either.right(sale) : Either.left(refusal);
    });
};

/** Every commission of the file that can be taken over, by its reference, and the number of rows that cannot. */
const scan = (request: Request) =>
  Effect.gen(function* () {
    const { file, system, json } = request;
    const read = checkerOf(request);
    const report = reporter(json);
    const sales = new Map<string, Sale.Sale>();
    let bad = 0;
    yield* Stream.runForEach(rowsOf(file, system.format), (row) => {
      const found = read(row);
      if (Either.isRight(found)) {
        sales.set(found.right.reference, found.right);
        return Effect.void;
      }
      bad += 1;
      return report({ row: row.number, line: row.line, problem: found.left });
    });
    return { sales, bad };
  });

interface AttributionRecord {
  readonly id: string;
  readonly partner_id: string;
  readonly metadata: { readonly external_reference?: string };
}

interface CommissionRecord {
  readonly attribution_id: string;
  readonly currency: Currency.Currency;
  readonly view: { readonly computed_amount: number | null; readonly settled_amount: number };
}

/** Attributions whose commissions are read at once. */
const READ = 50;

/** What the schemas of the takeover have, by the reference of each commission. */
const loadStored = (
  target: Target,
  schemas: ReadonlyMap<string, string>,
  partners: ReadonlyMap<string, string>,
): Effect.Effect<ReadonlyMap<string, Stored>, CommandFailed> =>
  Effect.gen(function* () {
    const references = new Map([...partners].map(([reference, id]) => [id, reference]));
    const stored = new Map<string, Stored>();
    for (const schemaId of schemas.values()) {
      const all = yield* listAll<AttributionRecord>(
        target,
        "attributions",
        "attributions",
        `&schema_ids=${schemaId}`,
      );
      for (let from = 0; from < all.length; from += READ) {
        const some = new Map(all.slice(from, from + READ).map((record) => [record.id, record]));
        const filter = [...some.keys()].map((id) => `&attribution_ids=${id}`).join("");
        for (const { attribution_id, currency, view } of yield* listAll<CommissionRecord>(
          target,
          "commissions",
          "commissions",
          filter,
        )) {
          const sale = some.get(attribution_id);
          const reference = sale?.metadata.external_reference;
          if (sale === undefined || reference === undefined) continue;
          stored.set(reference, {
            ...{ partner: references.get(sale.partner_id) ?? sale.partner_id, currency },
            ...{ earned: view.computed_amount ?? 0, settled: view.settled_amount },
          });
        }
      }
    }
    return stored;
  });

const REASONS_MAX = 20;

const jsonOf = ({ partner, name, currency, theirs, ours, reasons }: Line): string =>
  JSON.stringify({
    ...{ partner, name, currency },
    theirs: { earned: Number(theirs.earned), paid: Number(theirs.paid) },
    ours: { earned: Number(ours.earned), settled: Number(ours.paid) },
    ...{ difference: Number(ours.earned - theirs.earned), reasons },
  });

/** Prints what both say of each partner; the command ends with 1 where they differ. */
const printLines = (lines: ReadonlyArray<Line>, { json, system }: Request) =>
  Effect.gen(function* () {
    const differing = lines.filter((line) => !agrees(line));
    if (differing.length > 0) yield* exitWith(FAILURE);
    if (json) return yield* Effect.forEach(lines, (line) => print(jsonOf(line)), { discard: true });
    const money = (amount: bigint, { currency }: Line) => Currency.formatAmount(amount, currency);
    yield* printTable(
      [
        "partner",
        "currency",
        `earned, ${system.title}`,
        "earned here",
        `paid, ${system.title}`,
        "settled here",
        "difference",
      ],
      lines.map((line) => [
        line.name,
        line.currency,
        ...[line.theirs.earned, line.ours.earned, line.theirs.paid, line.ours.paid].map((sum) =>
          money(sum, line),
        ),
        money(line.ours.earned - line.theirs.earned, line),
      ]),
    );
    for (const { name, currency, reasons } of differing) {
      for (const reason of reasons.slice(0, REASONS_MAX)) yield* print(`${name}, ${currency}: ${reason}`);
      if (reasons.length > REASONS_MAX)
        yield* print(`${name}, ${currency}: ${counted(reasons.length - REASONS_MAX, "more difference")}`);
    }
    yield* print(
      differing.length === 0
        ? `no difference from ${system.title} in ${counted(lines.length, "total")} of partners`
        : `a difference in ${differing.length} of ${counted(lines.length, "total")} of partners`,
    );
  });

/**
 * Takes over the file, and returns what both say of each partner; nothing where nothing was stored. The target is opened once
 * the rows have been read.
 */
export const takeOver = (
  request: Request,
  openTarget: Effect.Effect<Target, CommandFailed, Scope.Scope>,
): Effect.Effect<ReadonlyArray<Line>, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { file, system, workspaceId, dryRun, skipBadRows } = request;
    if (!isWorkspaceId(workspaceId))
      return yield* usageError(`--workspace must be a UUID, not "${workspaceId}"`);
    yield* checkColumns(request);
    const totals = request.totals === null ? new Map() : yield* readTotals(request.totals);
    const { sales, bad } = yield* scan(request);
    if (bad > 0) yield* exitWith(FAILURE);
    if (bad > 0 && !skipBadRows) {
      const what = `${counted(bad, "row")} cannot be taken over; correct them, or pass --skip-bad-rows`;
      return yield* Effect.as(note(`quittance: nothing was stored: ${what}`), []);
    }
    const target = yield* openTarget;
    if (dryRun) {
      const known = yield* loadPartners(target, workspaceId);
      const references = new Set([...sales.values()].map(({ partner }) => partner.reference));
      const missing = [...references].filter((reference) => !known.has(reference));
      const what = `${counted(sales.size, "commission")} can be taken over, and ${counted(missing.length, "partner")} created`;
      return yield* Effect.as(print(`${what}; nothing was stored`), []);
    }
    const { ids, created } = yield* createPartners(target, workspaceId, sales);
    const schemas = yield* createPlans(target, request, sales, ids);
    if (!request.json) yield* print(`${counted(created, "partner")} created`);
    const reader = readerOf(system);
    const read = (row: Row) => Either.map(reader(row), (sale) => bodyOf(sale, workspaceId, ids, schemas));
    const rows = rowsOf(file, system.format);
    // Every row has been checked before the first partner was created.
    yield* storeRows({ ...request, fromRow: 1 }, target, { rows, read, check: read });
    const lines = reconcile(sales, yield* loadStored(target, schemas, ids), totals);
    yield* printLines(lines, request);
    return lines;
  });
