/** A dump of everything a store shows of a customer, for comparisons before and after. */
import { Effect } from "effect";
import type { CustomerId } from "../domain/Ids.ts";
import { type Filters, type Listed, type ListedKind, type Logged, Storage } from "../ports/Storage.ts";

const PER_PAGE = 100;

/** Reads every record of a kind that matches, in order of creation. */
export const listAll = <Kind extends ListedKind>(
  customerId: CustomerId,
  kind: Kind,
  where: Filters[Kind] = {},
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const items: Array<Listed[Kind]> = [];
    for (let page = 1; ; page++) {
      const result = yield* storage.list(customerId, kind, { where, page, perPage: PER_PAGE, order: "asc" });
      items.push(...result.items);
      if (result.items.length < PER_PAGE) return items;
    }
  });

/** Reads the stored logs of records of one kind. */
const readLogs = (customerId: CustomerId, kind: keyof Logged, ids: ReadonlyArray<string>) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.forEach(ids, (id) => Effect.map(storage.log(customerId, kind, id), (log) => ({ id, log }))),
  );

/** Reads every record of every listed kind, with logs, statuses and the fields computed at read. */
export const stateDump = (customerId: CustomerId) =>
  Effect.gen(function* () {
    const attributions = yield* listAll(customerId, "attribution");
    const formulas = yield* listAll(customerId, "formula");
    const plans = yield* listAll(customerId, "plan");
    const commissions = yield* listAll(customerId, "commission");
    const settlements = yield* listAll(customerId, "settlement");
    const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id);
    return {
      attributions,
      formulas,
      plans,
      commissions,
      settlements,
      schemas: yield* listAll(customerId, "schema"),
      partners: yield* listAll(customerId, "partner"),
      apiKeys: yield* listAll(customerId, "apiKey"),
      attributionLogs: yield* readLogs(customerId, "attribution", ids(attributions)),
      formulaLogs: yield* readLogs(customerId, "formula", ids(formulas)),
      planLogs: yield* readLogs(customerId, "plan", ids(plans)),
      commissionLogs: yield* readLogs(customerId, "commission", ids(commissions)),
      settlementLogs: yield* readLogs(customerId, "settlement", ids(settlements)),
    };
  });
