/** The model of lists and statistics: filter, sort and slice over all records. */

import type { Principal } from "../../../domain/Principal.ts";
import type { CommandOf, Where } from "../Command.ts";
import { applyRules, type Prediction, queryResult } from "../prediction/Prediction.ts";
import { canSee, type Owner, permissionOf } from "../prediction/Rights.ts";
import { quantities } from "../world/Earnings.ts";
import { isInWindow } from "../world/Joins.ts";
import { isStale } from "../world/Lines.ts";
import { isSameCommission } from "../world/Range.ts";
import type { Settlement } from "../world/Settlements.ts";
import { DAY } from "../world/Time.ts";
import type { Attribution, Commission, World } from "../world/World.ts";

/** One record as lists see it. */
interface Item {
  readonly id: string;
  readonly createdAt: number;
  /** Of attributions and commissions: the date that the attribution counts for. */
  readonly occurredAt?: number;
  readonly owner: Owner;
  readonly matches: (where: Where) => boolean;
}

const isWithin = (moment: number, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): boolean =>
  moment >= from && moment < to;

/** True if the bounds of a span leave nothing between them. */
const isEmptySpan = (from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): boolean => from >= to;

const isAmong = (wanted: ReadonlyArray<string> | undefined, value: string): boolean =>
  wanted === undefined || wanted.includes(value);
/** The search form of a name: every letter folded by way of its capital, accents separate, repeated until stable. */
const searchForm = (text: string): string => {
  const apart = Array.from(text.normalize("NFKD"), (letter) =>
    Array.from(letter.toUpperCase(), (capital) => capital.toLowerCase()).join(""),
  );
  const next = apart.join("").normalize("NFKD").split("\u0307").join("");
  return next === text ? text : searchForm(next);
};

const isNamed = (wanted: string | undefined, name: string): boolean =>
  wanted === undefined || searchForm(name).includes(searchForm(wanted));

const hasSign = (wanted: Where["due"], due: number): boolean => {
  switch (wanted) {
    case undefined:
    case "any":
      return true;
    case "nonzero":
      return due !== 0;
    case "positive":
      return due > 0;
    case "negative":
      return due < 0;
  }
};

const commissionItem = (world: World, commission: Commission): ReadonlyArray<Item> => {
  const attribution = world.attributions.find(({ id }) => id === commission.attributionId);
  if (attribution === undefined || commission.id === null) return [];
  const { id, createdAt } = commission;
  const matches = (where: Where): boolean => {
    const { due, status, waiting } = quantities(world, commission);
    const currency = world.formulas.find((formula) => formula.id === commission.formulaId)?.currency ?? "";
    const holders = world.settlements.filter(({ lines }) =>
      lines.some((line) => isSameCommission(line, commission)),
    );
    return (
      isAmong(where.attributionIds, attribution.id) &&
      (where.settlementStatus === undefined || where.settlementStatus === status) &&
      isAmong(where.formulaIds, commission.formulaId) &&
      (where.settlementIds === undefined ||
        holders.some((holder) => isAmong(where.settlementIds, holder.id))) &&
      isAmong(where.currencies, currency) &&
      hasSign(where.due, due) &&
      (where.waiting === undefined || where.waiting === (waiting ?? 0) > 0)
    );
  };
  return [{ id, createdAt, occurredAt: attribution.occurredAt, owner: attribution, matches }];
};

const attributionMatches = (attribution: Attribution, where: Where): boolean =>
  isAmong(where.schemaIds, attribution.schemaId) &&
  isAmong(where.statuses, attribution.cancelReason === null ? "confirmed" : "cancelled") &&
  isAmong(where.roles, attribution.credit?.role ?? "seller") &&
  (isAmong(where.originIds, attribution.id) ||
    (attribution.originId !== null && isAmong(where.originIds, attribution.originId))) &&
  (where.externalReferences === undefined ||
    (attribution.externalReference !== null &&
      where.externalReferences.includes(attribution.externalReference)));

