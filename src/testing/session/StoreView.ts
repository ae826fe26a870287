/** The records of a customer, as the reads of a store return them. */
import { Effect } from "effect";
import type { BillingProfile } from "../../domain/BillingProfile.ts";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type * as SettlementPolicy from "../../domain/SettlementPolicy.ts";
import { type Listed, Storage, type Versioned } from "../../ports/Storage.ts";
import * as LedgerSnapshot from "../LedgerSnapshot.ts";
import { listAll } from "../StateDump.ts";

/** A record as a list shows it, with its log. */
interface RowWithLog<Kind extends "attribution" | "formula" | "plan" | "commission" | "settlement"> {
  readonly row: Listed[Kind];
  readonly log: ReadonlyArray<unknown>;
}

/** Everything a store shows of a customer, or of some of its partners. */
export interface StoreView {
  readonly attributions: ReadonlyArray<RowWithLog<"attribution">>;
  readonly formulas: ReadonlyArray<RowWithLog<"formula">>;
  readonly commissions: ReadonlyArray<RowWithLog<"commission">>;
  readonly settlements: ReadonlyArray<RowWithLog<"settlement">>;
  readonly partners: ReadonlyArray<Listed["partner"]>;
  readonly plans: ReadonlyArray<RowWithLog<"plan">>;
  /** Records that belong to no partner; empty in the view of partners. */
  readonly schemas: ReadonlyArray<Listed["schema"]>;
  readonly keys: ReadonlyArray<Listed["apiKey"]>;
  readonly profiles: ReadonlyArray<BillingProfile>;
  readonly policies: ReadonlyArray<Versioned<SettlementPolicy.SettlementPolicy>>;
  readonly runs: ReadonlyArray<Listed["settlementRun"]>;
  readonly recreditRuns: ReadonlyArray<Listed["recreditRun"]>;
  readonly recreditResults: ReadonlyArray<Listed["recreditRunResult"]>;
  readonly acceptances: ReadonlyArray<Listed["planAcceptance"]>;
  readonly links: ReadonlyArray<Listed["partnerLink"]>;
  /** Partners, keys, the billing profile and settlement policies with their logs; in the view of partners these alone. */
  readonly controls: LedgerSnapshot.LedgerSnapshot["controls"];
  /** Payment files with their payments, and those of every attempt; none in the view of partners. */
  readonly bankFiles: Pick<LedgerSnapshot.LedgerSnapshot["bankFiles"], "files" | "initiated">;
  /** Null where they were not read. */
  readonly results: ReadonlyArray<Listed["settlementRunResult"]> | null;
}

/** Reads the view and the snapshot for the invariants; they show one moment only when nothing else writes meanwhile. */
export const readStore = (customerId: CustomerId) =>
  Effect.gen(function* () {
    const snapshot = yield* LedgerSnapshot.readSnapshot(customerId);
    const { attributions, formulas, plans, commissions, settlements } = snapshot;
    const partners = yield* listAll(customerId, "partner");
    const view: StoreView = {
      ...{ attributions, formulas, plans, commissions, settlements, partners },
      controls: snapshot.controls,
      bankFiles: snapshot.bankFiles,
      schemas: yield* listAll(customerId, "schema"),
      keys: yield* listAll(customerId, "apiKey"),
      profiles: yield* (yield* Storage).find(customerId, "billingProfile", [customerId]),
      policies: yield* LedgerSnapshot.readPolicies(customerId, partners),
      runs: yield* listAll(customerId, "settlementRun"),
      recreditRuns: yield* listAll(customerId, "recreditRun"),
      recreditResults: yield* listAll(customerId, "recreditRunResult"),
      acceptances: yield* listAll(customerId, "planAcceptance"),
      links: yield* listAll(customerId, "partnerLink"),
      results: yield* listAll(customerId, "settlementRunResult"),
    };
    return { snapshot, view };
  });

const withEvents = <Row extends { readonly events: ReadonlyArray<unknown> }>(rows: ReadonlyArray<Row>) =>
  rows.map((row) => ({ row, log: row.events }));

/** Reads the records of partners, perhaps their results of runs, and the plans, without the stored parts of their logs. */
export const readPartners = (
  customerId: CustomerId,
  partnerIds: ReadonlyArray<PartnerId>,
  withRuns: boolean,
) =>
  Effect.gen(function* () {
    const where = { partnerIds };
    const storage = yield* Storage;
    const partners = yield* listAll(customerId, "partner", where);
    return {
      attributions: withEvents(yield* listAll(customerId, "attribution", where)),
      formulas: withEvents(yield* listAll(customerId, "formula", where)),
      commissions: withEvents(yield* listAll(customerId, "commission", where)),
      settlements: withEvents(yield* listAll(customerId, "settlement", where)),
      partners,
      schemas: [],
      plans: withEvents(yield* listAll(customerId, "plan")),
      keys: [],
      profiles: [],
      policies: [],
      runs: [],
      recreditRuns: [],
      recreditResults: [],
      bankFiles: { files: [], initiated: [] },
      acceptances: yield* listAll(customerId, "planAcceptance", where),
      links: yield* listAll(customerId, "partnerLink", where),
      controls: yield* Effect.forEach(partners, (row) =>
        Effect.map(
          storage.log(customerId, "partner", row.id),
          (log) => ({ kind: "partner", row, log }) as const,
        ),
      ),
      results: withRuns ? yield* listAll(customerId, "settlementRunResult", where) : null,
    } satisfies StoreView;
  });
