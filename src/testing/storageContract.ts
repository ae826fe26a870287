/**
 * The storage contract: the sentences of the ports as laws that any test runner can check.
 * Each law stores customers of its own, so one store can serve all laws; run them one after another.
 */
import { actorLaws } from "./contract/commits/Actors.ts";
import { atomicity } from "./contract/commits/Atomicity.ts";
import { keys } from "./contract/commits/Keys.ts";
import { lines } from "./contract/commits/Lines.ts";
import { pruning } from "./contract/commits/Pruning.ts";
import { repetition } from "./contract/commits/Repetition.ts";
import { reservations } from "./contract/commits/Reservations.ts";
import { taxes } from "./contract/commits/Taxes.ts";
import { versions } from "./contract/commits/Versions.ts";
import { directory } from "./contract/Directory.ts";
import { feed } from "./contract/Feed.ts";
import { isolation } from "./contract/Isolation.ts";
import { outbox } from "./contract/outbox/Outbox.ts";
import { arrivals } from "./contract/reads/Arrivals.ts";
import { bankPayments } from "./contract/reads/BankPayments.ts";
import { filters } from "./contract/reads/Filters.ts";
import { lists } from "./contract/reads/Lists.ts";
import { movements } from "./contract/reads/Movements.ts";
import { plans } from "./contract/reads/Plans.ts";
import { settlementLines } from "./contract/reads/SettlementLines.ts";
import { settlementRuns } from "./contract/reads/SettlementRuns.ts";
import { snapshots } from "./contract/reads/Snapshots.ts";
import { statistics } from "./contract/reads/Statistics.ts";
import { walks } from "./contract/reads/Walks.ts";
import { webhooks } from "./contract/reads/Webhooks.ts";
import { values } from "./contract/Values.ts";
import type { Law } from "./Law.ts";

/** Every law. The name of a law is the port's sentence and the case that is checked. */
export const storageContract: ReadonlyArray<Law> = [
  ...versions,
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
  ...walks,
  ...plans,
  ...arrivals,
  ...feed,
  ...directory,
  ...values,
];
