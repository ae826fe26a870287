/** Laws of webhook endpoints and deliveries: those that have not ended. */
import { Effect } from "effect";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const OPEN =
  "The deliveries to an endpoint that have not ended, ordered by the positions of their events, at most `limit`.";
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

/** Every law of webhook endpoints and deliveries. */
export const webhooks: ReadonlyArray<Law> = [
  law(OPEN, "two endpoints, one that ends and one that is sent again", openOnes),
];
