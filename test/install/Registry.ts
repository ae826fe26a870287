/**
 * A package registry on this machine that serves what `npm ci` installed here. Package managers can be tried with it
 * without a network, and with exactly the versions of the lock file.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";

const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

const manifestOf = (folder: string): Manifest | null => {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return null;
  const manifest: Partial<Manifest> = JSON.parse(readFileSync(file, "utf8"));
  return manifest.name === undefined || manifest.version === undefined ? null : (manifest as Manifest);
};

/** Every package in a folder of modules, those installed within packages included. */
function* packagesIn(modules: string): Generator<Package> {
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules, { withFileTypes: true })) {
    // The links lead to the checkout itself.
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    const folder = join(modules, entry.name);
    if (entry.name.startsWith("@")) {
      yield* packagesIn(folder);
      continue;
    }
    const manifest = manifestOf(folder);
    if (manifest !== null) yield { folder, manifest };
    yield* packagesIn(join(folder, "node_modules"));
  }
}

/** By name, then by version. An alias counts under the name of the package that it stands for. */
const index = (modules: string): ReadonlyMap<string, ReadonlyMap<string, Package>> => {
  const found = new Map<string, Map<string, Package>>();
  for (const one of packagesIn(modules)) {
    const { name, version } = one.manifest;
    const versions = found.get(name) ?? new Map<string, Package>();
    found.set(name, versions.set(version, one));
  }
  return found;
};

const PUBLISHED = "2020-01-01T00:00:00.000Z";

const byVersion = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** Serves the packages of a folder of modules; `workspace` is for the files that it makes. */
export const open = async (modules: string, workspace: string) => {
  const packages = index(modules);
  const packed = new Map<string, Promise<string>>();

  const pack = async ({ folder, manifest }: Package): Promise<string> => {
    const base = join(workspace, `${manifest.name.replace("/", "+")}@${manifest.version}`);
    mkdirSync(base);
    symlinkSync(folder, join(base, "package"));
    const [archive, file] = [`${base}.tar`, `${base}.tgz`];
    await run("tar", ["-chf", archive, "-C", base, "--exclude=package/node_modules", "package"]);
    await pipeline(createReadStream(archive), createGzip({ level: 1 }), createWriteStream(file));
    rmSync(archive);
    return file;
  };
  const fileOf = (item: Package): Promise<string> => {
    const { name, version } = item.manifest;
    const file = packed.get(`${name}@${version}`) ?? pack(item);
    packed.set(`${name}@${version}`, file);
    return file;
  };

  const send = (response: ServerResponse, status: number, type: string, body: string | Uint8Array): void => {
    response.writeHead(status, { "content-type": type }).end(body);
  };

  const document = async (name: string, versions: ReadonlyMap<string, Package>, base: string) => {
    const entries = await Promise.all(
      [...versions].map(async ([version, one]) => {
        const integrity = `sha512-${createHash("sha512")
          .update(readFileSync(await fileOf(one)))
          .digest("base64")}`;
        const tarball = `${base}/${name}/-/${version}.tgz`;
        return [version, { ...one.manifest, dist: { tarball, integrity } }] as const;
      }),
    );
    const latest = [...versions.keys()].sort(byVersion).at(-1);
    // Some package managers do not install what was published recently, or at an unknown time.
    const time = Object.fromEntries([...versions.keys()].map((version) => [version, PUBLISHED]));
    return { name, "dist-tags": { latest }, versions: Object.fromEntries(entries), time };
  };

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname).slice(1);
    const [name = "", version] = path.replace(/\.tgz$/, "").split("/-/");
    const versions = packages.get(name);
    const one = version === undefined ? undefined : versions?.get(version);
    if (versions === undefined || (version !== undefined && one === undefined)) {
      send(response, 404, "application/json", '{"error":"not found"}');
    } else if (one !== undefined) {
      send(response, 200, "application/octet-stream", readFileSync(await fileOf(one)));
    } else {
      const base = `http://${request.headers.host}`;
      send(response, 200, "application/json", JSON.stringify(await document(name, versions, base)));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};
