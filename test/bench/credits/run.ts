/**
 * `npm run bench:credits -- --partners 10000 --width 4 --sales 0`: creating sales with eight credits beside sales with one, through
 * the service on PostgreSQL: credits that the caller gives, and credits that follow from the links of a tree of partners, which has
 * eight levels where each is above four. Rounds alternate; ratios compare medians. With `--sales`, it then records so many sales below the top of the tree and
 * changes the top's formula while other sales are created. Exits with 1 when a ratio is above its limit.
 */
import { cpus } from "node:os";
import { Effect } from "effect";
import {
  type Attribution,
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  type Credit,
  Currency,
  type Ids,
  PartnerLinks,
  Storage,
} from "quittance";
import { Build } from "quittance/testing";
import {
  ASSIGNED,
  BATCH,
  createPartners,
  createSchema,
  creations,
  owner,
  POLL_MILLISECONDS,
  percent,
  progress,
  withWorker,
  workspaceId,
} from "../beside.ts";
import { median } from "../median.ts";
import { numbers } from "../options.ts";

const { partners: PARTNERS, width: WIDTH, sales: SALES } = numbers({ partners: 10_000, width: 4, sales: 0 });
/** The place of the partner above another in the tree, of which the first has none above. */
const above = (index: number): number => Math.floor((index - 1) / WIDTH);
const levels = (index: number): number => (index === 0 ? 1 : 1 + levels(above(index)));
/** The credits of a sale of the last partner: eight with 10,000 partners, of which each is above four. */
const CREDITS = levels(PARTNERS - 1);
/** The most that a sale with these credits may cost, in plain sales: alone, and as a part of a batch. */
const LIMIT = { single: CREDITS, batch: 1.3 * CREDITS };
const ROUNDS = 21;
const SINGLES = 40;
const BATCH_SALES = 500;

const customerId = owner.customerId as Ids.CustomerId;
const startDatetime = Build.EPOCH;
const currency = Currency.Currency.make("EUR");

/** Links all partners, so that the first is above all others. The first link is made by the service, so that creations read links. */
const link = (ids: ReadonlyArray<Ids.PartnerId>) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const uplines = ids.map((_, index) => ids[above(index)] as Ids.PartnerId);
    const [top, partnerId = top] = ids;
    if (partnerId === undefined || top === undefined) return;
    yield* (yield* PartnerLinks.PartnerLinks).create(owner, {
      ...{ partnerId, uplinePartnerId: top, role: "manager", startDatetime },
    });
    const links = ids
      .map((id, index) => Build.partnerLink({ id, customerId, workspaceId }, uplines[index] as Ids.PartnerId))
      .slice(2);
    for (let from = 0; from < links.length; from += BATCH)
      yield* storage.commit(customerId, Build.changeSet({ changes: links.slice(from, from + BATCH) }));
    progress(`linked ${ids.length} partners`);
  });

/** One plan for all partners as sellers, and one for all as managers but the top, which has a formula of its own. */
const pay = (ids: ReadonlyArray<Ids.PartnerId>, top: Ids.PartnerId, schemaId: Ids.SchemaId) =>
  Effect.gen(function* () {
    const plans = yield* CommissionPlans.CommissionPlans;
    for (const [name, rate, roles] of [
      ["Sellers", 10, ["seller"]],
      ["Managers", 1, ["manager"]],
    ] as const) {
      const { id } = yield* plans.create(owner, {
        ...{ workspaceId, schemaId, name, currency, startDatetime, roles },
        expression: percent(rate),
      });
      const paid = roles[0] === "seller" ? ids : ids.filter((partnerId) => partnerId !== top);
      for (let from = 0; from < paid.length; from += ASSIGNED)
        yield* plans.assign(owner, id, { partnerIds: paid.slice(from, from + ASSIGNED) });
    }
    progress(`assigned ${ids.length} partners`);
  });

