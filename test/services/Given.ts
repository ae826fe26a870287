/**
 * The builders of the service tests: an engine over a store in memory whose clock the test moves, and what most rules
 * begin with. Everything is made through the services, as a host makes it. The clock begins at {@link NOW}.
 */

import { Context, Duration, Effect, Layer, Schema } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Commissions,
  Currency,
  type Document,
  Documents,
  type Ids,
  Mailer,
  Partner,
  Partners,
  PaymentProvider,
  Principal,
  Quittance,
  type Receipt,
  type Settlement,
  SettlementDocuments,
  Settlements,
  Storage,
  Webhooks,
  Worker,
} from "quittance";
import type { Expression } from "quittance/formula";
import { layer as memory } from "quittance/memory";
import { Build } from "quittance/testing";
import * as DrivenClock from "../../src/testing/session/DrivenClock.ts";

/** When each test begins: midnight of 1 January 2026, UTC. */
export const NOW = Build.EPOCH;
/** One day, in milliseconds. */
export const DAY = Build.DAY;
/** The currency of formulas unless a rule is about another one. */
export const EUR = Currency.Currency.make("EUR");

/** The options of a host, besides the store. */
export interface Host {
  readonly render?: Documents.DocumentRendererService["render"];
  /** None by default: settlements are paid outside. */
  readonly send?: PaymentProvider.PaymentProviderService["send"];
  /** The rest of the provider; it has no effect without {@link send}. */
  readonly provider?: Partial<PaymentProvider.PaymentProviderService>;
  readonly policy?: Quittance.ChosenPolicy;
  /** None by default: there are no webhooks. */
  readonly webhooks?: Webhooks.WebhookSenderService;
  /** None by default: no mail is sent. */
  readonly mailer?: Mailer.MailerService;
  /** What precedes the key of an invitation in links. */
  readonly invitationLink?: string;
  /** A new store in memory by default. */
  readonly store?: typeof memory;
  /** Replaces methods of the store that the engine uses. */
  readonly storage?: (storage: Storage.StorageService) => Partial<Storage.StorageService>;
}

/** A host that stores the rendered documents. */
export const recording = (rendered: Array<Documents.DocumentContent>): Host => ({
  render: (content) =>
    Effect.sync(() => {
      rendered.push(content);
      return { bytes: new Uint8Array([1]), extension: "bin" };
    }),
});

const asText: Documents.DocumentRendererService["render"] = ({ kind, number, lines }) =>
  Effect.succeed({
    bytes: new TextEncoder().encode(`${kind} ${number} ${lines.map(({ amount }) => amount).join(" ")}`),
    extension: "txt",
  });

/** Draws documents as plain text. */
export const RENDERER = Layer.succeed(Documents.DocumentRenderer, { render: asText });

/** An engine over a new store. */
export const engine = ({
  render = asText,
  send,
  provider = {},
  policy = {},
  webhooks,
  mailer,
  invitationLink,
  store = memory,
  storage,
}: Host = {}) =>
  Quittance.layer(policy).pipe(
    Layer.updateService(Storage.Storage, (service) => ({ ...service, ...storage?.(service) })),
    Layer.provide([
      Layer.succeed(Documents.DocumentRenderer, { render }),
      Layer.succeed(
        PaymentProvider.PaymentProvider,
        send === undefined ? null : PaymentProvider.provider({ ...provider, send }),
      ),
      Layer.succeed(Webhooks.WebhookSender, webhooks ?? null),
      Layer.succeed(Mailer.Mailer, mailer ?? null),
      Layer.succeed(Mailer.InvitationLink, invitationLink ?? null),
    ]),
    Layer.provideMerge(store),
  );

/** The clock of a test: its time is constant until {@link wait} advances it, and a command that pauses continues at once. */
class RuleClock extends Context.Tag("test/RuleClock")<RuleClock, DrivenClock.DrivenClock>() {}

/** The clock of the test. */
export const clock: Effect.Effect<DrivenClock.DrivenClock, never, RuleClock> = RuleClock;

/** Advances the clock by milliseconds. */
export const wait = (milliseconds: number) =>
  Effect.map(RuleClock, (clock) => {
    clock.now += milliseconds;
  });

/** Records how long each command pauses from now on, in milliseconds. */
export const recordPauses = Effect.map(RuleClock, (clock) => {
  const pauses: Array<number> = [];
  clock.pause = (duration) => Effect.sync(() => void pauses.push(Duration.toMillis(duration)));
  return pauses;
});

