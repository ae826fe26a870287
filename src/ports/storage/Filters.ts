/**
 * The filters of each kind of record that is listed. A filter is declared here and nowhere else: the parameters of requests,
 * the inputs of services and the laws of stores derive from its declaration.
 */
import { Schema } from "effect";
import { isWithin, Reach, Use, useOf } from "../../domain/ApiKey.ts";
import { creditOf } from "../../domain/Attribution.ts";
import type { CalendarDate } from "../../domain/CalendarDate.ts";
import { Role } from "../../domain/Credit.ts";
import { covers } from "../../domain/Formula.ts";
import {
  AttributionId,
  CommissionId,
  FormulaId,
  PartnerId,
  PartnerLinkId,
  PaymentFileId,
  PlanAcceptanceId,
  PlanId,
  PlanTrialId,
  PlanTrialResultId,
  RecreditRunId,
  RecreditRunResultId,
  SchemaId,
  SettlementId,
  SettlementRunId,
  SettlementRunResultId,
  WebhookDeliveryId,
  WebhookEndpointId,
} from "../../domain/Ids.ts";
import { due, SettlementStatus, settlementStatus } from "../../domain/Ledger.ts";
import { DOCUMENT_NUMBER_MAX, EXTERNAL_REFERENCE_MAX } from "../../domain/Limits.ts";
import { BillingMode, Status as PartnerStatus, Tag } from "../../domain/Partner.ts";
import * as PartnerLink from "../../domain/PartnerLink.ts";
import { isOverdue } from "../../domain/PaymentFile.ts";
import { OUTCOMES } from "../../domain/RecreditRun.ts";
import { hasFailedPayment, StatusType } from "../../domain/SettlementView.ts";
import { Text } from "../../domain/Text.ts";
import { DateTime, type Timestamp } from "../../domain/Timestamp.ts";
import { STATUSES as DELIVERY_STATUSES } from "../../domain/WebhookDelivery.ts";
import { STATUSES as ENDPOINT_STATUSES } from "../../domain/WebhookEndpoint.ts";
import {
  type AskedOf,
  equals,
  type Filter,
  from,
  holds,
  internal,
  oneOf,
  related,
  sign,
  to,
  type ValueOf,
} from "./Filter.ts";
import type { Listed, ListedKind, Rows, Versioned } from "./Records.ts";
import {
  currencies,
  customerIds,
  ids,
  name,
  occurrence,
  PARTNERS,
  partnerIds,
  STATUSES,
  workspaceIds,
} from "./SharedFilters.ts";

type Row<Kind extends ListedKind> = Versioned<Rows[Kind]>;

/** The settlements that have a line of a commission, whatever happened to them. */
const settlementsOf = ({ events }: Listed["commission"]): ReadonlyArray<SettlementId> =>
  events.flatMap(({ event }) => (event.type === "reserve_commission" ? [event.settlement_id] : []));

