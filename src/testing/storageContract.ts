/**
 * The storage contract: the sentences of the ports as laws that any test runner can check.
 * Each law stores customers of its own, so one store can serve all laws; run them one after another.
 */

import { directory } from "./contract/Directory.ts";
import { arrivals } from "./contract/earnings/Arrivals.ts";
import { links } from "./contract/earnings/Links.ts";
import { plans } from "./contract/earnings/Plans.ts";
import { sales } from "./contract/earnings/Sales.ts";
import { walks } from "./contract/earnings/Walks.ts";
import { erasures } from "./contract/feed/Erasure.ts";
import { feed } from "./contract/feed/Feed.ts";
import { webhooks } from "./contract/feed/Webhooks.ts";
import { outbox } from "./contract/outbox/Outbox.ts";
import { actorLaws } from "./contract/records/Actors.ts";
import { atomicity } from "./contract/records/Atomicity.ts";
import { filters } from "./contract/records/Filters.ts";
import { isolation } from "./contract/records/Isolation.ts";
import { keys } from "./contract/records/Keys.ts";
import { lines } from "./contract/records/Lines.ts";
import { lists } from "./contract/records/Lists.ts";
import { periods } from "./contract/records/Periods.ts";
import { repetition } from "./contract/records/Repetition.ts";
import { snapshots } from "./contract/records/Snapshots.ts";
import { values } from "./contract/records/Values.ts";
import { versions } from "./contract/records/Versions.ts";
import { movements } from "./contract/reporting/Movements.ts";
import { statistics } from "./contract/reporting/Statistics.ts";
import { bankPayments } from "./contract/settling/BankPayments.ts";
import { reservations } from "./contract/settling/Reservations.ts";
import { settlementLines } from "./contract/settling/SettlementLines.ts";
import { settlementRuns } from "./contract/settling/SettlementRuns.ts";
import { taxes } from "./contract/settling/Taxes.ts";
import { pruning } from "./contract/upkeep/Pruning.ts";
import type { Law } from "./Law.ts";

/** Every law. The name of a law is the port's sentence and the case that is checked. */
export const storageContract: ReadonlyArray<Law> = [
  ...versions,
  ...periods,
  ...keys,
  ...atomicity,
  ...actorLaws,
  ...lines,
  ...settlementLines,
  ...reservations,
  ...taxes,
  ...bankPayments,
  ...movements,
  ...webhooks,
  ...settlementRuns,
  ...lists,
  ...filters,
  ...snapshots,
  ...isolation,
  ...repetition,
  ...pruning,
  ...outbox,
  ...statistics,
  ...sales,
  ...walks,
  ...plans,
  ...links,
  ...arrivals,
  ...feed,
  ...erasures,
  ...directory,
  ...values,
];
