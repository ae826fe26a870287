/** The storage port over SQL. Every read is one statement, and so of one snapshot. */
import type { Storage } from "quittance";
import * as Feed from "./feed/Feed.ts";
import { ready } from "./migrations/Migrations.ts";
import * as Movements from "./reading/Movements.ts";
import { list } from "./reading/Page.ts";
import * as Records from "./reading/Records.ts";
import * as SettlementRuns from "./reading/SettlementRuns.ts";
import * as Settlements from "./reading/Settlements.ts";
import * as Statistics from "./reading/Statistics.ts";
import type { Runner } from "./Statement.ts";
import { prune } from "./writing/Prune.ts";

/** The storage service over a database that has been migrated; `commit` stores its change sets. */
export const make = (sql: Runner, commit: Storage.StorageService["commit"]): Storage.StorageService => ({
  commit,
  find: (tenant, kind, ids) => Records.find(sql, tenant, kind, ids),
  list: (tenant, kind, query) => list(sql, tenant, kind, query),
  formulaSet: (...given) => Records.formulaSet(sql, ...given),
  formulaSets: (...given) => Records.formulaSets(sql, ...given),
  formulasBehindPlan: (...given) => Records.formulasBehindPlan(sql, ...given),
  findByExternalReferences: (...given) => Records.findByExternalReferences(sql, ...given),
  attributionsForFormula: (formula, span) => Records.attributionsForFormula(sql, formula, span),
  arrivalsForFormula: (formula, span) => Records.arrivalsForFormula(sql, formula, span),
  lastArrival: (...given) => Records.lastArrival(sql, ...given),
  commissionsWithAttributions: (...given) => Records.commissionsWithAttributions(sql, ...given),
  commissionsOf: (...given) => Records.commissionsOf(sql, ...given),
  settlementLines: (...given) => Settlements.settlementLines(sql, ...given),
  heldByOtherSettlements: (...given) => Settlements.heldByOtherSettlements(sql, ...given),
  isStale: (...given) => Settlements.isStale(sql, ...given),
  linesWithBilledParts: (...given) => Settlements.linesWithBilledParts(sql, ...given),
  reversals: (...given) => Settlements.reversals(sql, ...given),
  latestDocument: (...given) => Settlements.latestDocument(sql, ...given),
  bankPayments: (...given) => Settlements.bankPayments(sql, ...given),
  openDeliveries: (...given) => Records.openDeliveries(sql, ...given),
  dueCommissions: (...given) => SettlementRuns.dueCommissions(sql, ...given),
  dueSettlementPolicies: (...given) => SettlementRuns.dueSettlementPolicies(sql, ...given),
  lastNumber: (...given) => Settlements.lastNumber(sql, ...given),
  attributionStatistics: (...given) => Statistics.attributions(sql, ...given),
  commissionStatistics: (...given) => Statistics.commissions(sql, ...given),
  partnerBalances: (...given) => Movements.partnerBalances(sql, ...given),
  partnerMovements: (...given) => Movements.partnerMovements(sql, ...given),
  findIdempotencyRecord: (...given) => Records.findIdempotencyRecord(sql, ...given),
  isCommitted: (...given) => Records.isCommitted(sql, ...given),
  prune: (pruning) => prune(sql, pruning),
  log: (customerId, kind, id) => Records.log(sql, customerId, kind, id),
  settlementLogs: (...given) => Settlements.settlementLogs(sql, ...given),
  ...Feed.make(sql),
  ready: ready(sql),
});