/** The filters of each kind, in the order in which requests name them. */
export const FILTERS = {
  attribution: {
    ids: ids(AttributionId),
    customerIds: internal(customerIds),
    partnerIds,
    workspaceIds,
    schemaIds: oneOf(
      SchemaId,
      ({ schemaId }: Row<"attribution">) => schemaId,
      "The schemas of the attributions.",
    ),
    statuses: oneOf(
      Schema.Literal("confirmed", "cancelled"),
      ({ status }: Row<"attribution">) => status,
      STATUSES,
    ),
    externalReferences: oneOf(
      Text(1, EXTERNAL_REFERENCE_MAX),
      ({ externalReference }: Row<"attribution">) => externalReference,
      "The external references of attributions, compared exactly.",
    ),
    originIds: oneOf(
      AttributionId,
      ({ id, originId }: Row<"attribution">) => (originId === null ? id : [id, originId]),
      "Attributions of these sales: the origins, and the other credits of the same sales.",
    ),
    roles: oneOf(
      Role,
      (row: Row<"attribution">) => creditOf(row).role,
      "The roles of the credits, compared exactly; a sale without other credits has the role seller.",
    ),
    ...occurrence,
  },
  formula: {
    ids: ids(FormulaId),
    customerIds,
    partnerIds,
    workspaceIds,
    planIds: oneOf(
      PlanId,
      ({ assignment }: Row<"formula">) => assignment?.planId ?? null,
      "The commission plans of the formulas.",
    ),
    activeAt: holds(
      DateTime,
      (formula: Row<"formula">, moment: Timestamp) => formula.status === "active" && covers(formula, moment),
      "Matches formulas that are active at this moment.",
    ),
  },
  plan: { ids: ids(PlanId), customerIds: internal(customerIds), workspaceIds, name },
  commission: {
    ids: ids(CommissionId),
    customerIds: internal(customerIds),
    partnerIds,
    attributionIds: oneOf(
      AttributionId,
      ({ attributionId }: Row<"commission">) => attributionId,
      "The attributions of the records.",
    ),
    workspaceIds,
    settlementStatus: equals(
      SettlementStatus,
      (row: Row<"commission">) => settlementStatus(row),
      "Matches commissions with this status.",
    ),
    formulaIds: oneOf(
      FormulaId,
      ({ formulaId }: Row<"commission">) => formulaId,
      "The formulas of the commissions.",
    ),
    settlementIds: related(
      oneOf(SettlementId, settlementsOf, "The settlements that have a line of the commission."),
    ),
    currencies,
    due: sign(
      (row: Row<"commission">) => due(row),
      "The sign of due_amount; any (the default) filters nothing.",
    ),
    waiting: equals(
      Schema.Boolean,
      ({ waitingAmount }: Row<"commission">) => (waitingAmount ?? 0) > 0,
      "true matches commissions of which an amount waits for the buyer; false matches all other commissions.",
    ),
    ...occurrence,
  },
  settlement: {
    ids: ids(SettlementId),
    customerIds: internal(customerIds),
    partnerIds,
    workspaceIds,
    commissionIds: related(
      oneOf(
        CommissionId,
        ({ lines }: Listed["settlement"]) => lines.map(({ commissionId }) => commissionId),
        "The commissions that a line of the settlement is about.",
      ),
    ),
    statuses: oneOf(StatusType, ({ status }: Row<"settlement">) => status.type, STATUSES),
    currencies,
    createdFrom: from(
      ({ createdAt }: Row<"settlement">) => createdAt,
      "Inclusive: settlements created at this moment or later.",
    ),
    createdTo: to(
      ({ createdAt }: Row<"settlement">) => createdAt,
      "Exclusive: settlements created before this moment.",
    ),
    stale: related(
      equals(
        Schema.Boolean,
        ({ stale }: Listed["settlement"]) => stale,
        "true matches drafts whose lines differ from the amounts now due; false matches all other settlements.",
      ),
    ),
    taxReview: equals(
      Schema.Boolean,
      ({ taxReview }: Row<"settlement">) => taxReview !== null,
      "true matches settlements whose document states a tax that an approver has to accept or refuse; false matches all other settlements.",
    ),
    paymentFailed: equals(
      Schema.Boolean,
      (settlement: Row<"settlement">) => hasFailedPayment(settlement),
      "true matches settlements that are to be paid after an attempt that has failed or come back; false matches all other settlements.",
    ),
    documentNumbers: oneOf(
      Text(1, DOCUMENT_NUMBER_MAX),
      ({ reportNumber, invoiceNumber, creditNoteNumber }: Row<"settlement">) =>
        [reportNumber, invoiceNumber, creditNoteNumber].filter((number) => number !== null),
      "The numbers of reports, invoices and credit notes of the settlements, compared exactly.",
    ),
    paymentOverdue: holds(
      Schema.Boolean,
      (
        settlement: Row<"settlement">,
        { before, matches }: { readonly before: CalendarDate; readonly matches: boolean },
      ) => isOverdue(settlement, before) === matches,
      "true matches settlements whose payment was handed over to the bank and is not booked although the business days of the server's setting have passed since its execution date; false matches all other settlements.",
    ),
  },
  schema: { ids: ids(SchemaId), customerIds, workspaceIds, name },
  partner: {
    ids: ids(PartnerId),
    customerIds,
    partnerIds: internal(oneOf(PartnerId, ({ id }: Row<"partner">) => id, PARTNERS)),
    workspaceIds,
    name,
    billingMode: equals(
      Schema.NullOr(BillingMode),
      ({ billingMode }: Row<"partner">) => billingMode,
      "not_configured matches partners whose billing_mode is null.",
      "not_configured",
    ),
    externalReferences: oneOf(
      Text(1, EXTERNAL_REFERENCE_MAX),
      ({ externalReference }: Row<"partner">) => externalReference,
      "The external references of partners, compared exactly.",
    ),
    tags: oneOf(
      Tag,
      ({ tags }: Row<"partner">) => tags,
      "Tags of partners, compared exactly; matches partners that have any of them.",
    ),
    statuses: oneOf(PartnerStatus, ({ status }: Row<"partner">) => status, STATUSES),
    payoutAccountProposed: equals(
      Schema.Boolean,
      ({ payoutAccounts }: Row<"partner">) =>
        payoutAccounts?.some(({ status }) => status === "proposed") ?? false,
      "true matches partners of which a payout account waits for its confirmation; false matches all other partners.",
    ),
  },
  apiKey: {
    ids: internal(ids(Schema.String)),
    customerIds: internal(customerIds),
    uses: oneOf(
      Use,
      (key: Row<"apiKey">) => useOf(key),
      "What the keys are for: programs, sessions of people who have signed in or accepted an invitation, or invitations.",
    ),
    partnerIds: oneOf(
      PartnerId,
      ({ partnerIds: granted }: Row<"apiKey">) => (granted === "*" ? null : granted),
      "The partners of the keys; a key for all partners is none of theirs.",
    ),
    within: internal(
      holds(
        Reach,
        (key: Row<"apiKey">, reach: Reach) => isWithin(key, reach),
        "Keys that reach no workspace, partner or agent beyond this.",
      ),
    ),
  },
  planAcceptance: {
    ids: ids(PlanAcceptanceId),
    customerIds: internal(customerIds),
    planIds: internal(
      oneOf(PlanId, ({ planId }: Row<"planAcceptance">) => planId, "The plans of the acceptances."),
    ),
    partnerIds,
    workspaceIds: internal(workspaceIds),
  },
  partnerLink: {
    ids: ids(PartnerLinkId),
    customerIds: internal(customerIds),
    partnerIds,
    uplinePartnerIds: oneOf(
      PartnerId,
      ({ uplinePartnerId }: Row<"partnerLink">) => uplinePartnerId,
      "The partners directly above.",
    ),
    workspaceIds,
    roles: oneOf(Role, ({ role }: Row<"partnerLink">) => role, "The roles of the links, compared exactly."),
    activeAt: holds(
      DateTime,
      (link: Row<"partnerLink">, moment: Timestamp) => PartnerLink.covers(link, moment),
      "Matches links that hold at this moment.",
    ),
    naming: internal(
      oneOf(
        PartnerId,
        ({ partnerId, uplinePartnerId }: Row<"partnerLink">) => [partnerId, uplinePartnerId],
        "The partners that a link names at either end.",
      ),
    ),
  },
  paymentFile: { ids: ids(PaymentFileId), customerIds: internal(customerIds) },
  webhookEndpoint: {
    ids: ids(WebhookEndpointId),
    customerIds: internal(customerIds),
    statuses: internal(
      oneOf(Schema.Literal(...ENDPOINT_STATUSES), ({ status }: Row<"webhookEndpoint">) => status, STATUSES),
    ),
  },
  webhookDelivery: {
    ids: internal(ids(WebhookDeliveryId)),
    customerIds: internal(customerIds),
    endpointIds: internal(
      oneOf(
        WebhookEndpointId,
        ({ endpointId }: Row<"webhookDelivery">) => endpointId,
        "The endpoints of the deliveries.",
      ),
    ),
    statuses: oneOf(
      Schema.Literal(...DELIVERY_STATUSES),
      ({ status }: Row<"webhookDelivery">) => status,
      STATUSES,
    ),
  },
  settlementRun: { ids: ids(SettlementRunId), customerIds: internal(customerIds), workspaceIds },
  settlementRunResult: {
    ids: internal(ids(SettlementRunResultId)),
    customerIds: internal(customerIds),
    runIds: internal(
      oneOf(SettlementRunId, ({ runId }: Row<"settlementRunResult">) => runId, "The runs of the results."),
    ),
    partnerIds,
    workspaceIds: internal(workspaceIds),
  },
  planTrial: {
    ids: ids(PlanTrialId),
    customerIds: internal(customerIds),
    workspaceIds,
    planIds: oneOf(PlanId, ({ planId }: Row<"planTrial">) => planId, "The plans that the trials are of."),
  },
  planTrialResult: {
    ids: internal(ids(PlanTrialResultId)),
    customerIds: internal(customerIds),
    trialIds: internal(
      oneOf(PlanTrialId, ({ trialId }: Row<"planTrialResult">) => trialId, "The trials of the results."),
    ),
    partnerIds,
    workspaceIds: internal(workspaceIds),
  },
  recreditRun: { ids: ids(RecreditRunId), customerIds: internal(customerIds), workspaceIds },
  recreditRunResult: {
    ids: internal(ids(RecreditRunResultId)),
    customerIds: internal(customerIds),
    runIds: internal(
      oneOf(RecreditRunId, ({ runId }: Row<"recreditRunResult">) => runId, "The runs of the results."),
    ),
    outcomes: oneOf(
      Schema.Literal(...OUTCOMES),
      ({ outcome }: Row<"recreditRunResult">) => outcome,
      "What became of the sales.",
    ),
    workspaceIds: internal(workspaceIds),
  },
} as const satisfies {
  readonly [Kind in ListedKind]: Readonly<
    Record<
      string,
      | (Filter<Row<Kind>> & { readonly isRelated?: never })
      | (Filter<Listed[Kind]> & { readonly isRelated: true })
    >
  >;
};

