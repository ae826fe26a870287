/** Runs the built, bundled server in a process of its own. */
import { execFileSync } from "node:child_process";
import * as os from "node:os";
import * as path from "node:path";
import { type Running, startNode } from "./Process.ts";
import { ADMIN_TOKEN } from "./World.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Builds changed sources and the server from them, so that the long versions run the current code. */
export const build = (): void => {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
};

/** Starts the bundled server on a store, on a free port. */
export const serve = (
  databaseUrl: string,
  options: { readonly worker: boolean; readonly documents?: "auto" | "manual" },
): Promise<Running> =>
  startNode(
    [path.join(ROOT, "dist/adapters/server/main.js"), "serve"],
    {
      DATABASE_URL: databaseUrl,
      PORT: "0",
      QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN,
      QUITTANCE_WORKER: options.worker ? "on" : "off",
      QUITTANCE_DOCUMENTS: options.documents ?? "auto",
      LOG_LEVEL: "warn",
      LOG_FORMAT: "json",
    },
    os.tmpdir(),
  );
