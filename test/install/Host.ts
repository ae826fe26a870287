/** Projects of somebody else that install the packed package, and what they then do with it. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../docs/Fence.ts";
import { BESIDE, type Beside, type PackageManager } from "./PackageManagers.ts";
import * as Registry from "./Registry.ts";

const run = promisify(execFile);

/** Longer than an installation on a busy machine takes. */
const LIMIT_MILLISECONDS = 240_000;

/** The settings of whoever runs the tests are not those of the host. */
const environment = (home: string) => ({
  PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
  HOME: home,
  CI: "1",
});

/** Packs the package and opens a registry; `close` removes everything again. */
export const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), "quittance-install-"));
  const home = join(folder, "home");
  mkdirSync(home);
  const packages = join(folder, "packages");
  mkdirSync(packages);
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
  });
  const [{ filename }] = JSON.parse(stdout);
  const tarball = join(folder, filename);
  const registry = await Registry.open(join(root, "node_modules"), packages);
  return {
    tarball,
    /** A project that has added the package to others; `printed` is the package manager's output. */
    install: async (manager: PackageManager, beside: Beside) => {
      const project = mkdtempSync(join(folder, `${manager.name.replace(" ", "")}-`));
      const cache = join(folder, `cache-${manager.name.replace(" ", "")}`);
      const manifest = { name: "host", version: "1.0.0", license: "MIT", private: true, type: "module" };
      writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
      cpSync(join(root, "test/install/host"), project, { recursive: true });
      cpSync(join(root, "examples/quickstart/promise.mjs"), join(project, "promise.mjs"));
      const env = { ...environment(home), ...manager.environment(registry.url, cache) };
      const call = async ([file = "", ...args]: ReadonlyArray<string>): Promise<string> => {
        const { stdout, stderr } = await run(file, args, {
          cwd: project,
          env,
          timeout: LIMIT_MILLISECONDS,
          maxBuffer: 64 * 1024 * 1024,
        }).catch((failure: Error & { readonly stdout?: string; readonly stderr?: string }) => {
          throw new Error(`${failure.message}\n${failure.stdout ?? ""}\n${failure.stderr ?? ""}`);
        });
        return stdout + stderr;
      };
      return {
        project,
        printed: await call([process.execPath, ...manager.add(tarball, BESIDE[beside])]),
        /** The output of a file of the project. */
        node: (file: string, ...args: ReadonlyArray<string>) => call([...manager.node, file, ...args]),
        /** What runs a command of the package. */
        command: manager.exec,
        /** The output of a command of the package. */
        exec: (...args: ReadonlyArray<string>) => call([...manager.exec, ...args]),
        remove: (): void => rmSync(project, { recursive: true, force: true }),
      };
    },
    close: (): void => {
      registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The packed package and its registry. */
export type Host = Awaited<ReturnType<typeof open>>;

/** A project that has the package installed. */
export type Project = Awaited<ReturnType<Host["install"]>>;
