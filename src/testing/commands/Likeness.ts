/** Compares what a store shows of a customer with what the model says it should. */
import { Effect } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import * as Ledger from "../../domain/Ledger.ts";
import type { Listed } from "../../ports/Storage.ts";
import * as Books from "../Books.ts";
import { shown } from "../Law.ts";
import { isOpen, quantities } from "../model/Earnings.ts";
import { expressionOf } from "../model/Plan.ts";
import { isStale, total } from "../model/Settlements.ts";
import type { Happening, Settlement, World } from "../model/World.ts";
import { all } from "../Portrait.ts";

/** Everything that a store shows of a customer. */
export interface Sight {
  readonly books: Books.Books;
  readonly partners: ReadonlyArray<Listed["partner"]>;
  readonly schemas: ReadonlyArray<Listed["schema"]>;
}

/** Reads it; of one moment only when nothing else writes meanwhile. */
export const sight = (customerId: CustomerId) =>
  Effect.gen(function* () {
    return {
      books: yield* Books.read(customerId),
      partners: yield* all(customerId, "partner"),
      schemas: yield* all(customerId, "schema"),
    } satisfies Sight;
  });

/** Stands for a value that the engine has made up and the model has not been told yet. */
const SOMETHING = Symbol("something");

/** The first place at which a value differs from an expected one; what the expected one leaves out may be anything. */
export const differing = (expected: unknown, found: unknown, path = ""): string | null => {
  if (Object.is(expected, found) || (expected === SOMETHING && found != null)) return null;
  const apart = () => `${path} is ${shown(found)}, the model says ${shown(expected)}`;
  if (typeof expected !== "object" || typeof found !== "object" || expected === null || found === null) {
    return apart();
  }
  if (Array.isArray(expected) !== Array.isArray(found)) return apart();
  if (Array.isArray(expected) && Array.isArray(found) && expected.length !== found.length) return apart();
  const held: { readonly [name: string]: unknown } = { ...found };
  for (const [name, value] of Object.entries(expected)) {
    if (Object.is(value, held[name])) continue;
    const difference = differing(value, held[name], `${path}.${name}`);
    if (difference !== null) return difference;
  }
  return null;
};

type Rows = ReadonlyMap<string, unknown>;

const happened = (log: ReadonlyArray<Happening>) =>
  log.map(({ at, type, fields }) => ({ at, event: { type, ...fields } }));

/** Properties by name; a list, so that a name too many is seen. */
const sorted = (properties: object) =>
  Object.entries(properties).toSorted(([one], [other]) => (one < other ? -1 : 1));

const expectedAttributions = (world: World, customerId: CustomerId): Rows =>
  new Map(
    world.attributions
      .filter((one) => one.customerId === customerId)
      .map(({ log, cancelReason, properties, ...rest }) => [
        rest.id,
        {
          row: { ...rest, cancelReason, status: cancelReason === null ? "confirmed" : "cancelled" },
          properties: sorted(properties),
          log: happened(log),
        },
      ]),
  );

const expectedFormulas = (world: World, customerId: CustomerId): Rows =>
  new Map(
    world.formulas
      .filter((one) => one.customerId === customerId)
      .map(({ log, start, end, versions, ...rest }) => [
        rest.id,
        {
          row: {
            ...rest,
            startDatetime: start,
            endDatetime: end,
            status: rest.cancelReason === null ? "active" : "cancelled",
            versions: versions.map(({ plan, effective }) => ({
              expression: expressionOf(plan),
              effectiveDatetime: effective,
            })),
            recomputing: false,
          },
          log: happened(log),
        },
      ]),
  );

const expectedCommissions = (world: World, customerId: CustomerId): Rows => {
  const rows = new Map<string, unknown>();
  for (const commission of world.commissions) {
    const { attributionId, formulaId, amount, version, failing, createdAt, log } = commission;
    const attribution = world.attributions.find(({ id }) => id === attributionId);
    const formula = world.formulas.find(({ id }) => id === formulaId);
    if (attribution?.customerId !== customerId) continue;
    const { paid, writtenOff, pending, settled, due, holder, status } = quantities(world, commission);
    const { workspaceId, partnerId } = attribution;
    rows.set(`${attributionId} ${formulaId}`, {
      row: {
        customerId,
        workspaceId,
        partnerId,
        currency: formula?.currency,
        createdAt,
        computedAmount: amount,
        paidAmount: paid,
        writtenOffAmount: writtenOff,
        pendingAmount: pending,
        openSettlementId: holder?.id ?? null,
        formulaVersion: version,
      },
      failing,
      settled,
      due,
      status,
      log: happened(log),
    });
  }
  return rows;
};

