/**
 * `npm run verify` installs the packed package under each supported version of Node, uses it (every entry, the command line, a
 * settlement in the process and one on a server with an embedded store), and runs the tests of `nodes.config.ts` there.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../docs/Fence.ts";
import * as Host from "./Host.ts";
import { PACKAGE_MANAGERS, type PackageManager } from "./PackageManagers.ts";
import { use, warningsOf } from "./Use.ts";

const run = promisify(execFile);

/** Not in the lock file, because they are 120 MB each that nothing else needs. `npm test` runs on the oldest, 20. */
const VERSIONS = ["22.23.3", "24.21.0", "26.10.0"];

const folder = mkdtempSync(join(tmpdir(), "quittance-nodes-"));
const system = process.platform === "win32" ? "win" : process.platform;

/** Installs a version of Node from its npm package; returns the path of the program. */
const installNode = async (version: string): Promise<string> => {
  const name = `node-${system}-${process.arch}`;
  const place = mkdtempSync(join(folder, `${version}-`));
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "host", private: true }));
  await run("npm", ["install", "--no-audit", "--no-fund", `${name}@${version}`], { cwd: place });
  const program = join(place, "node_modules", name, "bin/node");
  const printed = execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
  if (printed !== `v${version}`) throw new Error(`${name}@${version} is Node ${printed}`);
  return program;
};

/** npm under another Node; what it starts finds that Node first. */
const npmUnder = (node: string): PackageManager => {
  const npm = PACKAGE_MANAGERS.find(({ name }) => name === "npm 11");
  if (npm === undefined) throw new Error("there is no npm 11");
  const [, ...npx] = npm.exec;
  return {
    ...npm,
    node: [node],
    exec: [node, ...npx],
    environment: (registry, cache) => ({
      ...npm.environment(registry, cache),
      PATH: [dirname(node), process.env.PATH ?? ""].join(delimiter),
    }),
  };
};

const testUnder = (node: string) =>
  run(
    node,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", "test/install/nodes.config.ts"],
    {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    },
  );

const host = await Host.open();
let failures = 0;
try {
  for (const version of process.argv.length > 2 ? process.argv.slice(2) : VERSIONS) {
    try {
      const node = await installNode(version);
      const project = await host.install(npmUnder(node), "an empty project");
      const warnings = warningsOf(project.printed);
      if (warnings.length > 0) throw new Error(warnings.join("\n"));
      await use(project);
      project.remove();
      const { stdout } = await testUnder(node);
      console.log(
        `Node ${version}: installed and used;${/^ *Tests .*$/m.exec(stdout)?.[0] ?? " tests passed"}`,
      );
    } catch (error) {
      failures += 1;
      const { stdout = "" } = error as { readonly stdout?: string };
      console.log(`FAILED: Node ${version}: ${error}\n${stdout.split("\n").slice(-60).join("\n")}`);
    }
  }
} finally {
  host.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
