/** The renderer in hosts: processes that end by themselves, and hosts that bundle their modules into one file. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentOf } from "./content.ts";

const root = new URL("../..", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "quittance-host-"));

const program = (layer: string) =>
  `
  import { readFileSync } from "node:fs";
  import { Effect, Layer, Scope } from "effect";
  import { Documents } from "quittance";
  import * as Pdf from "quittance/pdf";
  let threads = 0;
  process.on("worker", () => { threads += 1; });
  const [regular, bold] = process.argv.slice(2).map((path) => readFileSync(path));
  const render = Effect.flatMap(Documents.DocumentRenderer, (renderer) => renderer.render(${JSON.stringify(contentOf())}));
  // Never closed: a host may end without waiting for its layers.
  const scope = Effect.runSync(Scope.make());
  const { bytes } = await Effect.runPromise(Effect.provide(render, await Effect.runPromise(Layer.buildWithScope(${layer}, scope))));
  console.log(JSON.stringify({ threads, header: String.fromCharCode(...bytes.slice(0, 5)) }));
`;

const FONTS = ["400Regular", "700Bold"].map((face) =>
  join(root, "node_modules/@expo-google-fonts/noto-sans", face, `NotoSans_${face}.ttf`),
);

const run = (file: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [file, ...FONTS], { encoding: "utf8", timeout: 50_000 })
      .trim()
      .split("\n")
      .at(-1) ?? "",
  );

const bundle = async (source: string, file: string): Promise<void> => {
  await build({
    stdin: { contents: source, resolveDir: root, loader: "js" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: file,
    // What esbuild's own documentation prescribes for modules that call require.
    banner: {
      js: 'import { createRequire as hostRequire } from "node:module"; const require = hostRequire(import.meta.url);',
    },
    logLevel: "silent",
  });
};

beforeAll(async () => {
  await mkdir(join(folder, "installed/node_modules"), { recursive: true });
  await mkdir(join(folder, "alone"), { recursive: true });
  symlinkSync(root, join(folder, "installed/node_modules/quittance"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a host", () => {
  it("that never closes the layer can exit", () => {
    const file = join(root, "dist", "host-test.mjs");
    writeFileSync(file, program("Pdf.layer"));
    try {
      expect(run(file)).toEqual({ threads: 1, header: "%PDF-" });
    } finally {
      rmSync(file);
    }
  });

  it("that is bundled beside the installed package renders in threads", async () => {
    const file = join(folder, "installed/host.mjs");
    await bundle(program("Pdf.layerWith({ regular, bold })"), file);
    expect(run(file)).toEqual({ threads: 1, header: "%PDF-" });
  });

  it("that is bundled into one file renders without threads", async () => {
    const file = join(folder, "alone/host.mjs");
    await bundle(program("Pdf.layerWith({ regular, bold })"), file);
    expect(run(file)).toEqual({ threads: 0, header: "%PDF-" });
  });
});
