/** Two engines over one PostgreSQL database, and what both do for a customer of their own. */
import { Context, Effect, Layer } from "effect";
import {
  AttributionSchemas,
  CommissionFormulas,
  Currency,
  type Ids,
  PartnerLinks,
  Partners,
  Principal,
  Storage,
  Worker,
} from "quittance";
import type { Expression } from "quittance/formula";
import { Build, checkInvariants } from "quittance/testing";
import { database } from "../../support/postgres.ts";
import { engine } from "./engine.ts";

/** Two engines, with a schema of one number; records of the beginning are those of the first. */
export const twoEngines = Effect.gen(function* () {
  const url = yield* database();
  const engines = yield* Effect.all([Layer.build(engine(url)), Layer.build(engine(url))]);
  const [first] = engines;
  /** The services of one of the engines, whatever the number. */
  const engineOf = (index: number) => engines[index % 2] as typeof first;
  const customerId = Build.fresh.customer();
  const workspaceId = Build.fresh.workspace();
  const owner = Principal.customer(customerId);
  const { id: schemaId } = yield* Context.get(first, AttributionSchemas.AttributionSchemas).create(owner, {
    ...{ name: "Sale", workspaceId },
    properties: [{ name: "order_value", type: "number", required: true }],
  });
  const partner = Effect.map(
    Context.get(first, Partners.Partners).create(owner, { name: "Partner", workspaceId }),
    ({ id }) => id,
  );
  const startDatetime = Date.now() - Build.DAY;
  const formula = (partnerId: Ids.PartnerId, expression: Expression, roles?: ReadonlyArray<string>) =>
    Effect.map(
      Context.get(first, CommissionFormulas.CommissionFormulas).create(owner, {
        ...{ partnerId, workspaceId, schemaId, name: "Formula", startDatetime, expression },
        ...{ currency: Currency.Currency.make("EUR"), ...(roles === undefined ? {} : { roles }) },
      }),
      ({ id }) => id,
    );
  const link = (index: number, partnerId: Ids.PartnerId, uplinePartnerId: Ids.PartnerId) =>
    Context.get(engineOf(index), PartnerLinks.PartnerLinks).create(owner, {
      ...{ partnerId, uplinePartnerId, role: "manager", startDatetime },
    });
  /** The request of a sale of a partner. */
  const request = (partnerId: Ids.PartnerId, orderValue = 10) => ({
    ...{ partnerId, schemaId, workspaceId },
    properties: { order_value: orderValue },
  });
  const drain = Context.get(first, Worker.Worker).drain;
  const check = Effect.provide(
    checkInvariants(customerId),
    Layer.succeed(Storage.Storage, Context.get(first, Storage.Storage)),
  );
  return {
    ...{ first, engineOf, customerId, workspaceId, owner, partner, formula, link, request, drain, check },
  };
});