const settlementMatches = (world: World, settlement: Settlement, where: Where): boolean =>
  (where.commissionIds === undefined ||
    settlement.lines.some((line) => isAmong(where.commissionIds, line.commissionId))) &&
  isAmong(where.statuses, settlement.status.type) &&
  isAmong(where.currencies, settlement.currency) &&
  isWithin(settlement.createdAt, where.createdFrom, where.createdTo) &&
  (where.documentNumbers === undefined ||
    Object.values(settlement.linked).some((linked) =>
      where.documentNumbers?.includes(linked?.number ?? ""),
    )) &&
  (where.stale === undefined || where.stale === isStale(world, settlement)) &&
  (where.taxReview === undefined || where.taxReview === (settlement.taxReview !== null)) &&
  (where.paymentFailed === undefined ||
    where.paymentFailed === (settlement.status.type === "awaiting_payment" && settlement.attempt !== 0));

const itemsOf = (world: World, kind: CommandOf<"list">["kind"]): ReadonlyArray<Item> => {
  switch (kind) {
    case "partner":
      return world.partners.map((partner) => ({
        ...partner,
        owner: { ...partner, partnerId: partner.id },
        matches: ({ name, billingMode, statuses, tags, externalReferences }) =>
          isNamed(name, partner.name) &&
          (billingMode === undefined || billingMode === partner.billingMode) &&
          isAmong(statuses, partner.status) &&
          (tags === undefined || partner.tags.some((tag) => tags.includes(tag))) &&
          (externalReferences === undefined ||
            externalReferences.some((one) => one === partner.externalReference)),
      }));
    case "schema":
      return world.schemas.map((schema) => ({
        ...schema,
        owner: { ...schema, partnerId: null },
        matches: ({ name }) => isNamed(name, schema.name),
      }));
    case "attribution":
      return world.attributions.map((attribution) => ({
        ...attribution,
        owner: attribution,
        matches: (where) => attributionMatches(attribution, where),
      }));
    case "formula":
      return world.formulas.map((formula) => ({
        ...formula,
        owner: formula,
        matches: ({ activeAt }) =>
          activeAt === undefined || (formula.cancelReason === null && isInWindow(formula, activeAt)),
      }));
    case "commission":
      return world.commissions.flatMap((commission) => commissionItem(world, commission));
    case "settlement":
      return world.settlements.map((settlement) => ({
        ...settlement,
        owner: settlement,
        matches: (where) => settlementMatches(world, settlement, where),
      }));
  }
};

const filterItems = (items: ReadonlyArray<Item>, principal: Principal, where: Where): ReadonlyArray<Item> =>
  items.filter(
    ({ id, occurredAt, owner, matches }) =>
      canSee(principal, owner) &&
      isAmong(where.ids, id) &&
      isAmong(where.customerIds, owner.customerId) &&
      isAmong(where.workspaceIds, owner.workspaceId) &&
      (owner.partnerId === null || isAmong(where.partnerIds, owner.partnerId)) &&
      (occurredAt === undefined || isWithin(occurredAt, where.occurredFrom, where.occurredTo)) &&
      matches(where),
  );

/** True if a list refuses ids outside the grant; the other lists match nothing for them. */
const refusesForeign = (kind: string): boolean => kind === "commission" || kind === "settlement";

