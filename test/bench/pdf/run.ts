/**
 * `npm run bench:pdf -- [documents]`: time and memory of rendering 10,000 ordinary lines, 10,000 lines of the worst allowed
 * text, short documents, and the growth of a process over a thousand documents. Prints each with its limit; exits with 1
 * when a limit is exceeded.
 */
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Effect } from "effect";
import { buildSync } from "esbuild";
import { Documents, Limits } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Threads from "../../../adapters/pdf/Threads.ts";
import { contentOf, otherDocument, SUPPLIER, type Variation } from "../../pdf/content.ts";
import { median } from "../median.ts";

const [documents = 1_000] = process.argv.slice(2).map(Number);

const LINES = 10_000;
const ROUNDS = 3;
const MEBIBYTE = 1024 * 1024;
/** The limits in MiB of a thread's heap, and of the growth of the process. */
const HEAP_MAX = 300;
const GROWTH_MAX = 300;

const amounts = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => (index * 7_919) % 100_000);

/** Pseudo-random numbers that are the same in each run. */
const random = (() => {
  let state = 20_261_122;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
})();

/** Letters of scripts with fonts of their own, by first and last code point. */
const SCRIPTS = [
  [0x0391, 0x03a1],
  [0x0410, 0x044f],
  [0x05d0, 0x05ea],
  [0x0621, 0x063a],
  [0x0905, 0x0939],
  [0x0e01, 0x0e2e],
  [0x3041, 0x3096],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
] as const;

const letters = (count: number): string =>
  String.fromCodePoint(
    ...Array.from({ length: count }, () => {
      const [first, last] = SCRIPTS[random(SCRIPTS.length)] ?? SCRIPTS[0];
      return first + random(last - first + 1);
    }),
  );

/**
 * Each line corrects another document. The document's number, the external reference, the description and the shown
 * properties have the greatest length, of random letters.
 */
const worst = (): Variation => ({
  amounts: amounts(LINES),
  detail: () => ({
    externalReference: letters(255),
    schemaName: letters(255),
    properties: Array.from({ length: 4 }, () => ({
      name: letters(128),
      value: letters(Limits.SHOWN_VALUE_MAX),
    })),
  }),
  corrects: Array.from({ length: LINES }, (_, index) => otherDocument("invoice", letters(64), index + 2)),
  supplier: { ...SUPPLIER, legalName: letters(255) },
});

const renderContent = (content: Documents.DocumentContent) =>
  Effect.flatMap(Documents.DocumentRenderer, (renderer) => renderer.render(content));
const render = (variation: Variation) => renderContent(contentOf(variation));

/** The seconds and bytes of each of `count` renderings. */
const seconds = (count: number, variation: (index: number) => Variation) =>
  Effect.forEach(Array.from({ length: count }), (_, index) =>
    Effect.gen(function* () {
      const content = variation(index);
      const startedAt = performance.now();
      const { bytes } = yield* render(content);
      return { seconds: (performance.now() - startedAt) / 1_000, bytes: bytes.length };
    }),
  );

/** Bundles the measured thread in the same way as the renderer's threads; returns the file. */
const threadFile = (): string => {
  const outfile = fileURLToPath(new URL("../../../dist/bench/heap.js", import.meta.url));
  buildSync({
    entryPoints: [fileURLToPath(new URL("heap.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["quittance-source"],
    external: ["pdfkit"],
  });
  return outfile;
};

/** The greatest heap size of a thread while it rendered a document, in MiB, including garbage, under the renderer's limits. */
const heapOf = (variation: Variation): Promise<number> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(threadFile(), {
      // Without the TypeScript loader of this process: the thread runs a bundle.
      execArgv: [],
      resourceLimits: Threads.HEAP_LIMITS,
    });
    thread.once("message", (most: number) => {
      resolve(most / MEBIBYTE);
      void thread.terminate();
    });
    thread.once("error", reject);
    void Threads.send(thread, contentOf(variation), () => true);
  });

/** The resident size of the process in MiB, after a garbage collection when Node has `--expose-gc`. */
const residentSize = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().rss / MEBIBYTE;
};

/** Renders the worst text; returns seconds, bytes, and the greatest growth of the process meanwhile in MiB. */
const hardest = Effect.gen(function* () {
  yield* render({ amounts: amounts(5) });
  const content = contentOf(worst());
  const before = residentSize();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss / MEBIBYTE);
  }, 50);
  const startedAt = performance.now();
  const { bytes } = yield* renderContent(content);
  const seconds = (performance.now() - startedAt) / 1_000;
  clearInterval(timer);
  return { seconds, bytes: bytes.length, grown: Math.max(most, residentSize()) - before };
});

let isMet = true;
const verdict = (what: string, value: number, most: number, unit: string): void => {
  if (!(value <= most)) isMet = false;
  console.log(
    `${value <= most ? "met" : "MISSED"}: ${what}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit}, at most ${most}`,
  );
};

const growth = Effect.gen(function* () {
  const short = (index: number): Variation => ({
    amounts: amounts(1 + (index % 20)),
    number: `INV-${index}`,
  });
  const long = (index: number): Variation => ({ ...short(index), amounts: amounts(2_000) });
  // The first documents start threads and load fonts, which are not to be measured.
  yield* seconds(20, short);
  yield* seconds(2, long);
  const before = residentSize();
  let most = before;
  const times: Array<number> = [];
  for (let index = 0; index < documents; index++) {
    const [made] = yield* seconds(1, () => (index % 50 === 49 ? long(index) : short(index)));
    if (index % 50 !== 49) times.push(made?.seconds ?? Number.NaN);
    if (index % 20 === 0) most = Math.max(most, residentSize());
  }
  return { grown: Math.max(most, residentSize()) - before, short: median(times) * 1_000 };
});

const bench = Effect.gen(function* () {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
  // First, because a thread reuses the memory of earlier documents.
  const hard = yield* hardest;
  const ordinary = yield* seconds(ROUNDS, () => ({ amounts: amounts(LINES) }));
  const heaps = [];
  for (const variation of [{ amounts: amounts(LINES) }, worst()])
    heaps.push(yield* Effect.promise(() => heapOf(variation)));
  const slowest = (made: typeof ordinary): number => Math.max(...made.map((item) => item.seconds));
  const { grown, short } = yield* growth;
  console.log(
    `files of ${ordinary[0]?.bytes} and ${hard.bytes} bytes; a short document ${short.toFixed(1)} ms`,
  );
  verdict(`${LINES} ordinary lines, slowest of ${ROUNDS}`, slowest(ordinary), 10, "s");
  verdict(`${LINES} lines of the worst text`, hard.seconds, 60, "s");
  verdict("growth of the process, the worst text", hard.grown, GROWTH_MAX, "MiB");
  verdict("heap of a thread, ordinary lines", heaps[0] ?? Number.NaN, HEAP_MAX, "MiB");
  verdict("heap of a thread, the worst text", heaps[1] ?? Number.NaN, HEAP_MAX, "MiB");
  verdict(`growth of the process over ${documents} documents`, grown, GROWTH_MAX, "MiB");
});

await Effect.runPromise(Effect.provide(bench, Pdf.layer));
process.exit(isMet ? 0 : 1);
