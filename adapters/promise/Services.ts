/** Lists the services for hosts without Effect. Their methods and types are derived from the services of the engine. */

import { Context } from "effect";
import {
  AccountingPeriods,
  ApiKeys,
  AttributionSchemas,
  Attributions,
  BankStatements,
  BillingProfiles,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  Erasures,
  Events,
  Journals,
  PartnerLinks,
  PartnerStatements,
  Partners,
  Payables,
  PaymentFiles,
  PayoutAccounts,
  PlanTerms,
  PlanTrials,
  PostingRules,
  Principal,
  Receipts,
  RecreditRuns,
  Recredits,
  SettlementDocuments,
  SettlementPolicies,
  SettlementRuns,
  Settlements,
  WebhookEndpoints,
  Workspaces,
} from "quittance";
import type { Call } from "./Call.ts";
import { type Derived, derive, type Reading } from "./Derived.ts";

/** The services by their names in `quittance/promise`. */
const SERVICES = {
  attributions: Attributions.Attributions,
  recredits: Recredits.Recredits,
  recreditRuns: RecreditRuns.RecreditRuns,
  attributionSchemas: AttributionSchemas.AttributionSchemas,
  partners: Partners.Partners,
  payoutAccounts: PayoutAccounts.PayoutAccounts,
  partnerLinks: PartnerLinks.PartnerLinks,
  receipts: Receipts.Receipts,
  partnerStatements: PartnerStatements.PartnerStatements,
  journals: Journals.Journals,
  payables: Payables.Payables,
  postingRules: PostingRules.PostingRules,
  accountingPeriods: AccountingPeriods.AccountingPeriods,
  commissionFormulas: CommissionFormulas.CommissionFormulas,
  commissionPlans: CommissionPlans.CommissionPlans,
  planTerms: PlanTerms.PlanTerms,
  planTrials: PlanTrials.PlanTrials,
  commissions: Commissions.Commissions,
  settlements: Settlements.Settlements,
  documents: SettlementDocuments.SettlementDocuments,
  billingProfile: BillingProfiles.BillingProfiles,
  apiKeys: ApiKeys.ApiKeys,
  events: Events.Events,
  webhookEndpoints: WebhookEndpoints.WebhookEndpoints,
  paymentFiles: PaymentFiles.PaymentFiles,
  bankStatements: BankStatements.BankStatements,
  settlementPolicies: SettlementPolicies.SettlementPolicies,
  settlementRuns: SettlementRuns.SettlementRuns,
  workspaces: Workspaces.Workspaces,
} as const;

type Services = typeof SERVICES;
type Name = keyof Services;

/** The services that a context must provide. */
type Required = Services[Name]["Identifier"];

/** Methods whose input has a customer. The customer of the caller is the default. */
const NAMING_CUSTOMER: { readonly [Service in Name]?: ReadonlyArray<string> } = {
  settlements: ["create", "preview"],
};

/** The services of one caller. */
export type Derivation = { readonly [Service in Name]: Derived<Services[Service]["Service"]> };

/** Services whose `list` has no filter by id. */
type WithoutIds = {
  readonly [Service in Name]: Derivation[Service] extends { readonly list: unknown }
    ? Derivation[Service] extends { readonly get: unknown }
      ? never
      : Service
    : never;
}[Name];
const WITHOUT_IDS: { readonly [Service in WithoutIds]: Exclude<Reading, "ids"> } = {
  apiKeys: "pages",
  events: "cursor",
};
const readingOf = (name: Name): Reading => (name in WITHOUT_IDS ? WITHOUT_IDS[name as WithoutIds] : "ids");

/** Every service for one caller. */
export const deriveAll = (
  context: Context.Context<Required>,
  principal: Principal.Principal,
  call: Call,
): Derivation =>
  Object.fromEntries(
    (Object.keys(SERVICES) as ReadonlyArray<Name>).map((name) => [
      name,
      derive({
        name,
        service: Context.get(context, SERVICES[name] as Services["partners"]),
        principal,
        namingCustomer: NAMING_CUSTOMER[name] ?? [],
        reading: readingOf(name),
        call,
      }),
    ]),
  ) as unknown as Derivation;

/** The services for the operator, across customers. */
export interface OperatorDerivation {
  readonly erasures: Derived<Erasures.Erasures>;
}

/** Every service for the operator. */
export const deriveForOperator = (
  context: Context.Context<Erasures.Erasures>,
  call: Call,
): OperatorDerivation => ({
  erasures: derive({
    name: "erasures",
    service: Context.get(context, Erasures.Erasures),
    principal: Principal.platform("platform:host"),
    namingCustomer: [],
    reading: "pages",
    call,
  }),
});
