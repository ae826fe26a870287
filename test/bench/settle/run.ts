/**
 * `npm run bench:settle`: creating and paying a settlement of 10,000 commissions through the services, beside bare
 * set-based SQL that stores the same rows in the same tables. Both are durable when they return. Each round settles
 * commissions of its own; ratios are of the medians.
 */
import { Effect, Layer, Redacted } from "effect";
import { type Ids, Principal, Quittance, Settlements, Storage } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import * as Bare from "./bare.ts";
import { connection, server, Times } from "./measure.ts";

const LINES = Number(process.env.BENCH_LINES ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/** What ten per cent of a fixture's order value is. */
const AMOUNT = 1_200;

const earned = (scene: Scene.Scene) =>
  Effect.map(
    Scene.earn(
      scene,
      Array.from({ length: LINES }, () => AMOUNT),
    ),
    (all) => all.map(({ commission }) => commission.id),
  );

/** Takes a draft to the point where its payment is awaited. */
const approved = (customerId: Ids.CustomerId, id: Ids.SettlementId) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const [draft] = yield* storage.find(customerId, "settlement", [id]);
    if (draft === undefined) return yield* Effect.dieMessage("the settlement was not stored");
    yield* Scene.advance(draft, Build.approval(draft));
  });

const bench = Effect.gen(function* () {
  const url = yield* server;
  const client = yield* connection(url);
  const times = new Times();
  const rounds = Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    for (let round = 0; round <= ROUNDS; round++) {
      // The first round warms up and is not counted.
      const noted = round === 0 ? new Times() : times;
      const scene = yield* Scene.scene();
      const { customerId, workspaceId, partnerId } = scene;
      const [ours, theirs] = [yield* earned(scene), yield* earned(scene)];
      yield* Effect.promise(() => client.query("vacuum analyze"));
      const me = Principal.customer(customerId);
      const asked = { customerId, workspaceId, partnerId, commissionIds: ours };
      const { id } = yield* noted.of("create, ours", settlements.create(me, asked));
      const amounts = theirs.map(() => AMOUNT);
      const bareId = yield* noted.of(
        "create, bare",
        Effect.promise(() => Bare.create(client, scene, theirs, amounts)),
      );
      yield* approved(customerId, id);
      yield* noted.of("pay, ours", settlements.markAsPaid(me, id));
      yield* noted.of(
        "pay, bare",
        Effect.promise(() => Bare.pay(client, scene, bareId)),
      );
    }
  });
  const engine = Quittance.layer().pipe(
    Layer.provide(Pdf.layer),
    Layer.provideMerge(Postgres.layer({ url: Redacted.make(url) })),
  );
  yield* Effect.provide(rounds, engine);
  console.log(`${LINES} commissions, ${ROUNDS} rounds`);
  times.print(["create", "pay"]);
});

await Effect.runPromise(Effect.scoped(bench));
