import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as readline from "node:readline";
import { Effect, Either } from "effect";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockFolder } from "../../../adapters/pglite/Lock.ts";

const SOURCE = new URL("./lockHolder.ts", import.meta.url).pathname;

let root: string;
/** A bundle in one file, because otherwise each process would load hundreds of modules. */
let script: string;
const children: Array<ChildProcess> = [];
beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-lock-"));
  script = path.join(root, "lockHolder.mjs");
  await build({ entryPoints: [SOURCE], outfile: script, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  fs.rmSync(root, { recursive: true, force: true });
});

const start = (command: string, args: ReadonlyArray<string>) => {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => (await lines.next()).value ?? "";
  return { child, line };
};

/** Starts a process that has the folder locked and takes `milliseconds` to end. */
const holder = async (folder: string, milliseconds = 0) => {
  const { child, line } = start(process.execPath, [script, folder, String(milliseconds)]);
  expect(await line()).toBe("held");
  return child;
};

const take = (folder: string) => Effect.runPromise(Effect.either(Effect.scoped(lockFolder(folder))));

const stateOf = (pid: number): string =>
  fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.slice(0, 1) ?? "";

/** Writes a lock file, like a process that locked the folder. */
const writeLock = (folder: string, content: object): void => {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "lock.7"), JSON.stringify(content));
};

describe("the lock of an embedded store's folder", () => {
  it("waits for a process that is ending", async () => {
    const folder = path.join(root, "ending");
    const child = await holder(folder, 1_500);
    child.kill("SIGTERM");
    const startedAt = performance.now();
    expect(Either.isRight(await take(folder))).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThan(500);
  });

  it("names the process that has the folder open, and since when", async () => {
    const folder = path.join(root, "held");
    const before = Date.now();
    const child = await holder(folder);
    const after = Date.now();
    const refused = await take(folder);
    const message = Either.isLeft(refused) ? String(refused.left) : "";
    expect(message).toContain(`open in process ${child.pid} since `);
    const since = Date.parse(/since (\S+):/.exec(message)?.[1] ?? "");
    expect(since).toBeGreaterThanOrEqual(before);
    expect(since).toBeLessThanOrEqual(after);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(Either.isRight(await take(folder))).toBe(true);
  });

  it.runIf(process.platform === "linux")("is not held by a zombie", async () => {
    const folder = path.join(root, "zombie");
    // The shell becomes a process that never waits for its child, so that the child stays a zombie.
    const command = `"$0" "$@" & echo $!; exec sleep 600`;
    const { line } = start("sh", ["-c", command, process.execPath, script, folder]);
    const words = [await line(), await line()];
    expect(words).toContain("held");
    const pid = Number(words.find((word) => /^\d+$/.test(word)));
    process.kill(pid, "SIGKILL");
    await expect.poll(() => stateOf(pid)).toBe("Z");
    expect(Either.isRight(await take(folder))).toBe(true);
    // The process is still a zombie.
    expect(stateOf(pid)).toBe("Z");
  });

  it("is free when its process has ended, even when a later process has the same id", async () => {
    const gone = start(process.execPath, ["--eval", ""]).child;
    await once(gone, "exit");
    const since = new Date().toISOString();
    const folder = path.join(root, "gone");
    writeLock(folder, { pid: gone.pid, started: null, since });
    expect(Either.isRight(await take(folder))).toBe(true);
    if (process.platform !== "linux") return;
    const reused = path.join(root, "reused");
    writeLock(reused, { pid: process.ppid, started: "an earlier boot 1", since });
    expect(Either.isRight(await take(reused))).toBe(true);
  });

  it("lets exactly one of many processes take over a released lock", async () => {
    const folder = path.join(root, "race");
    const first = await holder(folder);
    const rivals = Array.from({ length: 5 }, () => start(process.execPath, [script, folder]));
    // All processes have started and wait for the lock; none may have it yet.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    first.kill("SIGKILL");
    const words = await Promise.all(rivals.map(({ line }) => line()));
    expect(words.map((word) => word.split(" ")[0]).toSorted()).toEqual([
      "held",
      ...Array.from({ length: 4 }, () => "refused"),
    ]);
    const winner = rivals[words.indexOf("held")]?.child;
    for (const word of words) if (word !== "held") expect(word).toContain(`process ${winner?.pid} since`);
  });

  it("leaves one lock file, however often the folder is opened", async () => {
    const folder = path.join(root, "often");
    for (let times = 0; times < 5; times++) expect(Either.isRight(await take(folder))).toBe(true);
    expect(fs.readdirSync(folder)).toEqual(["lock.5"]);
  });
});

describe("a folder that cannot be locked", () => {
  const isRoot = process.getuid?.() === 0;
  const NOBODY = 65_534;

  it("is refused with the part of its path that is a file", async () => {
    const file = path.join(root, "file");
    fs.writeFileSync(file, "");
    for (const folder of [file, path.join(file, "a/b")])
      expect(String(Either.flip(await take(folder)))).toContain(
        `the folder ${folder} cannot be used: ${file} is a file`,
      );
  });

  it.runIf(process.platform === "linux")("is refused at once where nothing can be created", async () => {
    expect(String(Either.flip(await take("/proc/x/y")))).toContain(
      "the folder /proc/x/y cannot be used: nothing can be created in /proc",
    );
  });

  it.runIf(isRoot)("is refused where this user may not write, whether it exists or not", async () => {
    fs.chmodSync(root, 0o755);
    fs.chmodSync(script, 0o755);
    const folder = path.join(root, "of-root");
    fs.mkdirSync(folder, { mode: 0o755 });
    for (const tried of [folder, path.join(folder, "new")]) {
      const child = spawn(process.execPath, [script, tried], { uid: NOBODY, gid: NOBODY });
      children.push(child);
      const [chunk] = await once(child.stdout, "data");
      expect(String(chunk)).toContain(
        `the folder ${tried} cannot be used: this user has no permission to write in ${folder}`,
      );
    }
  });
});
