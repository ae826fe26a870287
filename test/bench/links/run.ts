/**
 * `npm run bench:links -- --partners 10000 --width 4`: the time of a link of the top of a tree of partners to one above, of a
 * link of a partner at its bottom to another one, and of a refused link that would close a loop, on PostgreSQL.
 */
import { cpus } from "node:os";
import { Effect } from "effect";
import { type Ids, PartnerLinks, Storage } from "quittance";
import { Build } from "quittance/testing";
import { BATCH, createPartners, owner, progress, withWorker, workspaceId } from "../beside.ts";
import { median } from "../median.ts";
import { numbers } from "../options.ts";

const { partners: PARTNERS, width: WIDTH } = numbers({ partners: 10_000, width: 4 });
const TIMES = 11;

const customerId = owner.customerId as Ids.CustomerId;

/** Links each partner to the one at (index − 1) / width, so that the first is above all others. */
const populate = Effect.gen(function* () {
  const ids = yield* createPartners(PARTNERS);
  const storage = yield* Storage.Storage;
  const links = ids
    .slice(1)
    .map((id, index) =>
      Build.partnerLink({ id, customerId, workspaceId }, ids[Math.floor(index / WIDTH)] as Ids.PartnerId),
    );
  for (let from = 0; from < links.length; from += BATCH)
    yield* storage.commit(customerId, Build.changeSet({ changes: links.slice(from, from + BATCH) }));
  progress(`linked ${PARTNERS} partners`);
  return ids;
});

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = performance.now();
    const result = yield* effect;
    return [performance.now() - started, result] as const;
  });

const bench = Effect.gen(function* () {
  const ids = yield* populate;
  const { create, update } = yield* PartnerLinks.PartnerLinks;
  const [boss] = yield* createPartners(1);
  const [top, last] = [ids[0], ids[ids.length - 1]];
  if (boss === undefined || top === undefined || last === undefined) return;
  const measure = (what: string, partnerId: Ids.PartnerId, uplinePartnerId: Ids.PartnerId, role: string) =>
    Effect.gen(function* () {
      const times: Array<number> = [];
      for (let time = 0; time < TIMES; time++) {
        const link = create(owner, { partnerId, uplinePartnerId, role, startDatetime: Build.EPOCH });
        const [milliseconds, made] = yield* timed(Effect.option(link));
        times.push(milliseconds);
        if (made._tag === "Some") yield* update(owner, made.value.id, { endDatetime: Build.EPOCH });
      }
      console.log(
        `${what.padEnd(44)} median ${median(times).toFixed(0).padStart(5)} ms, most ${Math.max(...times).toFixed(0)} ms`,
      );
    });
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  console.log(`${PARTNERS} partners, each above ${WIDTH} others`);
  yield* measure("the top below another partner", top, boss, "manager");
  yield* measure("the top below the bottom, which is refused", top, last, "manager");
  yield* measure("the bottom below another partner, as recruiter", last, boss, "recruiter");
});

await withWorker(bench);
