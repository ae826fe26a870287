/**
 * The storage port: where records live. One write door, `commit`, takes a change set as data; every read is a snapshot.
 *
 * Rows, events and queries are plain JSON values, so that an adapter stores and returns them without any codec.
 * Every sentence of the folder `storage` is a law that the storage contract of the test-kit holds an adapter to.
 */
import { Context } from "effect";
import type { Earnings } from "./storage/rooms/Earnings.ts";
import type { Feed } from "./storage/rooms/Feed.ts";
import type { Records } from "./storage/rooms/Records.ts";
import type { Reporting } from "./storage/rooms/Reporting.ts";
import type { Settling } from "./storage/rooms/Settling.ts";
import type { Upkeep } from "./storage/rooms/Upkeep.ts";

export * from "./storage/ChangeSet.ts";
export * from "./storage/Failure.ts";
export type * from "./storage/Feed.ts";
export * as Filter from "./storage/Filter.ts";
export * from "./storage/Filters.ts";
export type * from "./storage/Reads.ts";
export * from "./storage/Records.ts";
export type * from "./storage/rooms/Earnings.ts";
export type * from "./storage/rooms/Feed.ts";
export type * from "./storage/rooms/Records.ts";
export type * from "./storage/rooms/Reporting.ts";
export type * from "./storage/rooms/Settling.ts";
export type * from "./storage/rooms/Upkeep.ts";

/**
 * What a host supplies: one store with six rooms, by what they are for. A service states which of them it uses. The first
 * argument names the tenant, by its id or by a formula of it; nothing of another tenant is read or changed. Only {@link Upkeep}
 * concerns every customer.
 */
export interface StorageService extends Records, Earnings, Settling, Reporting, Feed, Upkeep {}

/** The store that a host supplies. */
export class Storage extends Context.Tag("quittance/ports/Storage")<Storage, StorageService>() {}