/** Runs a rule on an engine of its own, from {@link NOW} on. */
export const rule = <A, E>(
  effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof engine>> | RuleClock>,
  host: Host = {},
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const clock = DrivenClock.make(NOW);
    return effect.pipe(
      Effect.provide(engine(host)),
      Effect.provideService(RuleClock, clock),
      Effect.provide(Layer.setClock(clock)),
    );
  });

/** The message of the refusal that a command must return. */
export const refusal = <A, R>(command: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.map(Effect.flip(command), ({ message }) => message);

/** A formula that pays a share of `order_value`, in per cent. */
export const percent = (value: number): Expression => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value } },
  ],
});

/** The largest order value; a formula of 1,000 % cannot be computed on it. */
export const LARGEST_ORDER = 1_000_000_000_000_000;

/** The self-billing data of a partner, with 25 % tax. */
export const SELF_BILLING = Schema.decodeUnknownSync(Partner.SelfBillingData)({
  legal_name: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postal_code: "1058", country: "DK" },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2_500 },
});

/** A customer with one workspace, and in it a partner and a schema with a required number `order_value`. */
export interface Scene {
  /** May do everything for the customer. */
  readonly owner: Principal.Principal;
  readonly customerId: Ids.CustomerId;
  readonly workspaceId: Ids.WorkspaceId;
  readonly partnerId: Ids.PartnerId;
  readonly schemaId: Ids.SchemaId;
}

/** Creates another partner of the scene's workspace, billed by itself; returns its id. */
export const partner = ({ owner, workspaceId }: Pick<Scene, "owner" | "workspaceId">) =>
  Effect.flatMap(Partners.Partners, ({ create }) =>
    Effect.map(create(owner, { name: "Sydlys ApS", workspaceId }), ({ id }) => id),
  );

/** A partner and a schema, of a new customer unless stated, without any formula. */
export const scene = ({
  selfBilled = false,
  workspaceId = Build.fresh.workspace(),
  customerId = Build.fresh.customer(),
}: {
  readonly selfBilled?: boolean;
  readonly workspaceId?: Ids.WorkspaceId;
  readonly customerId?: Ids.CustomerId;
} = {}) =>
  Effect.gen(function* () {
    const owner = Principal.customer(customerId);
    const partner = yield* (yield* Partners.Partners).create(owner, {
      name: "Nordlys ApS",
      workspaceId,
      ...(selfBilled ? { billingMode: "self_billing", selfBillingData: SELF_BILLING } : {}),
    });
    const schema = yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
      name: "Sale",
      workspaceId,
      properties: [{ name: "order_value", type: "number", required: true }],
    });
    return { owner, customerId, workspaceId, partnerId: partner.id, schemaId: schema.id } satisfies Scene;
  });

/** Creates a formula of the scene's partner and schema: 10 % from a month ago on, unless stated otherwise. */
export const formula = (
  { owner, workspaceId, partnerId, schemaId }: Scene,
  {
    expression = percent(10),
    from = NOW - 30 * DAY,
    to = null,
    currency = EUR,
    ...terms
  }: {
    readonly expression?: Expression;
    readonly from?: number;
    readonly to?: number | null;
    readonly currency?: Currency.Currency;
    readonly roles?: ReadonlyArray<string>;
    readonly release?: Receipt.Release;
  } = {},
) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ create }) =>
    Effect.map(
      create(owner, {
        ...{ partnerId, workspaceId, schemaId, name: "Share", currency, expression },
        startDatetime: from,
        endDatetime: to,
        ...terms,
      }),
      ({ id }) => id,
    ),
  );

/** What creating an attribution of the scene's partner and schema takes. */
export const sale = ({ partnerId, schemaId, workspaceId }: Scene, orderValue: number) => ({
  ...{ partnerId, schemaId, workspaceId },
  properties: { order_value: orderValue },
});

/** Credits a sale to the scene's partner; returns the attribution's id. */
export const sell = (given: Scene, orderValue: number) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(given.owner, sale(given, orderValue)), ({ id }) => id),
  );

