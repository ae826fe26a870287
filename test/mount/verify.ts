/** `npm run verify` runs the examples for Bun and Deno, which it installs in a folder of its own. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;

/** The versions that were tried; they are not in the lock file, because they are 190 MB that nothing else needs. */
const RUNTIMES = { bun: "1.4.5", deno: "2.9.6" };

const COMMANDS: Readonly<Record<keyof typeof RUNTIMES, ReadonlyArray<string>>> = {
  bun: ["bun.mjs"],
  deno: ["run", "--allow-all", "deno.mjs"],
};

const folder = mkdtempSync(join(tmpdir(), "quittance-runtimes-"));
let failures = 0;
try {
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "host", private: true, type: "module" }),
  );
  const packages = Object.entries(RUNTIMES).map(([name, version]) => `${name}@${version}`);
  await run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  cpSync(join(root, "examples/hosts"), folder, { recursive: true });
  symlinkSync(root, join(folder, "node_modules/quittance"));
  for (const name of Object.keys(RUNTIMES) as ReadonlyArray<keyof typeof RUNTIMES>) {
    const program = join(folder, "node_modules/.bin", name);
    const { stdout } = await run(program, [...COMMANDS[name]], { cwd: folder, timeout: 120_000 }).catch(
      (failure: Error) => ({ stdout: failure.message }),
    );
    const isPaid = stdout === "paid: 1235 cents\n";
    if (!isPaid) failures += 1;
    console.log(isPaid ? `pays a settlement: ${name} ${RUNTIMES[name]}` : `FAILED: ${name}: ${stdout}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
