/** The engine for a test: a driven clock, seeded ids, and a recording of every commit. */
import { Context, Effect, type Exit, Layer, Logger, Random, Runtime, Scheduler, type Scope } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import * as Documents from "../../ports/Documents.ts";
import * as IdSource from "../../ports/IdSource.ts";
import * as Outbox from "../../ports/Outbox.ts";
import { type PaymentOrder, PaymentProvider, provider as providerOf } from "../../ports/Payments.ts";
import * as Storage from "../../ports/Storage.ts";
import { TokenVerifier } from "../../ports/TokenVerifier.ts";
import * as Quittance from "../../Quittance.ts";
import { ApiKeys, layerVerifier } from "../../services/ApiKeys.ts";
import { AttributionSchemas } from "../../services/AttributionSchemas.ts";
import { Attributions } from "../../services/Attributions.ts";
import { BankStatements } from "../../services/BankStatements.ts";
import { BillingProfiles } from "../../services/BillingProfiles.ts";
import { CommissionFormulas } from "../../services/CommissionFormulas.ts";
import { CommissionPlans } from "../../services/CommissionPlans.ts";
import { Commissions } from "../../services/Commissions.ts";
import { Journals } from "../../services/Journals.ts";
import { PartnerLinks } from "../../services/PartnerLinks.ts";
import { PartnerStatements } from "../../services/PartnerStatements.ts";
import { Partners } from "../../services/Partners.ts";
import { Payables } from "../../services/Payables.ts";
import { PaymentFiles } from "../../services/PaymentFiles.ts";
import { Payments } from "../../services/Payments.ts";
import { PayoutAccounts } from "../../services/PayoutAccounts.ts";
import { PlanTerms } from "../../services/PlanTerms.ts";
import { PostingRules } from "../../services/PostingRules.ts";
import { Receipts } from "../../services/Receipts.ts";
import { RecreditRuns } from "../../services/RecreditRuns.ts";
import { Recredits } from "../../services/Recredits.ts";
import { SettlementDocuments } from "../../services/SettlementDocuments.ts";
import { SettlementPolicies } from "../../services/SettlementPolicies.ts";
import { SettlementRuns } from "../../services/SettlementRuns.ts";
import { Settlements } from "../../services/Settlements.ts";
import { Workspaces } from "../../services/Workspaces.ts";
import { Worker } from "../../services/worker/Worker.ts";
import type { Ports } from "../Law.ts";
import { PAID_TYPES } from "../model/records/PayoutAccounts.ts";
import { UPLOADS_MAX } from "../model/world/Settlements.ts";
import type { Policy } from "../model/world/World.ts";
import * as DrivenClock from "./DrivenClock.ts";
import { fileFormats } from "./FileFormats.ts";
import { seededRandom } from "./SeededRandom.ts";

/** What the ports received during a command. */
export interface Recorded {
  /** Stored change sets, in order, with their customers: a worker also processes messages of earlier runs. */
  readonly commits: Array<{ readonly customerId: CustomerId; readonly changeSet: Storage.ChangeSet }>;
  /** Documents whose bytes were stored and not removed again. */
  readonly documents: Set<string>;
  /** Orders that the payment provider received, in order. */
  readonly orders: Array<PaymentOrder>;
}

/** An engine over a store. */
export interface Harness {
  readonly clock: DrivenClock.DrivenClock;
  readonly recorded: Recorded;
  readonly storage: Storage.StorageService;
  readonly services: {
    readonly attributions: Attributions;
    readonly schemas: AttributionSchemas;
    readonly partners: Partners;
    readonly payoutAccounts: PayoutAccounts;
    readonly statements: PartnerStatements;
    readonly journals: Journals;
    readonly payables: Payables;
    readonly formulas: CommissionFormulas;
    readonly plans: CommissionPlans;
    readonly terms: PlanTerms;
    readonly links: PartnerLinks;
    readonly recredits: Recredits;
    readonly recreditRuns: RecreditRuns;
    readonly receipts: Receipts;
    readonly commissions: Commissions;
    readonly settlements: Settlements;
    readonly policies: SettlementPolicies;
    readonly runs: SettlementRuns;
    readonly documents: SettlementDocuments;
    readonly payments: Payments;
    readonly paymentFiles: PaymentFiles;
    readonly bankStatements: BankStatements;
    readonly worker: Worker;
    readonly profiles: BillingProfiles;
    readonly postingRules: PostingRules;
    readonly workspaces: Workspaces;
    readonly keys: ApiKeys;
    readonly verifier: Context.Tag.Service<TokenVerifier>;
  };
  /** Performs every message of a topic that waits, and nothing else. */
  readonly perform: (topic: Storage.Topic) => Effect.Effect<number, Storage.StorageError>;
  /** Runs effects under the harness's clock and random numbers. */
  readonly runtime: Runtime.Runtime<Ports>;
}

/** How to open a harness. */
export interface Options {
  /** Determines every id and every backoff. */
  readonly seed: number;
  readonly start: number;
  readonly policy: Policy;
  /** Wraps the store that the engine uses; the store itself by default. */
  readonly wrap?: (storage: Storage.StorageService) => Storage.StorageService;
}

const recordCommits = (storage: Storage.StorageService, recorded: Recorded): Storage.StorageService => ({
  ...storage,
  commit: (customerId, changeSet) =>
    Effect.tap(storage.commit(customerId, changeSet), () =>
      Effect.sync(() => {
        recorded.commits.push({ customerId, changeSet });
      }),
    ),
});

