/** The package managers that the packed package is installed with, each a development dependency of this project. */
import { join } from "node:path";
import { root } from "../docs/Fence.ts";

/** How a package manager is called. */
export interface PackageManager {
  readonly name: string;
  /** The arguments of Node that add a packed file and packages of the registry to a project. */
  readonly add: (tarball: string, others: ReadonlyArray<string>) => ReadonlyArray<string>;
  /** What runs a file of the project. */
  readonly node: ReadonlyArray<string>;
  /** What runs a command of an installed package. */
  readonly exec: ReadonlyArray<string>;
  /** Its settings: the registry, and a cache of its own. */
  readonly environment: (registry: string, cache: string) => Readonly<Record<string, string>>;
}

const modules = join(root, "node_modules");
const NODE = [process.execPath];

const npmSettings = (registry: string, cache: string) => ({
  npm_config_registry: registry,
  npm_config_cache: cache,
  npm_config_update_notifier: "false",
});

const pnpm = (name: string, program: string): PackageManager => ({
  name,
  add: (tarball, others) => [join(modules, program), "add", tarball, ...others],
  node: NODE,
  exec: [process.execPath, join(modules, program), "exec"],
  environment: (registry, cache) => ({
    ...npmSettings(registry, cache),
    npm_config_store_dir: cache,
    XDG_DATA_HOME: cache,
  }),
});

const YARN_4 = join(modules, "yarn4/bin/yarn.js");

/** Each by its command line as a user would type it. */
export const PACKAGE_MANAGERS: ReadonlyArray<PackageManager> = [
  {
    name: "npm 11",
    add: (tarball, others) => [join(modules, "npm11/bin/npm-cli.js"), "install", tarball, ...others],
    node: NODE,
    exec: [process.execPath, join(modules, "npm11/bin/npx-cli.js"), "--offline"],
    environment: npmSettings,
  },
  pnpm("pnpm 10", "pnpm10/bin/pnpm.cjs"),
  pnpm("pnpm 12", "pnpm12/bin/pnpm.mjs"),
  {
    name: "yarn 1",
    add: (tarball, others) => [join(modules, "yarn1/bin/yarn.js"), "add", tarball, ...others],
    node: NODE,
    exec: [process.execPath, join(modules, "yarn1/bin/yarn.js"), "--silent", "run"],
    environment: (registry, cache) => ({ ...npmSettings(registry, cache), YARN_CACHE_FOLDER: cache }),
  },
  {
    name: "yarn 4",
    add: (tarball, others) => [YARN_4, "add", `quittance@file:${tarball}`, ...others],
    node: [process.execPath, YARN_4, "node"],
    exec: [process.execPath, YARN_4],
    environment: (registry, cache) => ({
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
      YARN_GLOBAL_FOLDER: cache,
      YARN_ENABLE_TELEMETRY: "0",
    }),
  },
];

/** The files of a project before the package is added. */
export const BESIDE = {
  "an empty project": [],
  "effect 3": ["effect@3.22.4"],
  "effect 4": ["effect@4.1.0"],
} as const;

/** A kind of project. */
export type Beside = keyof typeof BESIDE;
