/** A project of somebody else, which uses the package under its name: where the code of the pages is checked and run. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { SHORT_LIVED } from "../server/running.ts";
import { root } from "./Fence.ts";

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ["node"],
  },
  include: ["*.ts"],
};

const run = promisify(execFile);

/** A folder with the package, and those it needs, among its modules. */
export const make = () => {
  const folder = mkdtempSync(join(tmpdir(), "quittance-docs-"));
  const modules = join(root, "node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["effect", "@effect", "@types", "express", "fastify", "vitest"]) {
    symlinkSync(join(modules, name), join(folder, "node_modules", name));
  }
  symlinkSync(root, join(folder, "node_modules/quittance"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  return {
    folder,
    write: (file: string, code: string): void => writeFileSync(join(folder, file), code),
    /** The compiler's messages about the project's own files, one per line. */
    check: async (): Promise<ReadonlyArray<string>> => {
      const compiler = join(modules, ".bin/tsc");
      const { stdout } = await run(compiler, ["-p", folder, "--pretty", "false"], { cwd: folder }).catch(
        (failure: { readonly stdout: string }) => failure,
      );
      return stdout.split("\n").filter((line) => /^\w[\w.-]*\.ts\(/.test(line));
    },
    /** The output of a program; fails when its exit status is not 0. */
    run: async (file: string): Promise<string> => {
      // Node starts JavaScript in half the computing that the loader of TypeScript takes.
      const { code } = transformSync(readFileSync(join(folder, file), "utf8"), { loader: "ts" });
      const script = `${file}.mjs`;
      writeFileSync(join(folder, script), code);
      const { stdout } = await run(process.execPath, [...SHORT_LIVED, script], { cwd: folder });
      return stdout;
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
};