const recordDocuments = (
  store: Documents.DocumentStoreService,
  { documents }: Recorded,
): Documents.DocumentStoreService => ({
  ...store,
  put: (customerId, id, bytes) =>
    Effect.tap(store.put(customerId, id, bytes), () => Effect.sync(() => documents.add(id))),
  remove: (customerId, id) =>
    Effect.tap(store.remove(customerId, id), () => Effect.sync(() => documents.delete(id))),
});

const RUNS: ReadonlyArray<Storage.Topic> = ["settlement_run"];

/**
 * The outbox, from which a worker claims settlement runs before everything else, so that the order of work is known; and
 * while some topics are performed, these alone.
 */
const claimRunsFirst = (
  outbox: Outbox.OutboxService,
  performed: ReadonlyArray<Storage.Topic>,
): Outbox.OutboxService => ({
  ...outbox,
  claim: (query) =>
    Effect.suspend(() =>
      performed.length > 0
        ? outbox.claim({ ...query, topics: [...performed] })
        : Effect.flatMap(outbox.claim({ ...query, topics: RUNS }), (runs) =>
            runs.length > 0 ? Effect.succeed(runs) : outbox.claim(query),
          ),
    ),
});

const renderer: Documents.DocumentRendererService = {
  render: ({ kind, number }) =>
    Effect.succeed({ bytes: Uint8Array.of(kind.length, number?.length ?? 0), extension: "bin" }),
};

const services = Effect.all({
  attributions: Attributions,
  schemas: AttributionSchemas,
  partners: Partners,
  payoutAccounts: PayoutAccounts,
  statements: PartnerStatements,
  journals: Journals,
  payables: Payables,
  formulas: CommissionFormulas,
  plans: CommissionPlans,
  terms: PlanTerms,
  links: PartnerLinks,
  recredits: Recredits,
  recreditRuns: RecreditRuns,
  receipts: Receipts,
  commissions: Commissions,
  settlements: Settlements,
  policies: SettlementPolicies,
  runs: SettlementRuns,
  documents: SettlementDocuments,
  payments: Payments,
  paymentFiles: PaymentFiles,
  bankStatements: BankStatements,
  worker: Worker,
  profiles: BillingProfiles,
  postingRules: PostingRules,
  workspaces: Workspaces,
  keys: ApiKeys,
  verifier: TokenVerifier,
});

/** Builds the engine over the ports of a store; the scope releases its resources. */
export const open = (
  ports: Context.Context<Ports>,
  { seed, start, policy, wrap = (storage) => storage }: Options,
): Effect.Effect<Harness, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = DrivenClock.make(start);
    const recorded: Recorded = { commits: [], documents: new Set(), orders: [] };
    const storage = wrap(recordCommits(Context.get(ports, Storage.Storage), recorded));
    const bytes = recordDocuments(Context.get(ports, Documents.DocumentStore), recorded);
    const performed: Array<Storage.Topic> = [];
    const outbox = claimRunsFirst(Context.get(ports, Outbox.Outbox), performed);
    const over = Layer.succeedContext(
      ports.pipe(
        Context.add(Storage.Storage, storage),
        Context.add(Documents.DocumentStore, bytes),
        Context.add(Outbox.Outbox, outbox),
      ),
    );
    const ids = Layer.succeed(IdSource.IdSource, IdSource.make(seededRandom(seed).bytes));
    const provider = Layer.succeed(
      PaymentProvider,
      policy.payouts
        ? providerOf({
            takes: PAID_TYPES.map((type) => ({ type, currencies: "*" })),
            send: (order) => Effect.sync(() => void recorded.orders.push(order)),
            files: policy.files ? fileFormats : null,
          })
        : null,
    );
    const engine = Quittance.layerWith(ids, {
      ...policy,
      payoutAccounts: policy.payoutAccounts ?? "at_once",
      uploadsMax: UPLOADS_MAX,
    }).pipe(
      Layer.provide(Layer.mergeAll(over, provider, Layer.succeed(Documents.DocumentRenderer, renderer))),
      Layer.provideMerge(
        Layer.mergeAll(
          Layer.setClock(clock),
          Layer.setRandom(Random.make(seed)),
          Logger.replace(Logger.defaultLogger, Logger.none),
        ),
      ),
    );
    const runtime = yield* Layer.toRuntime(Layer.mergeAll(engine, Layer.provide(layerVerifier, over), over));
    const provided = Effect.runSync(Effect.provide(services, runtime));
    return {
      clock,
      recorded,
      storage,
      services: provided,
      perform: (topic) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void performed.push(topic)),
          () => provided.worker.drain,
          () => Effect.sync(() => void performed.splice(performed.indexOf(topic), 1)),
        ),
      runtime,
    };
  });

/** Runs an effect to its end; synchronously, as long as nothing in it is asynchronous, as with the memory store. */
export const run = <A, E>(
  harness: Harness,
  effect: Effect.Effect<A, E, Ports>,
): Promise<Exit.Exit<A, E>> | Exit.Exit<A, E> => {
  const scheduler = new Scheduler.SyncScheduler();
  const fiber = Runtime.runFork(harness.runtime, effect, { scheduler });
  scheduler.flush();
  const exit = fiber.unsafePoll();
  return exit ?? new Promise((resolve) => fiber.addObserver(resolve));
};