/** The commissions of the scene's customer, the oldest first; of one attribution when it is given. */
export const commissions = ({ owner }: Scene, attributionId?: Ids.AttributionId) =>
  Effect.gen(function* () {
    const { list } = yield* Commissions.Commissions;
    const filter = attributionId === undefined ? {} : { attributionIds: [attributionId] };
    const first = yield* list(owner, { perPage: 100, ...filter });
    const found = [...first.items];
    for (let page = 2; found.length < first.total; page++)
      found.push(...(yield* list(owner, { perPage: 100, page, ...filter })).items);
    return found;
  });

/** How many commissions the scene's customer has. */
export const countCommissions = ({ owner }: Scene) =>
  Effect.flatMap(Commissions.Commissions, ({ list }) => Effect.map(list(owner), ({ total }) => total));

/** What each commission of the scene's customer amounts to, the oldest first. */
export const amounts = (given: Scene, attributionId?: Ids.AttributionId) =>
  Effect.map(commissions(given, attributionId), (found) => found.map(({ computedAmount }) => computedAmount));

/** Creates a draft of all commissions of the scene's partner; returns its id. */
export const draft = (given: Scene) =>
  Effect.gen(function* () {
    const { customerId, workspaceId, partnerId } = given;
    const found = yield* commissions(given);
    const commissionIds = found
      .filter((candidate) => candidate.openSettlementId === null)
      .map(({ id }) => id);
    const { create } = yield* Settlements.Settlements;
    return (yield* create(given.owner, { customerId, workspaceId, partnerId, commissionIds })).id;
  });

/** A scene with a formula of 10 % and a draft of one commission for each sale. */
export const drafted = (orderValues: ReadonlyArray<number>, given: { readonly selfBilled?: boolean } = {}) =>
  Effect.gen(function* () {
    const made = yield* scene(given);
    yield* formula(made);
    for (const orderValue of orderValues) yield* sell(made, orderValue);
    return { ...made, settlementId: yield* draft(made) };
  });

/** Performs every message of the outbox that is available. */
export const drain = Effect.flatMap(Worker.Worker, ({ drain }) => drain);

/** Approves a settlement; the worker has done nothing about it yet. */
export const approve = ({ owner, settlementId }: Scene & { readonly settlementId: Ids.SettlementId }) =>
  Effect.flatMap(Settlements.Settlements, (settlements) => settlements.approve(owner, settlementId));

/** Approves a settlement; the worker has done what follows. */
export const approveAndDrain = (scene: Parameters<typeof approve>[0]) =>
  Effect.zipRight(approve(scene), drain);

/** A scene with a settlement as {@link drafted} makes it, after its approval and what the worker does about that. */
export const approved = (orderValues: ReadonlyArray<number>, given: { readonly selfBilled?: boolean } = {}) =>
  Effect.gen(function* () {
    const made = yield* drafted(orderValues, given);
    yield* approveAndDrain(made);
    return made;
  });

/** A settlement as a list shows it. */
export const settlement = ({ owner }: Scene, id: Ids.SettlementId) =>
  Effect.flatMap(Settlements.Settlements, ({ list }) =>
    Effect.flatMap(list(owner, { ids: [id] }), ({ items: [found] }) =>
      found === undefined ? Effect.dieMessage("no such settlement") : Effect.succeed(found),
    ),
  );

/** The status of a settlement. */
export const statusOf = (
  given: Scene & { readonly settlementId: Ids.SettlementId },
): Effect.Effect<Settlement.Status, never, Settlements.Settlements> =>
  Effect.map(Effect.orDie(settlement(given, given.settlementId)), ({ status }) => status);

/** Marks a settlement as paid outside, after the upload of the partner's invoice where it waits for one. */
export const payByHand = (given: Scene & { readonly settlementId: Ids.SettlementId }) =>
  Effect.gen(function* () {
    const { type } = yield* statusOf(given);
    if (type === "awaiting_invoice") yield* upload(given, "invoice");
    yield* (yield* Settlements.Settlements).markAsPaid(given.owner, given.settlementId);
  });

/** Uploads a document of a kind. */
export const upload = (
  { owner, settlementId }: Scene & { readonly settlementId: Ids.SettlementId },
  kind: Document.DocumentKind,
  facts: Document.Facts = {},
) =>
  Effect.flatMap(SettlementDocuments.SettlementDocuments, (documents) =>
    documents.upload(owner, settlementId, kind, {
      fileName: `${kind}.pdf`,
      bytes: new TextEncoder().encode("%PDF-1.7"),
      ...facts,
    }),
  );