/** A list: ids of one page, and the number of all matches. */
export const list = (world: World, command: CommandOf<"list">): Prediction => {
  const { principal, kind, where, page, perPage, order } = command;
  const strict = refusesForeign(kind);
  return applyRules(world, {
    principal,
    permission: permissionOf(command),
    idempotency: null,
    valid:
      Number.isInteger(page) &&
      Number.isInteger(perPage) &&
      page >= 1 &&
      page <= 2 ** 31 - 1 &&
      perPage >= 1 &&
      perPage <= 100 &&
      Object.values(where).every((values) => !Array.isArray(values) || values.length <= 100) &&
      !isEmptySpan(where.createdFrom, where.createdTo) &&
      !isEmptySpan(where.occurredFrom, where.occurredTo),
    workspaceIds: strict ? (where.workspaceIds ?? []) : [],
    partnerIds: strict ? (where.partnerIds ?? []) : [],
    decide: () => {
      const found = [...filterItems(itemsOf(world, kind), principal, where)].sort(
        (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
      );
      if (order === "desc") found.reverse();
      const ids = found.map(({ id }) => id);
      return queryResult({ ids: ids.slice((page - 1) * perPage, page * perPage), total: ids.length });
    },
  });
};

const bucketStart = (granularity: CommandOf<"statistics">["granularity"], moment: number): number => {
  const date = new Date(moment);
  date.setUTCHours(0, 0, 0, 0);
  if (granularity === "month") date.setUTCDate(1);
  while (granularity === "week" && date.getUTCDay() !== 1) date.setTime(date.getTime() - DAY);
  return date.getTime();
};

const nextBucketStart = (granularity: CommandOf<"statistics">["granularity"], start: number): number => {
  if (granularity !== "month") return start + (granularity === "week" ? 7 : 1) * DAY;
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
};

/** The starts of a span's buckets; null when the span is refused. */
const bucketStarts = ({ granularity, from, to }: CommandOf<"statistics">): ReadonlyArray<number> | null => {
  if (from >= to) return null;
  const all: Array<number> = [];
  for (let start = bucketStart(granularity, from); start < to; start = nextBucketStart(granularity, start))
    all.push(start);
  return all.length > 1_000 ? null : all;
};

/** Counts sales once, or the first credit that each partner has of a sale, where the question is of partners. */
const attributionCounts = (world: World, items: ReadonlyArray<Item>, isOfPartners: boolean) => {
  const ids = new Set(items.map(({ id }) => id));
  const rows = world.attributions.filter(
    ({ id, originId, credit }) =>
      ids.has(id) && (isOfPartners ? credit?.further === undefined : originId === null),
  );
  const cancelled = rows.filter(({ cancelReason }) => cancelReason !== null).length;
  return { total: rows.length, confirmed: rows.length - cancelled, cancelled };
};

const commissionSums = (world: World, items: ReadonlyArray<Item>) => {
  const ids = new Set(items.map(({ id }) => id));
  const rows = world.commissions
    .filter(({ id }) => id !== null && ids.has(id))
    .map((row) => ({
      ...quantities(world, row),
      currency: world.formulas.find(({ id }) => id === row.formulaId)?.currency ?? "",
    }));
  const money = (of: (row: (typeof rows)[number]) => number) =>
    [...new Set(rows.map(({ currency }) => currency))].sort().map((currency) => ({
      currency,
      amount: rows.reduce((sum, row) => (row.currency === currency ? sum + BigInt(of(row)) : sum), 0n),
    }));
  const settled = rows.filter(({ status }) => status === "settled").length;
  return {
    count: rows.length,
    settled: { count: settled, amounts: money((row) => row.settled) },
    unsettled: { count: rows.length - settled, amounts: money((row) => row.due + (row.waiting ?? 0)) },
  };
};

/** Statistics: a summary and a bucket for each calendar span. */
export const statistics = (world: World, command: CommandOf<"statistics">): Prediction => {
  const { principal, of, from, to, partnerIds, workspaceIds } = command;
  const buckets = bucketStarts(command);
  const strict = refusesForeign(of);
  return applyRules(world, {
    principal,
    permission: permissionOf(command),
    idempotency: null,
    valid: buckets !== null,
    workspaceIds: strict ? (workspaceIds ?? []) : [],
    partnerIds: strict ? (partnerIds ?? []) : [],
    decide: () => {
      const where: Where = {
        ...(partnerIds === undefined ? {} : { partnerIds }),
        ...(workspaceIds === undefined ? {} : { workspaceIds }),
      };
      const items = filterItems(itemsOf(world, of), principal, where).filter(({ occurredAt = Number.NaN }) =>
        isWithin(occurredAt, from, to),
      );
      const isOfPartners = partnerIds !== undefined || principal.partnerIds !== "*";
      const summed = of === "attribution" ? attributionCounts : commissionSums;
      return queryResult({
        summary: summed(world, items, isOfPartners),
        buckets: (buckets ?? []).map((timestamp, index) => ({
          timestamp,
          ...summed(
            world,
            items.filter(({ occurredAt = Number.NaN }) =>
              isWithin(occurredAt, timestamp, buckets?.[index + 1]),
            ),
            isOfPartners,
          ),
        })),
      });
    },
  });
};
