import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longOr } from "./support/profile.ts";

const root = new URL("..", import.meta.url).pathname;
const { dependencies, exports, files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const SUBPATHS = Object.keys(exports).filter((path) => path !== "./package.json");

/** TypeScript 7, and in `npm run verify` also 6, which takes several times as long. */
const COMPILERS = longOr(["tsc", "tsc6"], ["tsc"]);

const host = mkdtempSync(join(tmpdir(), "quittance-package-"));
const target = join(host, "node_modules/quittance");
let tarball = "";
let contents: ReadonlyArray<string> = [];

/** Puts packages of this checkout where the host project would have installed them. */
const install = (...names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const target = join(host, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    if (!existsSync(target)) symlinkSync(join(root, "node_modules", name), target);
  }
};

const run = promisify(execFile);

const inHost = async (code: string): Promise<string> =>
  (await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: host })).stdout.trim();

/** The most measurements of each import: others on the machine disturb the caches of a processor for seconds. */
const ROUNDS_MAX = 12;

/** Measures the computing of imports, each in a process of its own, until their least milliseconds are as `isMet` wants or the rounds end. */
const importMilliseconds = async (
  names: ReadonlyArray<string>,
  isMet: (least: ReadonlyArray<number>) => boolean,
): Promise<ReadonlyArray<number>> => {
  const least = names.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS_MAX && (round < 3 || !isMet(least)); round += 1) {
    for (const [index, name] of names.entries()) {
      const code = `const from = process.cpuUsage(); await import("${name}"); const { user, system } = process.cpuUsage(from); console.log((user + system) / 1e3)`;
      least[index] = Math.min(least[index] ?? 0, Number(await inHost(code)));
    }
  }
  return least;
};

/** A host's program: imports every entry, and writes a request body by hand. */
const HOST_CODE = `${SUBPATHS.map(
  (subpath, index) => `export * as part${index} from "${subpath.replace(".", "quittance")}";`,
).join("\n")}
import type { Partner } from "quittance";
export const body: typeof Partner.Create.Encoded = { name: "Nordlys", workspace_id: "w" };
// @ts-expect-error: the wire calls it workspace_id
export const misspelt: typeof Partner.Create.Encoded = { name: "Nordlys", workspaceId: "w" };
`;

/** A program of a host with `@effect/platform`: its client has the contract's types. */
const TYPED_CLIENT = `
import * as HttpApiClient from "@effect/platform/HttpApiClient";
import { Effect } from "effect";
import { api } from "quittance/http/api";
export const name = HttpApiClient.make(api).pipe(
  Effect.flatMap((client) => client.partners.list({ urlParams: {} })),
  Effect.map(({ partners }): string | undefined => partners[0]?.name),
);
// @ts-expect-error: there is no such group
export const none = Effect.map(HttpApiClient.make(api), (client) => client.nothing);
`;

interface Compiled {
  readonly status: number | null;
  /** Errors in what this package ships or in the host's own file. */
  readonly ours: ReadonlyArray<string>;
  /** Errors in the declarations of other packages. */
  readonly foreign: ReadonlyArray<string>;
}

/** Compiles the host's file with every declaration it reaches checked. */
const compileHost = async (
  compiler: string,
  options: object,
  code = HOST_CODE,
  type: "module" | "commonjs" = "module",
): Promise<Compiled> => {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023"],
    types: ["node"],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(host, "package.json"), JSON.stringify({ name: "host", type }));
  writeFileSync(join(host, "host.ts"), code);
  writeFileSync(join(host, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["host.ts"] }));
  const { status, stdout } = await run(join(root, "node_modules/.bin", compiler), ["-p", host], { cwd: host })
    .then(({ stdout }) => ({ status: 0, stdout }))
    .catch((failure: { readonly code: number; readonly stdout: string }) => ({
      status: failure.code,
      stdout: failure.stdout,
    }));
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  const isForeign = (line: string): boolean =>
    line.includes("node_modules/") && !line.includes("node_modules/quittance/");
  return { status, ours: errors.filter((line) => !isForeign(line)), foreign: errors.filter(isForeign) };
};

beforeAll(() => {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", host], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  contents = packed.files.map(({ path }: { path: string }) => path);
  tarball = join(host, packed.filename);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
});

afterAll(() => rmSync(host, { recursive: true, force: true }));

