/**
 * The storage contract: what an adapter promises by implementing the ports, as laws that any test runner can check.
 * Each law makes the customers it needs, so one store may serve them all; run them one after another.
 */
import { atomicity } from "./contract/Atomicity.ts";
import { directory } from "./contract/Directory.ts";
import { filters } from "./contract/Filters.ts";
import { isolation } from "./contract/Isolation.ts";
import { keys } from "./contract/Keys.ts";
import { lines } from "./contract/Lines.ts";
import { lists } from "./contract/Lists.ts";
import { lookups } from "./contract/Lookups.ts";
import { outbox } from "./contract/Outbox.ts";
import { pruning } from "./contract/Pruning.ts";
import { repetition } from "./contract/Repetition.ts";
import { reservations } from "./contract/Reservations.ts";
import { snapshots } from "./contract/Snapshots.ts";
import { statistics } from "./contract/Statistics.ts";
import { taxes } from "./contract/Taxes.ts";
import { values } from "./contract/Values.ts";
import { versions } from "./contract/Versions.ts";
import { walks } from "./contract/Walks.ts";
import type { Law } from "./Law.ts";

/** Every law, named by the port's own sentences. */
export const storageContract: ReadonlyArray<Law> = [
  ...versions,
  ...keys,
  ...atomicity,
  ...lines,
  ...reservations,
  ...taxes,
  ...lists,
  ...filters,
  ...lookups,
  ...snapshots,
  ...isolation,
  ...repetition,
  ...pruning,
  ...outbox,
  ...statistics,
  ...walks,
  ...directory,
  ...values,
];