const reference = ({ hasReference, references, attempt }: Settlement) =>
  !hasReference ? null : references.length < attempt ? SOMETHING : references.at(-1);

const expectedSettlements = (world: World, customerId: CustomerId): Rows =>
  new Map(
    world.settlements
      .filter((one) => one.customerId === customerId)
      .map((settlement) => {
        const { id, workspaceId, partnerId, currency, status, taxAmount, payableAmount } = settlement;
        const { disputeReason, disputedAt, attempt, paidAt, createdAt, createdBy, linked } = settlement;
        const row = {
          ...{ workspaceId, partnerId, currency, status, taxAmount, payableAmount },
          ...{ disputeReason, disputedAt, attempt, paidAt, createdAt, createdBy },
          total: total(settlement),
          lines: settlement.lines.map(({ commissionId, amount }) => ({ commissionId, amount })),
          reconciliationStatus: settlement.reconciled ? "reconciled" : "unreconciled",
          paymentReference: reference(settlement),
          stale: isStale(world, settlement),
        };
        const approval = {
          billingMode: settlement.billingMode,
          selfBillingData: settlement.selfBillingData,
        };
        return [id, { row, linked, approval, open: isOpen(settlement), log: happened(settlement.log) }];
      }),
  );

const found = ({ books, partners, schemas }: Sight): { readonly [Kind in string]: Rows } => ({
  partner: new Map(partners.map((row) => [row.id, row])),
  schema: new Map(schemas.map((row) => [row.id, row])),
  attribution: new Map(
    books.attributions.map(({ row, log }) => [row.id, { row, log, properties: sorted(row.properties) }]),
  ),
  formula: new Map(books.formulas.map((one) => [one.row.id, one])),
  commission: new Map(
    books.commissions.map(({ row, log }) => [
      `${row.attributionId} ${row.formulaId}`,
      {
        row,
        log,
        failing: row.computationError !== null,
        settled: Ledger.settled(row),
        due: Ledger.due(row),
        status: Ledger.settlementStatus(row),
      },
    ]),
  ),
  settlement: new Map(
    books.settlements.map(({ row, log }) => [
      row.id,
      {
        row,
        log,
        linked: {
          report: row.reportReference !== null,
          invoice: row.invoiceReference !== null,
          credit_note: row.creditNoteReference !== null,
        },
        approval: row.approval ?? { billingMode: null, selfBillingData: null },
        open: !["paid", "written_off", "cancelled"].includes(row.status.type),
      },
    ]),
  ),
});

const expected = (world: World, customerId: CustomerId): { readonly [Kind in string]: Rows } => {
  const owned = <Row extends { readonly customerId: string }>(rows: ReadonlyArray<Row>) =>
    rows.filter((row) => row.customerId === customerId);
  return {
    partner: new Map(owned(world.partners).map((row) => [row.id, row])),
    schema: new Map(owned(world.schemas).map((row) => [row.id, row])),
    attribution: expectedAttributions(world, customerId),
    formula: expectedFormulas(world, customerId),
    commission: expectedCommissions(world, customerId),
    settlement: expectedSettlements(world, customerId),
  };
};

/** The first difference between what a store shows of a customer and what the model says; null when there is none. */
export const difference = (world: World, customerId: CustomerId, seen: Sight): string | null => {
  const shows = found(seen);
  for (const [kind, wanted] of Object.entries(expected(world, customerId))) {
    const rows = shows[kind] ?? new Map();
    for (const id of rows.keys()) if (!wanted.has(id)) return `${kind} ${id} is there, the model has none`;
    for (const [id, row] of wanted) {
      if (!rows.has(id)) return `${kind} ${id} is missing`;
      const difference = differing(row, rows.get(id));
      if (difference !== null) return `${kind} ${id}: ${difference}`;
    }
  }
  return null;
};
