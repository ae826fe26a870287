import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as readline from "node:readline";
import { Effect, Either, Fiber } from "effect";
import { Ids, Storage } from "quittance";
import { layer } from "quittance/pglite";
import { Build, Scene } from "quittance/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const writer = new URL("./embeddedWriter.ts", import.meta.url).pathname;

/** Starts a process that writes to the folder; returns its output after so many stored attributions. */
const untilStored = async (folder: string, count: number) => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--conditions", "quittance-source", writer, folder],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const words: Array<ReadonlyArray<string>> = [];
  const enough = new Promise<void>((resolve, reject) => {
    readline.createInterface({ input: child.stdout }).on("line", (line) => {
      words.push(line.split(" "));
      if (words.length === count + 1) resolve();
    });
    child.once("exit", () => reject(new Error("the writer ended by itself")));
  });
  await enough;
  return { child, words };
};

describe("the embedded store in a folder", () => {
  let root: string;
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-pglite-"));
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it("keeps every acknowledged commit of a process that was killed, and opens for others only afterwards", async () => {
    const folder = path.join(root, "killed");
    const { child, words } = await untilStored(folder, 40);
    const refused = await Effect.runPromise(
      Effect.either(Effect.provide(Storage.Storage, layer({ folder }))),
    );
    expect(Either.isLeft(refused) && refused.left.reason).toBe("broken");
    expect(Either.isLeft(refused) && String(refused.left.cause)).toContain(`open in process ${child.pid}`);
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
    const customerId = Ids.CustomerId.make(words[0]?.[1] ?? "");
    const acknowledged = words.slice(1).map(([, id]) => id ?? "");
    const reopened = Effect.flatMap(Storage.Storage, (storage) =>
      storage.find(customerId, "attribution", acknowledged),
    );
    const found = await Effect.runPromise(Effect.provide(reopened, layer({ folder })));
    expect(found.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
  });

  it("opens once in a process, and again after it was closed", async () => {
    const folder = path.join(root, "twice");
    const inside = Effect.either(Effect.provide(Storage.Storage, layer({ folder })));
    const second = await Effect.runPromise(
      Effect.provide(Effect.zipRight(Storage.Storage, inside), layer({ folder })),
    );
    expect(Either.isLeft(second) && String(second.left.cause)).toContain("open in this process");
    const third = await Effect.runPromise(inside);
    expect(Either.isRight(third)).toBe(true);
  });

  it("replaces a partial database, and takes a lock whose holder has ended", async () => {
    const folder = path.join(root, "half");
    fs.mkdirSync(path.join(folder, "data.new"), { recursive: true });
    fs.writeFileSync(path.join(folder, "data.new", "PG_VERSION"), "18\n");
    fs.writeFileSync(path.join(folder, "lock"), '{"pid":');
    const write = Effect.gen(function* () {
      const { customerId, partner } = yield* Scene.create();
      const storage = yield* Storage.Storage;
      return yield* storage.find(customerId, "partner", [partner.id]);
    });
    const found = await Effect.runPromise(Effect.provide(write, layer({ folder })));
    expect(found.length).toBe(1);
    expect(fs.existsSync(path.join(folder, "lock"))).toBe(false);
  });

  it("runs statements of many fibers one at a time", async () => {
    const many = Effect.gen(function* () {
      const scene = yield* Scene.create();
      const create = Effect.suspend(() => Scene.commit(scene.customerId, [Build.attribution(scene)]));
      yield* Effect.all(
        Array.from({ length: 200 }, () => create),
        { concurrency: "unbounded" },
      );
      const storage = yield* Storage.Storage;
      const query = { where: {}, page: 1, perPage: 1, order: "asc" } as const;
      return yield* storage.list(scene.customerId, "attribution", query);
    });
    const { total } = await Effect.runPromise(Effect.provide(many, layer("memory")));
    expect(total).toBe(200);
  });

  it("serves a writer while others read without a pause", async () => {
    const enough = 300;
    const contest = Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const scene = yield* Scene.create();
      let reads = 0;
      let readsBefore: number | null = null;
      const write = Effect.zipRight(
        Scene.commit(scene.customerId, [Build.attribution(scene)]),
        Effect.sync(() => {
          readsBefore = reads;
        }),
      );
      // Counts reads instead of using a timer, which would not fire while readers never pause.
      const read = Effect.repeat(
        Effect.tap(storage.find(scene.customerId, "partner", [scene.partnerId]), () => {
          reads += 1;
        }),
        { until: () => readsBefore !== null || reads >= enough },
      );
      const readers = yield* Effect.fork(Effect.all([read, read], { concurrency: "unbounded" }));
      yield* Effect.repeat(Effect.yieldNow(), { until: () => reads > 0 });
      const writer = yield* Effect.fork(write);
      yield* Fiber.join(readers);
      const before = readsBefore;
      yield* Fiber.join(writer);
      return before;
    });
    const before = await Effect.runPromise(Effect.provide(contest, layer("memory")));
    expect(before).not.toBeNull();
    expect(before).toBeLessThan(enough / 10);
  });
});
