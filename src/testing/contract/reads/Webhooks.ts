/** Laws of webhook endpoints and deliveries: those that have not ended, and the filters of their lists. */
import { Effect } from "effect";
import { Storage, type Where } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const OPEN =
  "The deliveries to an endpoint that have not ended, ordered by the positions of their events, at most `limit`.";
const ENDPOINTS = "On webhook deliveries: to any of these endpoints.";
const STATUSES =
  "On attributions, settlements, webhook endpoints and webhook deliveries: in any of these states, by their type.";

const DELIVERED = { status: "delivered", nextAttemptAt: null, endedAt: Build.EPOCH + 5 } as const;
const FAILED = { ...DELIVERED, status: "failed" } as const;
const HELD = { status: "held", nextAttemptAt: null } as const;

/** A place in a feed beyond 2^31, which is more than an integer of four bytes holds. */
const FAR = 5_000_000_000;

const openOnes = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const [one, other] = [Build.webhookEndpoint(customerId), Build.webhookEndpoint(customerId)];
  const at = (position: number, overrides: Parameters<typeof Build.webhookDelivery>[1] = {}) =>
    Build.webhookDelivery(one.row, { position, ...overrides });
  const far = at(FAR);
  const [first, held, delivered, failed] = [at(1), at(3, HELD), at(2, DELIVERED), at(4, FAILED)];
  const foreign = Build.webhookDelivery(other.row, { position: 2 });
  yield* Scene.commit(customerId, [one, other, far, held, delivered, failed, first, foreign]);
  const readOpen = (limit = 100) => storage.openDeliveries(customerId, one.row.id, limit);
  yield* expectSame("the open ones", yield* readOpen(), [first.row, held.row, far.row]);
  yield* expectSame("the first two of them", yield* readOpen(2), [first.row, held.row]);
  const ended = Build.flat("webhookDelivery", { ...first.row, ...DELIVERED });
  const reopened = Build.flat("webhookDelivery", {
    ...failed.row,
    status: "pending",
    endedAt: null,
    nextAttemptAt: 7,
  });
  const attempted = Build.flat("webhookDelivery", {
    ...far.row,
    attempts: 1,
    lastError: "the receiver returned 500",
  });
  yield* Scene.commit(customerId, [ended, reopened, attempted]);
  yield* expectSame("after one ended and another was sent again", yield* readOpen(), [
    held.row,
    reopened.row,
    attempted.row,
  ]);
  yield* expectSame("of the other endpoint", yield* storage.openDeliveries(customerId, other.row.id, 9), [
    foreign.row,
  ]);
  yield* expectSame(
    "of another customer",
    yield* storage.openDeliveries(Build.fresh.customer(), one.row.id, 9),
    [],
  );
});

/** Two endpoints, one of which is disabled, and what both were sent. */
const sent = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const one = Build.webhookEndpoint(customerId);
  const other = Build.webhookEndpoint(customerId, { status: "disabled", disabledReason: "gone" });
  const gone = Build.webhookEndpoint(customerId, { status: "deleted", createdAt: Build.EPOCH + 3 });
  const deliveries = [{}, HELD, DELIVERED, FAILED, DELIVERED].map((overrides, index) =>
    Build.webhookDelivery(index === 4 ? other.row : one.row, {
      ...overrides,
      createdAt: Build.EPOCH + index,
    }),
  );
  yield* Scene.commit(customerId, [one, other, gone, ...deliveries]);
  const indexes = (where: Where) =>
    Effect.map(listAll(customerId, "webhookDelivery", where), (found) =>
      found.map(({ id }) => deliveries.findIndex(({ row }) => row.id === id)),
    );
  return { customerId, one: one.row, other: other.row, gone: gone.row, indexes };
});

const byEndpoint = Effect.gen(function* () {
  const { one, other, indexes } = yield* sent;
  yield* expectSame("of all endpoints", yield* indexes({}), [0, 1, 2, 3, 4]);
  yield* expectSame("of one", yield* indexes({ endpointIds: [one.id] }), [0, 1, 2, 3]);
  yield* expectSame("of both", yield* indexes({ endpointIds: [one.id, other.id] }), [0, 1, 2, 3, 4]);
  yield* expectSame("of none", yield* indexes({ endpointIds: [] }), []);
});

const byStatus = Effect.gen(function* () {
  const { customerId, one, other, gone, indexes } = yield* sent;
  yield* expectSame("those that wait", yield* indexes({ statuses: ["pending", "held"] }), [0, 1]);
  const received = { endpointIds: [one.id], statuses: ["delivered" as const] };
  yield* expectSame("those that one received", yield* indexes(received), [2]);
  const endpoints = (where: Where) =>
    Effect.map(listAll(customerId, "webhookEndpoint", where), (found) => found.map(({ id }) => id).sort());
  const existing = { statuses: ["enabled" as const, "disabled" as const] };
  yield* expectSame("endpoints that exist", yield* endpoints(existing), [one.id, other.id].sort());
  yield* expectSame("every endpoint", yield* endpoints({}), [one.id, other.id, gone.id].sort());
});

/** Every law of webhook endpoints and deliveries. */
export const webhooks: ReadonlyArray<Law> = [
  law(OPEN, "two endpoints, one that ends and one that is sent again", openOnes),
  law(ENDPOINTS, "one, both and none of two endpoints", byEndpoint),
  law(STATUSES, "deliveries that wait or were received, endpoints that exist", byStatus),
];