type Declarations = typeof FILTERS;

export { type Parameter, parameterOf } from "./Filter.ts";

/** The names of a kind's filters. */
export type FilterName<Kind extends ListedKind> = keyof Declarations[Kind];

/**
 * The filters of a list by the kind of its records. They AND together, the values of one OR. Absent filters nothing, an empty
 * list matches nothing.
 */
export type Filters = {
  readonly [Kind in ListedKind]: {
    readonly [Name in FilterName<Kind>]?: ValueOf<Declarations[Kind][Name]>;
  };
};

/** The names of the filters that requests state. */
export type AskedName<Kind extends ListedKind> = {
  [Name in FilterName<Kind>]: Declarations[Kind][Name] extends { readonly isInternal: true } ? never : Name;
}[FilterName<Kind>];

/** The filters of a request. */
export type AskedFilters<Kind extends ListedKind, Name extends AskedName<Kind> = AskedName<Kind>> = {
  readonly [Key in Name]?: AskedOf<Declarations[Kind][Key]> | undefined;
};

/** The names of the filters that read what only a page shows in addition to the record. */
export type RelatedName<Kind extends ListedKind> = {
  [Name in FilterName<Kind>]: Declarations[Kind][Name] extends { readonly isRelated: true } ? Name : never;
}[FilterName<Kind>];
