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
import { compareStored } from "./Comparison.ts";
import { agrees, type Line } from "./Reconciliation.ts";
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

/** The reader of a file's commissions, which notes the line of each reference: the second row with one is wrong. */
const readerOf = (system: System, lines: Map<string, number>) => {
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

/** Partners that are created at once. */
const CREATED = 8;

/** Creates the partners that the workspace lacks; returns the ids of all by their references. */
const createPartners = (target: Target, workspaceId: string, partners: Scan["partners"]) =>
  Effect.gen(function* () {
    const ids = yield* loadPartners(target, workspaceId);
    const missing = [...partners.values()].filter(({ reference }) => !ids.has(reference));
    yield* Effect.forEach(
      missing,
      ({ reference, name, email }) =>
        Effect.gen(function* () {
          const reply = yield* target.request("POST", "partners", {
            ...{ workspace_id: workspaceId, name, external_reference: reference },
            ...(email === "" ? {} : { email }),
          });
          const { id } = yield* expectStatus<Named>(reply, 201, `the partner "${name}" cannot be created`);
          ids.set(reference, id);
        }),
      { concurrency: CREATED, discard: true },
    );
    return { ids, created: missing.length };
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
  earners: Scan["earners"],
  ids: ReadonlyMap<string, string>,
) =>
  Effect.gen(function* () {
    const schemas = new Map<string, string>();
    for (const [currency, references] of earners) {
      const schemaId = yield* findOrCreate(target, workspaceId, "attribution-schemas", {
        name: `Commissions of ${system.title}, ${currency}`,
        properties: PROPERTIES,
      });
      const planId = yield* findOrCreate(target, workspaceId, "commission-plans", {
        ...{ name: `As ${system.title} computed, ${currency}`, schema_id: schemaId, currency },
        ...{ start_datetime: "1970-01-01T00:00:00Z", expression: { type: "property", name: "earned" } },
      });
      const partnerIds = [...references].map((reference) => ids.get(reference));
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
const checkerOf = ({ system, workspaceId }: Request, lines: Map<string, number>) => {
  const read = readerOf(system, lines);
  return (row: Row): Either.Either<Sale.Sale, string> =>
    Either.flatMap(read(row), (sale) => {
      const refusal = refusalOf(sale, workspaceId);
      return refusal === null ? Either.right(sale) : Either.left(refusal);
    });
};

/** What a file has, without its commissions. */
interface Scan {
  /** The line of each commission by its reference. */
  readonly lines: Map<string, number>;
  /** Those of commissions that can be taken over, by their reference. */
  readonly partners: ReadonlyMap<string, Sale.Sale["partner"]>;
  /** The references of the partners who earn in each currency. */
  readonly earners: ReadonlyMap<Currency.Currency, ReadonlySet<string>>;
  /** Commissions that can be taken over, void ones, and rows that are wrong. */
  readonly good: number;
  readonly voided: number;
  readonly bad: number;
}

/** Reads every row of the file and names each that is wrong. */
const scan = (request: Request): Effect.Effect<Scan, CommandFailed> =>
  Effect.gen(function* () {
    const { file, system, json } = request;
    const lines = new Map<string, number>();
    const read = checkerOf(request, lines);
    const report = reporter(json);
    const partners = new Map<string, Sale.Sale["partner"]>();
    const earners = new Map<Currency.Currency, Set<string>>();
    let [good, voided, bad] = [0, 0, 0];
    yield* Stream.runForEach(rowsOf(file, system.format), (row) => {
      const found = read(row);
      if (Either.isLeft(found)) {
        bad += 1;
        return report({ row: row.number, line: row.line, problem: found.left });
      }
      const { partner, currency, state } = found.right;
      if (!partners.has(partner.reference)) partners.set(partner.reference, partner);
      if (state === "void") voided += 1;
      else {
        good += 1;
        earners.set(currency, (earners.get(currency) ?? new Set()).add(partner.reference));
      }
      return Effect.void;
    });
    return { lines, partners, earners, good, voided, bad };
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
    const scanned = yield* scan(request);
    const { partners, earners, good, voided, bad } = scanned;
    if (bad > 0) yield* exitWith(FAILURE);
    if (bad > 0 && !skipBadRows) {
      const what = `${counted(bad, "row")} cannot be taken over; correct them, or pass --skip-bad-rows`;
      return yield* Effect.as(note(`quittance: nothing was stored: ${what}`), []);
    }
    const target = yield* openTarget;
    if (dryRun) {
      const known = yield* loadPartners(target, workspaceId);
      const missing = [...partners.keys()].filter((reference) => !known.has(reference));
      const others = voided > 0 ? `, ${voided} left out` : "";
      const what = `${counted(good, "commission")} can be taken over${others}, and ${counted(missing.length, "partner")} created`;
      const text = request.json
        ? JSON.stringify({ commissions: good, left_out: voided, bad, partners: missing.length, stored: 0 })
        : `${what}; nothing was stored`;
      return yield* Effect.as(print(text), []);
    }
    const { ids, created } = yield* createPartners(target, workspaceId, partners);
    const schemas = yield* createPlans(target, request, earners, ids);
    if (!request.json) yield* print(`${counted(created, "partner")} created`);
    const reader = readerOf(system, scanned.lines);
    const read = (row: Row) => Either.map(reader(row), (sale) => bodyOf(sale, workspaceId, ids, schemas));
    const rows = rowsOf(file, system.format);
    // Every row has been checked before the first partner was created.
    yield* storeRows({ ...request, fromRow: 1 }, target, { rows, read, check: read });
    const { lines: known } = scanned;
    const compared = yield* compareStored(target, {
      ...{ rows, read: checkerOf(request, known), lines: known, ids, schemaIds: [...schemas.values()] },
    });
    const lines = compared.lines(totals);
    yield* printLines(lines, request);
    return lines;
  });