const bench = Effect.gen(function* () {
  const attributions = yield* Attributions.Attributions;
  const { id: schemaId } = yield* createSchema;
  // Partners that no link names, for plain sales and for credits that are given.
  const alone = yield* createPartners(1_000);
  const tree = yield* createPartners(PARTNERS);
  const [top] = tree as [Ids.PartnerId, ...Array<Ids.PartnerId>];
  yield* pay([...alone, ...tree], top, schemaId);
  const { create, list, update } = yield* CommissionFormulas.CommissionFormulas;
  const formula = yield* create(owner, {
    ...{ partnerId: top, workspaceId, schemaId, name: "The top", currency, startDatetime },
    ...{ roles: ["manager"], expression: percent(1) },
  });
  const sale = (partnerId: Ids.PartnerId) => ({
    ...{ partnerId, schemaId, workspaceId, properties: { order_value: 12_345 } },
  });
  let next = 0;
  const plain = () => sale(alone[next++ % alone.length] as Ids.PartnerId);
  const given = () => {
    const at = next++ % (alone.length - CREDITS);
    const [seller, ...others] = alone.slice(at, at + CREDITS) as [Ids.PartnerId, ...Array<Ids.PartnerId>];
    const credits: ReadonlyArray<Credit.Given> = [
      { partnerId: seller },
      ...others.map((partnerId) => ({ partnerId, role: "manager" })),
    ];
    return { ...sale(seller), credits };
  };
  /** A sale of one of the last partners, which all stand below as many others. */
  const derived = () => sale(tree[tree.length - 1 - (next++ % 2_000)] as Ids.PartnerId);

  const times = new Map<string, Array<number>>();
  const timed = <A, E, R>(name: string, count: number, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const started = performance.now();
      return Effect.map(effect, () => {
        times.set(name, [...(times.get(name) ?? []), (performance.now() - started) / count]);
      });
    });
  const singles = (name: string, make: () => Attribution.Create) =>
    timed(
      `single, ${name}`,
      SINGLES,
      Effect.repeatN(
        Effect.suspend(() => attributions.create(owner, make())),
        SINGLES - 1,
      ),
    );
  const batch = (name: string, make: () => Attribution.Create) =>
    timed(
      `batch, ${name}`,
      BATCH_SALES,
      attributions.createBatch(owner, {
        mode: "atomic",
        attributions: Array.from({ length: BATCH_SALES }, make),
      }),
    );
  const round = (name: string, make: () => Attribution.Create) =>
    Effect.zipRight(singles(name, make), batch(name, make));
  const rounds = (kinds: ReadonlyArray<readonly [string, () => Attribution.Create]>) =>
    Effect.gen(function* () {
      for (let index = -3; index < ROUNDS; index++) {
        if (index === 0) times.clear();
        for (const [name, make] of kinds) yield* round(name, make);
      }
    });
  const report = (name: string): void => {
    for (const kind of ["single", "batch"] as const) {
      const [one, all] = ["plain", name].map((what) => median(times.get(`${kind}, ${what}`) ?? []));
      const ratio = (all ?? Number.NaN) / (one ?? Number.NaN);
      console.log(
        `${`${kind}, ${name}`.padEnd(32)} plain ${one?.toFixed(2)} ms, with ${CREDITS} credits ${all?.toFixed(2)} ms: ${ratio.toFixed(2)} times, limit ${LIMIT[kind]}`,
      );
      if (!(ratio <= LIMIT[kind])) process.exitCode = 1;
    }
  };

  /** Fails where a sale has another number of credits. */
  const counted = (request: Attribution.Create) =>
    Effect.gen(function* () {
      const { id } = yield* attributions.create(owner, request);
      const { total } = yield* attributions.list(owner, { originIds: [id] });
      if (total !== CREDITS) yield* Effect.dieMessage(`a sale has ${total} credits, not ${CREDITS}`);
    });

  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  yield* counted(given());
  yield* rounds([
    ["plain", plain],
    ["given", given],
  ]);
  report("given");
  yield* link(tree);
  yield* counted(derived());
  // Plain sales are in the same workspace, and nobody is above their partners.
  yield* rounds([
    ["plain", plain],
    ["of a tree", derived],
  ]);
  report("of a tree");
  if (SALES === 0) return;

  for (let from = 0; from < SALES; from += BATCH_SALES) {
    yield* attributions.createBatch(owner, {
      mode: "atomic",
      attributions: Array.from({ length: BATCH_SALES }, derived),
    });
    if (from % 50_000 === 0) progress(`recorded ${from} sales below the top`);
  }
  const beside = yield* creations(alone, schemaId);
  yield* beside.without;
  const started = performance.now();
  yield* beside.until(
    Effect.gen(function* () {
      yield* update(owner, formula.id, { expression: percent(2), effectiveDatetime: startDatetime });
      for (;;) {
        yield* Effect.sleep(POLL_MILLISECONDS);
        const { items } = yield* list(owner, { ids: [formula.id] });
        if (items.every(({ recomputing }) => !recomputing)) return;
      }
    }),
  );
  console.log(
    `the top's formula over ${SALES} sales  ${((performance.now() - started) / 1_000).toFixed(1)} s`,
  );
  beside.print();
});

await withWorker(bench);
