/** The engine on its memory store, embedded in a host; logging is off. */
import { hash } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Effect, Layer, Logger, LogLevel, ManagedRuntime } from "effect";
import {
  ApiKeys,
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Digest,
  Documents,
  Ids,
  Partners,
  Principal,
  Quittance,
  Timestamp,
} from "quittance";
import { nodeServer } from "quittance/http";
import { layer as memory } from "quittance/memory";
import { announce, type Sale, STORED } from "./Setting.ts";

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("this bench creates no documents"),
});

/** A synchronous digest of Node's library, as in the bundled server. */
const digest = Layer.succeed(Digest.Digest, {
  sha256Hex: (input) => Effect.sync(() => hash("sha256", input, "hex")),
});

const layers = Layer.mergeAll(Quittance.layer(), ApiKeys.layerVerifier).pipe(
  Layer.provide(digest),
  Layer.provideMerge(Layer.merge(memory, renderer)),
  Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None)),
);

const customerId = Ids.CustomerId.make(crypto.randomUUID());
const workspaceId = Ids.WorkspaceId.make(crypto.randomUUID());
const principal = Principal.customer(customerId);
const properties = { order_value: 12_000, plan: "pro" };

const expression = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

const sales = Effect.gen(function* () {
  const partners = yield* Partners.Partners;
  const schemas = yield* AttributionSchemas.AttributionSchemas;
  const formulas = yield* CommissionFormulas.CommissionFormulas;
  const schema = yield* schemas.create(principal, {
    workspaceId,
    name: "Sale",
    properties: [
      { name: "order_value", type: "number", required: true },
      { name: "plan", type: "string", required: false },
    ],
  });
  const partner = yield* partners.create(principal, { name: "without formula", workspaceId });
  const earning = yield* partners.create(principal, { name: "with formula", workspaceId });
  yield* formulas.create(principal, {
    partnerId: earning.id,
    schemaId: schema.id,
    workspaceId,
    name: "a tenth",
    currency: "EUR",
    startDatetime: Timestamp.parse("2020-01-01T00:00:00Z") ?? 0,
    expression,
  } as unknown as Parameters<typeof formulas.create>[1]);
  const saleOf = (partner_id: string): Sale => ({
    partner_id,
    schema_id: schema.id,
    workspace_id: workspaceId,
    properties,
  });
  const attributions = yield* Attributions.Attributions;
  for (let count = 0; count < STORED; count++) {
    yield* attributions.create(principal, {
      partnerId: partner.id,
      schemaId: schema.id,
      workspaceId,
      properties,
    });
  }
  return { "no formula": saleOf(partner.id), "one formula": saleOf(earning.id) };
});

const runtime = ManagedRuntime.make(layers);
const made = await runtime.runPromise(sales);
const { key } = await runtime.runPromise(
  Effect.flatMap(ApiKeys.ApiKeys, (keys) => keys.create(principal, {})),
);
const server = nodeServer(await runtime.runtime(), { ready: Effect.void });
server.listen(0, "127.0.0.1", () =>
  announce({ port: (server.address() as AddressInfo).port, token: key, sales: made }),
);
