/** The files of the console and the partner portal, as the build wrote them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { StaticFile } from "quittance/http";
import type { Settings } from "./Settings.ts";

/** Where each page is served. */
const PAGES = ["console", "portal"] as const;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Scripts, styles, pictures and requests are limited to this server, and nothing is inline. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A file other than a page has the hash of its content in its name, so that it never changes. */
const cacheOf = (name: string): string =>
  extname(name) === ".html" ? "no-cache" : "public, max-age=31536000, immutable";

const headersOf = (name: string): Readonly<Record<string, string>> => ({
  "content-type": TYPES[extname(name)] ?? "application/octet-stream",
  "cache-control": cacheOf(name),
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
});

const folder = (): string =>
  join(fileURLToPath(new URL(".", import.meta.resolve("quittance/package.json"))), "dist/console");

/** What the pages read about the server. */
type Told = Pick<Settings, "signIn" | "publicUrl" | "mail"> & {
  /** `offered`: the console may open the example company. `here`: these are the pages of the example company. */
  readonly example: "offered" | "here" | null;
};

const UNTOLD: Told = { signIn: null, publicUrl: null, mail: null, example: null };

/** A page, with that in its head. */
const pageOf = (name: string, body: Buffer, { signIn, publicUrl, mail, example }: Told): Buffer => {
  const isConsole = name === "console.html";
  const told: ReadonlyArray<readonly [name: string, content: string | null]> = [
    ["public-url", publicUrl],
    ["sign-in", isConsole && signIn !== null ? "on" : null],
    ["mail", isConsole && mail !== null ? "on" : null],
    ["example", isConsole || example === "here" ? example : null],
  ];
  // A URL is percent-encoded, and has neither quotes nor angle brackets.
  const head = told.map(([key, value]) =>
    value === null ? "" : `\n    <meta name="quittance-${key}" content="${value.replaceAll("&", "&amp;")}">`,
  );
  return name.endsWith(".html")
    ? Buffer.from(body.toString("utf8").replace("</title>", `</title>${head.join("")}`))
    : body;
};

/** A file at each of its paths. It is compressed once, when somebody first asks for it, so that a server starts sooner. */
const fileAt = (paths: ReadonlyArray<string>, name: string, body: Buffer): ReadonlyArray<StaticFile> => {
  let compressed: Buffer | undefined;
  const headers = headersOf(name);
  return paths.map((path) => ({
    path,
    headers,
    body,
    get gzip() {
      compressed ??= gzipSync(body);
      return compressed;
    },
  }));
};

/** The pages at `/console/` and `/portal/`, and the files that both load; none where the package was not built. */
export const consoleFiles = (told: Told = UNTOLD): ReadonlyArray<StaticFile> => {
  const from = folder();
  if (!existsSync(from)) return [];
  return readdirSync(from).flatMap((name) => {
    const body = pageOf(name, readFileSync(join(from, name)), told);
    const page = PAGES.find((candidate) => name === `${candidate}.html`);
    const paths = page === undefined ? PAGES.map((candidate) => `/${candidate}/${name}`) : [`/${page}/`];
    return fileAt(paths, name, body);
  });
};