describe("the packed package", () => {
  it("provides the formula language to a host without other dependencies", async () => {
    const code = 'console.log(typeof (await import("quittance/formula")).evaluate)';
    expect(await inHost(code)).toBe("function");
  });

  it("returns effects that a host with the same version of effect can yield", async () => {
    install("effect");
    const code = `import { Effect } from "effect"; import { decode } from "quittance/formula";
      const read = Effect.gen(function* () { return yield* decode({ type: "property", name: "cents" }); });
      console.log(Effect.runSync(read).name)`;
    expect(await inHost(code)).toBe("cents");
  });

  it("provides every subpath to a host that has only the subpath's dependencies", async () => {
    install(...Object.keys(dependencies));
    const names = SUBPATHS.map((subpath) => subpath.replace(".", "quittance"));
    const code = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0)`;
    expect((await inHost(code)).split("\n")).toEqual(names.map((name) => `${name} true`));
  });

  // Compared with another import of the same run, because a busy machine slows all of them down.
  it("loads the formula language in an eighth of the time of effect, the promises in 0.8 and the engine in 1.4 of it", async () => {
    install(...Object.keys(dependencies));
    const limits = { "quittance/formula": 0.125, "quittance/promise": 0.8, quittance: 1.4 };
    const isMet = (least: ReadonlyArray<number>): boolean =>
      Object.values(limits).every((limit, index) => (least[index] ?? 0) / (least.at(-1) ?? 0) < limit);
    const least = await importMilliseconds([...Object.keys(limits), "effect"], isMet);
    expect(isMet(least), `milliseconds of the three and of effect: ${least.join(", ")}`).toBe(true);
  });

  it("has less than 36 kB of formula language, compressed", () => {
    expect(gzipSync(readFileSync(join(target, "dist/src/formula/index.js"))).length).toBeLessThan(36_000);
  });

  it("has less than 9 kB of client, compressed and with names, in one file that imports nothing", () => {
    const client = readFileSync(join(target, "dist/adapters/client/index.js"), "utf8");
    expect(gzipSync(client).length).toBeLessThan(9_000);
    expect(client).not.toMatch(/\bimport\b|\brequire\b/);
  });

  it("has declarations beside every module, and the sources", () => {
    for (const subpath of SUBPATHS) {
      const { types, default: code, "quittance-source": source } = exports[subpath];
      for (const file of [types, code, source]) expect(contents).toContain(file.slice(2));
    }
  });

  it.each(
    COMPILERS.flatMap((compiler) => [
      [
        compiler,
        { module: "nodenext", moduleResolution: "nodenext", exactOptionalPropertyTypes: true },
      ] as const,
      [
        compiler,
        { module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom", "dom.iterable"] },
      ] as const,
    ]),
  )("has declarations that compile with skipLibCheck off (%s, %o)", async (compiler, options) => {
    install(...Object.keys(dependencies), "@types/node", "undici-types");
    const { status, ours, foreign } = await compileHost(compiler, options);
    if (foreign.length > 0) console.warn(`in other packages:\n${foreign.join("\n")}`);
    expect(ours).toEqual([]);
    expect(status === 0 || foreign.length > 0).toBe(true);
  });

  it.each(["tsc", "tsc6"])("compiles in a CommonJS project with module nodenext (%s)", async (compiler) => {
    install(...Object.keys(dependencies), "@types/node", "undici-types");
    const code = `import { open } from "quittance/promise";
export const start = async (): Promise<string> => (await open({ database: "memory:" })).as({ customerId: "c" }).partners.create({ name: "n", workspaceId: "w" }).then(({ id }) => id);
`;
    const options = { module: "nodenext", skipLibCheck: true, noEmit: false, outDir: "out" };
    expect(await compileHost(compiler, options, code, "commonjs")).toEqual({
      status: 0,
      ours: [],
      foreign: [],
    });
    expect(readFileSync(join(host, "out/host.js"), "utf8")).toContain('require("quittance/promise")');
    rmSync(join(host, "out"), { recursive: true });
  });

  it.each(COMPILERS)("has a contract that the client of @effect/platform accepts (%s)", async (compiler) => {
    install(...Object.keys(dependencies), "@types/node", "undici-types", "@effect/platform");
    try {
      const options = { module: "nodenext", moduleResolution: "nodenext", skipLibCheck: true };
      expect(await compileHost(compiler, options, TYPED_CLIENT)).toEqual({
        status: 0,
        ours: [],
        foreign: [],
      });
    } finally {
      rmSync(join(host, "node_modules/@effect"), { recursive: true });
    }
  });

  it("contains the files of an empty database for the version of PGlite that it depends on", () => {
    const name = `dist/empty-database/pglite-${dependencies["@electric-sql/pglite"]}.tar.br`;
    expect(contents.filter((path) => path.startsWith("dist/empty-database/"))).toEqual([name]);
  });

  it("serves the documentation page from one file, in each bundle that has it", async () => {
    install(...Object.keys(dependencies));
    const large = contents.filter(
      (path) => /^dist\/.*\.js$/.test(path) && statSync(join(target, path)).size > 1_500_000,
    );
    expect(large).toEqual(["dist/chunks/documentation-page.js"]);
    const inside = `import { open } from "quittance/promise";
      const quittance = await open({ database: "memory:", worker: false });
      const page = await (await quittance.handler())(new Request("http://host.test/docs"));
      console.log((await page.text()).includes("SwaggerUIBundle")); await quittance.close();`;
    const shared = `import { Effect, Layer, ManagedRuntime } from "effect";
      import * as Q from "quittance"; import * as Memory from "quittance/memory"; import * as Pdf from "quittance/pdf"; import { webHandler } from "quittance/http";
      const services = Layer.mergeAll(Layer.provide(Q.Quittance.layer(), Pdf.layer), Q.ApiKeys.layerVerifier);
      const runtime = ManagedRuntime.make(Layer.provideMerge(services, Memory.layer));
      const handler = webHandler(await runtime.runtime(), { ready: Effect.void });
      const page = await handler(new Request("http://host.test/docs"));
      console.log((await page.text()).includes("SwaggerUIBundle")); await runtime.dispose();`;
    expect([await inHost(inside), await inHost(shared)]).toEqual(["true", "true"]);
  });

  it("is imported by CommonJS, with import and with require", async () => {
    install(...Object.keys(dependencies));
    const code = `import("quittance/promise").then(async ({ open }) => {
        const quittance = await open({ database: "memory:", worker: false });
        const me = quittance.as({ customerId: crypto.randomUUID() });
        await me.partners.create({ name: "Nordlys ApS", workspaceId: crypto.randomUUID() });
        console.log((await me.partners.list()).total, typeof require("quittance/client").connect);
        await quittance.close();
      });`;
    const { stdout } = await run(process.execPath, ["--input-type=commonjs", "--eval", code], { cwd: host });
    expect(stdout).toBe("1 function\n");
  });

  it.each([
    ["promise", 'const api = (await open({ database: "memory:", worker: false })).as({ customerId: ID });'],
    [
      "client",
      'const api = connect({ url: "", key: "x", retries: 0, fetch: async () => Response.json({ error_code: "BAD_REQUEST", message: "name: must not be empty" }, { status: 400 }) });',
    ],
  ])(
    "lets Node print the line of the host for an error of %s that nothing catches, and no long lines",
    async (name, start) => {
      install(...Object.keys(dependencies));
      const code = `import { ${name === "promise" ? "open" : "connect"} } from "quittance/${name}";
      const ID = "0190a5b0-0000-7000-8000-000000000001";
      ${start}
      const createPartner = async () => await api.partners.create({ name: "", workspaceId: ID });
      await createPartner();`;
      writeFileSync(join(host, "uncaught.mjs"), code);
      const { stderr } = await run(process.execPath, ["uncaught.mjs"], { cwd: host }).catch(
        (failure) => failure,
      );
      expect(stderr).toMatch(
        /InvalidError: name: must not be empty\n(?:.*\n)*.*createPartner \(.*uncaught\.mjs:4:/,
      );
      expect(Math.max(...stderr.split("\n").map((line: string) => line.length))).toBeLessThan(1_000);
    },
  );

  it("contains the examples, the sources and the licences of its dependencies", () => {
    const licences = readFileSync(join(target, "dist/THIRD-PARTY-LICENCES.txt"), "utf8");
    for (const part of ["@effect/platform ", "Swagger UI (Apache-2.0)", "SIL Open Font License"]) {
      expect(licences).toContain(part);
    }
    expect(contents).toEqual(expect.arrayContaining(["examples/quickstart/main.ts", "src/index.ts"]));
  });

  it("contains only the files that it declares", () => {
    const named = ["package.json", ...files];
    const covered = (path: string): boolean =>
      named.some((name) => path === name || path.startsWith(`${name}/`));
    expect(contents.filter((path) => !covered(path))).toEqual([]);
  });

  it("passes publint", async () => {
    const args = ["publint", target, "--strict", "--pack", "false"];
    await run("npx", args, { cwd: root });
  });
});
