/** The engine as one layer: every service, over the ports that a host supplies. */
import { Effect, Layer } from "effect";
import type { Policy } from "./domain/SettlementMachine.ts";
import { DEFAULT_POLICY } from "./domain/SettlementMachine.ts";
import type { Directory } from "./ports/Directory.ts";
import type { DocumentRenderer, DocumentStore } from "./ports/Documents.ts";
import * as IdSource from "./ports/IdSource.ts";
import type { Outbox } from "./ports/Outbox.ts";
import { PaymentProvider } from "./ports/Payments.ts";
import type { Storage } from "./ports/Storage.ts";
import { AccountingPeriods } from "./services/AccountingPeriods.ts";
import { ApiKeys } from "./services/ApiKeys.ts";
import { AttributionSchemas } from "./services/AttributionSchemas.ts";
import { Attributions } from "./services/Attributions.ts";
import * as ArrivalQueue from "./services/accumulation/ArrivalQueue.ts";
import * as Evaluator from "./services/attributions/Evaluator.ts";
import * as FormulaSetCache from "./services/attributions/FormulaSetCache.ts";
import * as WorkspaceCache from "./services/attributions/WorkspaceCache.ts";
import { BankStatements } from "./services/BankStatements.ts";
import { BillingProfiles } from "./services/BillingProfiles.ts";
import { CommissionFormulas } from "./services/CommissionFormulas.ts";
import { CommissionPlans } from "./services/CommissionPlans.ts";
import { Commissions } from "./services/Commissions.ts";
import * as Pipeline from "./services/commands/Pipeline.ts";
import { Policies } from "./services/commands/Policies.ts";
import * as Tracing from "./services/commands/Tracing.ts";
import { DeadLetters } from "./services/DeadLetters.ts";
import { DocumentCreation } from "./services/documents/DocumentCreation.ts";
import { Erasures } from "./services/Erasures.ts";
import { Events } from "./services/Events.ts";
import { Relay } from "./services/feed/Relay.ts";
import { Recomputations } from "./services/formulas/Recomputations.ts";
import { RollOuts } from "./services/formulas/RollOuts.ts";
import { Journals } from "./services/Journals.ts";
import { Notices } from "./services/notices/Notices.ts";
import { PartnerLinks } from "./services/PartnerLinks.ts";
import { PartnerStatements } from "./services/PartnerStatements.ts";
import { Partners } from "./services/Partners.ts";
import { Payables } from "./services/Payables.ts";
import { PaymentFiles } from "./services/PaymentFiles.ts";
import { Payments } from "./services/Payments.ts";
import { PayoutAccounts } from "./services/PayoutAccounts.ts";
import { PlanTerms } from "./services/PlanTerms.ts";
import { PlanTrials } from "./services/PlanTrials.ts";
import { PostingRules } from "./services/PostingRules.ts";
import { PeriodSeals } from "./services/periods/PeriodSeals.ts";
import { Receipts } from "./services/Receipts.ts";
import { RecreditRuns } from "./services/RecreditRuns.ts";
import { Recredits } from "./services/Recredits.ts";
import { RecreditSteps } from "./services/recredits/RecreditSteps.ts";
import { RunSteps } from "./services/runs/RunSteps.ts";
import { Schedules } from "./services/runs/Schedules.ts";
import { Sessions } from "./services/Sessions.ts";
import { SettlementDocuments } from "./services/SettlementDocuments.ts";
import { SettlementPolicies } from "./services/SettlementPolicies.ts";
import { SettlementRuns } from "./services/SettlementRuns.ts";
import { Settlements } from "./services/Settlements.ts";
import { ChangedSales } from "./services/trials/ChangedSales.ts";
import { TrialSteps } from "./services/trials/TrialSteps.ts";
import { WebhookEndpoints } from "./services/WebhookEndpoints.ts";
import { Workspaces } from "./services/Workspaces.ts";
import { WebhookRounds } from "./services/webhooks/WebhookRounds.ts";
import { Worker } from "./services/worker/Worker.ts";

