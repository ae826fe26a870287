/** The storage port over SQL, room by room. Every read is one statement, and so of one snapshot. */
import type { Storage } from "quittance";
import * as Feed from "./feed/Feed.ts";
import { ready } from "./migrations/Migrations.ts";
import * as Movements from "./reading/Movements.ts";
import { list } from "./reading/Page.ts";
import { linksOf } from "./reading/PartnerLinks.ts";
import * as Records from "./reading/Records.ts";
import * as SettlementRuns from "./reading/SettlementRuns.ts";
import * as Settlements from "./reading/Settlements.ts";
import * as Statistics from "./reading/Statistics.ts";
import type { Runner } from "./Statement.ts";
import { prune } from "./writing/Prune.ts";

const earnings = (sql: Runner): Storage.Earnings => ({
  formulaSet: (...args) => Records.formulaSet(sql, ...args),
  formulaSets: (...args) => Records.formulaSets(sql, ...args),
  linksOf: (...args) => linksOf(sql, ...args),
  formulasBehindPlan: (...args) => Records.formulasBehindPlan(sql, ...args),
  findByExternalReferences: (...args) => Records.findByExternalReferences(sql, ...args),
  salesOf: (...args) => Records.salesOf(sql, ...args),
  attributionsForFormula: (formula, span) => Records.attributionsForFormula(sql, formula, span),
  arrivalsForFormula: (formula, span) => Records.arrivalsForFormula(sql, formula, span),
  lastArrival: (...args) => Records.lastArrival(sql, ...args),
  commissionsWithAttributions: (...args) => Records.commissionsWithAttributions(sql, ...args),
  creditedAttributions: (...args) => Records.creditedAttributions(sql, ...args),
  commissionsOf: (...args) => Records.commissionsOf(sql, ...args),
});

const settling = (sql: Runner): Storage.Settling => ({
  settlementLines: (...args) => Settlements.settlementLines(sql, ...args),
  heldByOtherSettlements: (...args) => Settlements.heldByOtherSettlements(sql, ...args),
  isStale: (...args) => Settlements.isStale(sql, ...args),
  linesWithBilledParts: (...args) => Settlements.linesWithBilledParts(sql, ...args),
  reversals: (...args) => Settlements.reversals(sql, ...args),
  documentsOf: (...args) => Settlements.documentsOf(sql, ...args),
  bankPayments: (...args) => Settlements.bankPayments(sql, ...args),
  dueCommissions: (...args) => SettlementRuns.dueCommissions(sql, ...args),
  numberSeries: (...args) => Settlements.numberSeries(sql, ...args),
});

const reporting = (sql: Runner): Storage.Reporting => ({
  attributionStatistics: (...args) => Statistics.attributions(sql, ...args),
  commissionStatistics: (...args) => Statistics.commissions(sql, ...args),
  partnerBalances: (...args) => Movements.partnerBalances(sql, ...args),
  partnerMovements: (...args) => Movements.partnerMovements(sql, ...args),
  settlementLogs: (...args) => Settlements.settlementLogs(sql, ...args),
});

const feed = (sql: Runner): Storage.Feed => ({
  ...Feed.make(sql),
  openDeliveries: (...args) => Records.openDeliveries(sql, ...args),
});

const upkeep = (sql: Runner): Storage.Upkeep => ({
  prune: (pruning) => prune(sql, pruning),
  ready: ready(sql),
  dueSettlementPolicies: (...args) => SettlementRuns.dueSettlementPolicies(sql, ...args),
  customersWithFeedBacklog: (after, limit) => Feed.customersWithBacklog(sql, after, limit),
});

/** The storage service over a database that has been migrated; `commit` stores its change sets. */
export const make = (sql: Runner, commit: Storage.Records["commit"]): Storage.StorageService => ({
  commit,
  find: (tenant, kind, ids) => Records.find(sql, tenant, kind, ids),
  list: (tenant, kind, query) => list(sql, tenant, kind, query),
  log: (customerId, kind, id) => Records.log(sql, customerId, kind, id),
  findIdempotencyRecord: (...args) => Records.findIdempotencyRecord(sql, ...args),
  isCommitted: (...args) => Records.isCommitted(sql, ...args),
  ...earnings(sql),
  ...settling(sql),
  ...reporting(sql),
  ...feed(sql),
  ...upkeep(sql),
});
