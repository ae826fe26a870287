/** What holds of sales that several people earn from. */
import { type Attribution, saleIdOf } from "../../domain/Attribution.ts";
import { isAbove, sumOf } from "../../domain/Credit.ts";
import { isSame, paidOf } from "../../domain/Receipt.ts";
import { isSame as isSameSettling, settledOf } from "../../domain/SettledElsewhere.ts";
import { Rational } from "../../formula/index.ts";
import type { Invariant } from "./Invariant.ts";

/** The attributions of each sale with several credits, by its origin. */
const salesIn = (
  attributions: ReadonlyArray<Attribution>,
): ReadonlyMap<string, ReadonlyArray<Attribution>> => {
  const sales = new Map<string, Array<Attribution>>();
  for (const attribution of attributions) {
    if (attribution.credit === null) continue;
    const origin = attribution.originId ?? attribution.id;
    const sale = sales.get(origin);
    if (sale === undefined) sales.set(origin, [attribution]);
    else sale.push(attribution);
  }
  return sales;
};

const isGivenSeller = ({ credit }: Attribution): boolean => credit?.role === "seller" && credit.depth === 0;

const whole: Invariant = {
  name: "S10",
  statement: "The shares of the sellers of a sale add up to 1.",
  *violations({ attributions }) {
    for (const [origin, sale] of salesIn(attributions.map(({ row }) => row))) {
      const sum = sale
        .filter(isGivenSeller)
        .map(({ credit }) => Rational.parse(credit?.share ?? "") ?? Rational.ZERO)
        .reduce(Rational.add, Rational.ZERO);
      if (Rational.compare(sum, Rational.ONE) !== 0)
        yield `the shares of the sellers of sale ${origin} add up to ${Rational.format(sum)}`;
    }
  },
};

const together: Invariant = {
  name: "S11",
  statement:
    "The attributions of a sale have one customer, workspace, schema, date and moment of creation; one with an origin is confirmed only while its origin is.",
  *violations({ attributions }) {
    const rows = new Map(attributions.map(({ row }) => [row.id, row]));
    for (const row of rows.values()) {
      if (row.originId === null) continue;
      const origin = rows.get(row.originId);
      if (origin === undefined || origin.originId !== null || origin.credit === null)
        yield `attribution ${row.id} names ${row.originId} as its origin, which is no origin`;
      else if (row.credit === null) yield `attribution ${row.id} has an origin and no credit`;
      else if (row.status === "confirmed" && origin.status !== "confirmed")
        yield `attribution ${row.id} is confirmed, and its origin ${row.originId} is not`;
      else if (
        origin.workspaceId !== row.workspaceId ||
        origin.schemaId !== row.schemaId ||
        origin.occurredAt !== row.occurredAt ||
        (origin.createdAt !== row.createdAt && row.credit.depth === 0)
      )
        yield `attribution ${row.id} is of another workspace, schema or date than its origin`;
    }
  },
};

const once: Invariant = {
  name: "S12",
  statement:
    "A partner has one confirmed credit of a sale for each role and depth, and one of its confirmed credits is its first.",
  *violations({ attributions }) {
    for (const [origin, sale] of salesIn(attributions.map(({ row }) => row))) {
      const confirmed = sale.filter(({ status }) => status === "confirmed");
      const seen = new Set<string>();
      for (const { id, partnerId, credit } of confirmed) {
        const key = JSON.stringify([partnerId, credit?.role, credit?.depth]);
        if (seen.has(key)) yield `partner ${partnerId} has one credit of sale ${origin} twice: ${id}`;
        seen.add(key);
      }
      for (const partnerId of new Set(confirmed.map((one) => one.partnerId))) {
        const first = confirmed.filter(
          (one) => one.partnerId === partnerId && one.credit?.further === undefined,
        );
        if (first.length !== 1)
          yield `partner ${partnerId} has ${first.length} first credits of sale ${origin}`;
      }
    }
  },
};

const added: Invariant = {
  name: "S13",
  statement: "An upline has of a sale what the sellers below it have together.",
  *violations({ attributions }) {
    for (const [origin, sale] of salesIn(attributions.map(({ row }) => row))) {
      for (const { id, credit } of sale) {
        if (credit === null || credit.depth === 0) continue;
        const below = sale.flatMap((one) =>
          isGivenSeller(one) && one.credit !== null && isAbove(credit, one.partnerId) ? [one.credit] : [],
        );
        if (below.length === 0 || Rational.format(sumOf(below)) !== credit.share)
          yield `attribution ${id} has ${credit.share} of sale ${origin}, which is not what the sellers below have`;
      }
    }
  },
};

const taken: Invariant = {
  name: "S14",
  statement:
    "An attribution with an origin that is cancelled while its origin is confirmed was taken by a recrediting, which takes no credit that was given.",
  *violations({ attributions }) {
    const records = new Map(attributions.map((record) => [record.row.id, record]));
    for (const { row, log } of records.values()) {
      if (row.originId === null || row.status !== "cancelled") continue;
      const origin = records.get(row.originId);
      if (origin?.row.status !== "confirmed") continue;
      if (row.credit?.depth === 0)
        yield `attribution ${row.id} is cancelled, and was given for sale ${row.originId}`;
      const cancelled = log.find(({ event }) => event.type === "cancel_attribution");
      if (!origin.log.some(({ at, event }) => event.type === "recredit_attribution" && at === cancelled?.at))
        yield `attribution ${row.id} is cancelled without its sale ${row.originId}, which was not recredited then`;
    }
  },
};

const informed: Invariant = {
  name: "S15",
  statement: "A commission that waits for its buyer knows the last statement of its sale.",
  *violations({ attributions, commissions }) {
    const rows = new Map(attributions.map(({ row }) => [row.id, row]));
    for (const { row } of commissions) {
      const attribution = rows.get(row.attributionId);
      if (row.receipt === null || attribution === undefined) continue;
      const origin = rows.get(saleIdOf(attribution));
      if (origin !== undefined && !isSame(row.receipt, paidOf(origin.receipt)))
        yield `commission ${row.id} knows another statement than its sale ${origin.id}`;
    }
  },
};

const settledBefore: Invariant = {
  name: "S16",
  statement:
    "A commission is settled elsewhere only as it is created, with its whole amount then, at the moment and under the reference that its sale states.",
  *violations({ attributions, commissions }) {
    const rows = new Map(attributions.map(({ row }) => [row.id, row]));
    for (const { row, log } of commissions) {
      for (const [index, { at, event }] of log.entries()) {
        if (event.type !== "settle_elsewhere") continue;
        const [first] = log;
        const isWhole = first?.event.type === "create_commission" && first.event.amount === event.amount;
        if (index !== 1 || at !== first?.at || !isWhole)
          yield `commission ${row.id}: ${event.amount} was settled elsewhere, which is not its first amount`;
        const stated = rows.get(row.attributionId)?.settledElsewhere ?? null;
        if (!isSameSettling(stated, settledOf(event)))
          yield `commission ${row.id} was settled elsewhere otherwise than its sale states`;
      }
    }
  },
};

/** Every invariant of credits, and of what a commission has of its sale. */
export const credits: ReadonlyArray<Invariant> = [
  ...[whole, together, once, added, taken],
  ...[informed, settledBefore],
];