/** What a host must supply. */
export type Ports = Storage | Directory | Outbox | DocumentStore | DocumentRenderer;

/** What the engine offers. */
export type Services =
  | Attributions
  | Recredits
  | RecreditRuns
  | AttributionSchemas
  | Partners
  | PayoutAccounts
  | Journals
  | Payables
  | PostingRules
  | AccountingPeriods
  | PartnerStatements
  | PartnerLinks
  | Receipts
  | CommissionFormulas
  | CommissionPlans
  | PlanTerms
  | PlanTrials
  | Commissions
  | Settlements
  | SettlementDocuments
  | SettlementPolicies
  | SettlementRuns
  | ApiKeys
  | Sessions
  | BillingProfiles
  | PaymentFiles
  | BankStatements
  | Payments
  | Events
  | Erasures
  | WebhookEndpoints
  | Workspaces
  | DeadLetters
  | Worker;

const services = Layer.mergeAll(
  Attributions.Default,
  Recredits.Default,
  RecreditRuns.Default,
  AttributionSchemas.Default,
  Partners.Default,
  PayoutAccounts.Default,
  Payables.Default,
  PostingRules.Default,
  AccountingPeriods.Default,
  PartnerStatements.Default,
  PartnerLinks.Default,
  Receipts.Default,
  CommissionFormulas.Default,
  PlanTerms.Default,
  PlanTrials.Default,
  Commissions.Default,
  Settlements.Default,
  SettlementDocuments.Default,
  SettlementPolicies.Default,
  SettlementRuns.Default,
  ApiKeys.Default,
  Sessions.Default,
  BillingProfiles.Default,
  Events.Default,
  Erasures.Default,
  WebhookEndpoints.Default,
  Workspaces.Default,
  PaymentFiles.Default,
  BankStatements.Default,
  DeadLetters.Default,
  Worker.Default,
);

/** Payouts are possible exactly when the host supplies a provider. */
const policies = (policy: ChosenPolicy) =>
  Layer.effect(
    Policies,
    Effect.map(PaymentProvider, (provider) => ({ ...DEFAULT_POLICY, ...policy, payouts: provider !== null })),
  );

/** What an operator may choose. */
export type ChosenPolicy = Partial<Omit<Policy, "payouts">>;

/**
 * The engine over a given source of ids and write path; {@link layer} takes ids from the platform's randomness.
 * Nothing runs in the background: see `Worker.layerBackground`, or step the worker by hand.
 */
export const layerWith = (
  ids: Layer.Layer<IdSource.IdSource>,
  policy: ChosenPolicy = {},
  writing: typeof Pipeline.layer = Pipeline.layer,
): Layer.Layer<Services, never, Ports> =>
  services.pipe(
    Layer.provideMerge(Layer.merge(Payments.Default, CommissionPlans.Default)),
    Layer.provide(
      Layer.mergeAll(
        WebhookRounds.Default,
        RunSteps.Default,
        TrialSteps.Default,
        ChangedSales.Default,
        RecreditSteps.Default,
        PeriodSeals.Default,
      ),
    ),
    Layer.provideMerge(Journals.Default),
    Layer.provide(Layer.mergeAll(RollOuts.Default, Relay.Default, Schedules.Default, Notices.Default)),
    Layer.provide(Layer.mergeAll(Recomputations.Default, DocumentCreation.Default)),
    Layer.provide(ArrivalQueue.layer),
    Layer.provide(Layer.mergeAll(Tracing.layer(writing), FormulaSetCache.layer, WorkspaceCache.layer)),
    Layer.provide(Evaluator.layer),
    Layer.provide(ids),
    Layer.provide(policies(policy)),
  );

/** The engine with every service. */
export const layer = (policy: ChosenPolicy = {}): Layer.Layer<Services, never, Ports> =>
  layerWith(IdSource.layer, policy);
