/**
 * `npm run bench:services`: attributions per second through the services on the memory store, one after the other, and the
 * part of the time that is not the evaluation of the formula. Rounds alternate; prints medians of CPU time, which other
 * processes disturb less than the clock.
 */
import { cpus } from "node:os";
import { Effect, Either, Layer, Logger, LogLevel, ManagedRuntime } from "effect";
import { Attributions, Documents, Principal, Quittance } from "quittance";
import * as Formula from "quittance/formula";
import { layer as memory } from "quittance/memory";
import { Scene } from "quittance/testing";
import { median } from "../median.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const SIZE = Number(process.env.BENCH_SIZE ?? 5_000);
/** Many, because one evaluation is short compared with the resolution of CPU time. */
const EVALUATIONS = 1_000_000;

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("this bench creates no documents"),
});

const layers = Quittance.layer().pipe(
  Layer.provideMerge(Layer.merge(memory, renderer)),
  Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None)),
);

/** The average CPU microseconds of one of `count` operations. */
const microsecondsEach = async (count: number, run: () => Promise<void>): Promise<number> => {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
};

const runtime = ManagedRuntime.make(layers);
const scene = await runtime.runPromise(Scene.create());
const attributions = await runtime.runPromise(Attributions.Attributions);
const { customerId, workspaceId, partnerId, schemaId, formula } = scene;
const principal = Principal.customer(customerId);
const properties = { order_value: 12_345 };
const sale = { partnerId, schemaId, workspaceId, properties };

const schema = { properties: [{ name: "order_value", type: "number", required: true }] } as const;
const checked = Formula.check(
  Effect.runSync(Formula.decode(formula.versions[0].expression)),
  schema.properties,
);
const compiled = Formula.compile(Effect.runSync(checked));
const facts = {
  ...scene,
  id: partnerId,
  agentId: null,
  createdAt: Date.now(),
  occurredAt: Date.now(),
  properties,
} as unknown as Formula.Facts;

const contenders: Readonly<Record<string, () => Promise<number>>> = {
  "one at a time": () =>
    microsecondsEach(SIZE, () =>
      runtime.runPromise(
        Effect.repeatN(Effect.asVoid(Effect.suspend(() => attributions.create(principal, sale))), SIZE - 1),
      ),
    ),
  "in batches of 1,000": () =>
    microsecondsEach(SIZE, () =>
      runtime.runPromise(
        Effect.repeatN(
          Effect.asVoid(
            Effect.suspend(() =>
              attributions.createBatch(principal, {
                mode: "atomic",
                attributions: Array.from({ length: 1_000 }, () => sale),
              }),
            ),
          ),
          SIZE / 1_000 - 1,
        ),
      ),
    ),
  "evaluating the formula": () =>
    microsecondsEach(EVALUATIONS, async () => {
      let failed = 0;
      for (let count = 0; count < EVALUATIONS; count++) {
        if (Either.isLeft(Formula.evaluate(compiled, facts))) failed += 1;
      }
      if (failed > 0) throw new Error(`${failed} evaluations failed`);
    }),
};

const measured = new Map<string, Array<number>>(Object.keys(contenders).map((name) => [name, []]));
for (let round = -3; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const each = await run();
    if (round >= 0) measured.get(name)?.push(each);
  }
}

const evaluation = median(measured.get("evaluating the formula") ?? []);
console.log(
  `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, medians of ${ROUNDS} rounds`,
);
for (const [name, values] of measured) {
  const each = median(values);
  const beyond =
    name === "evaluating the formula" ? "" : `, ${(each - evaluation).toFixed(1)} beyond evaluation`;
  console.log(
    `${name.padEnd(24)} ${each.toFixed(2).padStart(8)} µs${beyond}, ${Math.round(1e6 / each)} a second`,
  );
}
await runtime.dispose();
