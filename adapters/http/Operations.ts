/** What each operation of the contract does: it calls one service and puts the result into its wire form. */
import type * as HttpApi from "@effect/platform/HttpApi";
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import { Context, Effect } from "effect";
import {
  ApiKeys,
  AttributionSchemas,
  Attributions,
  BillingProfiles,
  CommissionFormulas,
  Commissions,
  type Document,
  Partners,
  type Pipeline,
  type Principal,
  SettlementDocuments,
  Settlements,
} from "quittance";
import type { api } from "./api/Api.ts";
import type { Failure } from "./Failure.ts";
import type { Response } from "./HttpMessage.ts";
import * as Answer from "./Responses.ts";
import { apiKey } from "./wire/ApiKey.ts";
import * as Attribution from "./wire/Attribution.ts";
import { attributionSchema } from "./wire/AttributionSchema.ts";
import * as Commission from "./wire/Commission.ts";
import { commissionFormula, simulated } from "./wire/CommissionFormula.ts";
import { csv } from "./wire/ExportLines.ts";
import { billingProfile, partner } from "./wire/Partner.ts";
import * as Settlement from "./wire/Settlement.ts";
import * as SettlementPage from "./wire/SettlementPage.ts";

/** One call of an operation: who asks, and what the contract's decoders made of the request. */
export interface Call<Path, Query, Payload> {
  readonly principal: Principal.Principal;
  readonly path: Path;
  readonly query: Query;
  readonly payload: Payload;
  readonly options: Pipeline.CommandOptions;
}

type Groups = typeof api extends HttpApi.HttpApi<infer _Id, infer Group, infer _E, infer _R> ? Group : never;

type CallOf<Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer Query,
    infer Payload,
    infer _Headers,
    infer _Success,
    infer _Error,
    infer _R,
    infer _RE
  >
    ? Call<Path, Query, Payload>
    : never;

/** Every operation of the contract, by group and name, taking what the contract says it takes. */
export type Operations = {
  readonly [Group in Groups as Group["identifier"]]: {
    readonly [Endpoint in HttpApiGroup.HttpApiGroup.Endpoints<Group> as Endpoint["name"]]: (
      call: CallOf<Endpoint>,
    ) => Effect.Effect<Response, Failure>;
  };
};

/** The engine's services that the operations call. */
export type Services =
  | Attributions.Attributions
  | AttributionSchemas.AttributionSchemas
  | Partners.Partners
  | CommissionFormulas.CommissionFormulas
  | Commissions.Commissions
  | Settlements.Settlements
  | SettlementDocuments.SettlementDocuments
  | ApiKeys.ApiKeys
  | BillingProfiles.BillingProfiles;

type Of<Group extends keyof Operations> = Operations[Group];

const attributions = (service: Attributions.Attributions): Of<"attributions"> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (rows) =>
      Answer.pageWritten("attributions", rows, Attribution.attribution),
    ),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Answer.created),
  create_batch: ({ principal, payload, options }) =>
    Effect.map(service.createBatch(principal, payload, options), ({ results, replayed }) =>
      Answer.made(Attribution.batch(results), replayed),
    ),
  stats: ({ principal, query }) =>
    Effect.map(service.statistics(principal, query), (statistics) =>
      Answer.json(Attribution.statistics(statistics)),
    ),
  cancel: ({ principal, path, payload, options }) =>
    Effect.map(service.cancel(principal, path.id, payload, options), Answer.done),
});

const attributionSchemas = (service: AttributionSchemas.AttributionSchemas): Of<"attribution_schemas"> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (rows) =>
      Answer.page("attribution_schemas", rows, attributionSchema),
    ),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Answer.created),
});

const partners = (service: Partners.Partners): Of<"partners"> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (rows) => Answer.page("partners", rows, partner)),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Answer.created),
  update: ({ principal, path, payload, options }) =>
    Effect.map(service.update(principal, path.id, payload, options), Answer.done),
});

const commissionFormulas = (service: CommissionFormulas.CommissionFormulas): Of<"commission_formulas"> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (rows) =>
      Answer.page("commission_formulas", rows, commissionFormula),
    ),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Answer.created),
  update: ({ principal, path, payload, options }) =>
    Effect.map(service.update(principal, path.id, payload, options), Answer.done),
  simulate: ({ principal, payload }) =>
    Effect.map(
      service.simulateAs(principal, payload, (one) => JSON.stringify(simulated(one))),
      (results) => Answer.pieced(['{"results":[', ...Answer.separated(results), "]}"]),
    ),
  cancel: ({ principal, path, payload, options }) =>
    Effect.map(service.cancel(principal, path.id, payload, options), Answer.done),
});

const commissions = (service: Commissions.Commissions): Of<"commissions"> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (rows) =>
      Answer.pageWritten("commissions", rows, Commission.commission),
    ),
  stats: ({ principal, query }) =>
    Effect.map(service.statistics(principal, query), (statistics) =>
      Answer.written(Commission.statistics(statistics)),
    ),
  explanation: ({ principal, path }) =>
    Effect.map(service.explain(principal, path.id), (explained) =>
      Answer.json(Commission.explanation(explained)),
    ),
});

type Lifecycle =
  | "list"
  | "create"
  | "preview"
  | "approve"
  | "review"
  | "cancel"
  | "write_off"
  | "mark_as_paid";

const lifecycle = (service: Settlements.Settlements): Pick<Of<"settlements">, Lifecycle> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.listInParts(principal, query), (rows) => SettlementPage.page(rows)),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Answer.created),
  preview: ({ principal, payload }) =>
    Effect.flatMap(service.preview(principal, payload), ({ currency, total, lines }) =>
      Answer.listed(`{"currency":"${currency}","total":${total},"lines":[`, lines, Settlement.line, "]}"),
    ),
  approve: ({ principal, path, options }) =>
    Effect.map(service.approve(principal, path.id, options), Answer.done),
  review: ({ principal, path, payload, options }) =>
    Effect.map(service.review(principal, path.id, payload, options), Answer.done),
  cancel: ({ principal, path, options }) =>
    Effect.map(service.cancel(principal, path.id, options), Answer.done),
  write_off: ({ principal, path, options }) =>
    Effect.map(service.writeOff(principal, path.id, options), Answer.done),
  mark_as_paid: ({ principal, path, payload, options }) =>
    Effect.map(service.markAsPaid(principal, path.id, payload, options), Answer.done),
});

type Dealings = "dispute" | "resolve_dispute" | "initiate_payment" | "return_payment" | "reconcile";

const dealings = (service: Settlements.Settlements): Pick<Of<"settlements">, Dealings> => ({
  dispute: ({ principal, path, payload, options }) =>
    Effect.map(service.dispute(principal, path.id, payload, options), Answer.done),
  resolve_dispute: ({ principal, path, payload, options }) =>
    Effect.map(service.resolveDispute(principal, path.id, payload, options), Answer.done),
  initiate_payment: ({ principal, path, options }) =>
    Effect.map(service.initiatePayment(principal, path.id, options), Answer.done),
  return_payment: ({ principal, path, payload, options }) =>
    Effect.map(service.returnPayment(principal, path.id, payload, options), Answer.done),
  reconcile: ({ principal, path, payload, options }) =>
    Effect.map(service.reconcile(principal, path.id, payload, options), Answer.done),
});

const documents = (
  service: SettlementDocuments.SettlementDocuments,
): Omit<Of<"settlements">, Lifecycle | Dealings> => {
  const download =
    (kind: Document.DocumentKind): Of<"settlements">["report"] =>
    ({ principal, path }) =>
      Effect.map(service.download(principal, path.id, kind), ({ document, bytes }) =>
        Answer.file(document.fileName, bytes),
      );
  const upload =
    (kind: Document.DocumentKind): Of<"settlements">["upload_report"] =>
    ({ principal, path, payload: { file, ...facts }, options }) =>
      Effect.map(service.upload(principal, path.id, kind, { ...file, ...facts }, options), Answer.done);
  return {
    report: download("report"),
    invoice: download("invoice"),
    credit_note: download("credit_note"),
    upload_report: upload("report"),
    upload_invoice: upload("invoice"),
    upload_credit_note: upload("credit_note"),
    export: ({ principal, path }) =>
      Effect.map(service.exportLines(principal, path.id), ({ settlement, lines }) =>
        Answer.csv(`settlement-${settlement.id}.csv`, csv(settlement.currency, lines)),
      ),
  };
};

const apiKeys = (service: ApiKeys.ApiKeys): Of<"api_keys"> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (rows) => Answer.page("api_keys", rows, apiKey)),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), ({ id, key, replayed }) =>
      Answer.made({ id, key }, replayed),
    ),
  revoke: ({ principal, path, options }) =>
    Effect.map(service.revoke(principal, path.id, options), Answer.done),
});

const billingProfiles = (service: BillingProfiles.BillingProfiles): Of<"billing_profile"> => ({
  read: ({ principal }) =>
    Effect.map(service.read(principal), (profile) => Answer.json(billingProfile(profile))),
  write: ({ principal, payload, options }) =>
    Effect.map(service.write(principal, payload, options), Answer.done),
});

/** The operations over the services of a context; the services are looked up once, not per request. */
export const make = (context: Context.Context<Services>): Operations => {
  const settlements = Context.get(context, Settlements.Settlements);
  return {
    attributions: attributions(Context.get(context, Attributions.Attributions)),
    attribution_schemas: attributionSchemas(Context.get(context, AttributionSchemas.AttributionSchemas)),
    partners: partners(Context.get(context, Partners.Partners)),
    commission_formulas: commissionFormulas(Context.get(context, CommissionFormulas.CommissionFormulas)),
    commissions: commissions(Context.get(context, Commissions.Commissions)),
    settlements: {
      ...lifecycle(settlements),
      ...documents(Context.get(context, SettlementDocuments.SettlementDocuments)),
      ...dealings(settlements),
    },
    api_keys: apiKeys(Context.get(context, ApiKeys.ApiKeys)),
    billing_profile: billingProfiles(Context.get(context, BillingProfiles.BillingProfiles)),
  };
};
