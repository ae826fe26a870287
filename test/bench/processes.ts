/** Shared by benches that start servers as processes: start, settings and database. */
import { spawn } from "node:child_process";
import pg from "pg";

export const ADMIN = "benchmark-admin-token-of-32-characters-or-more";

/** The environment of a server on a database. */
export const settings = (databaseUrl: string) => ({
  PORT: "0",
  DATABASE_URL: databaseUrl,
  QUITTANCE_ADMIN_TOKEN: ADMIN,
  LOG_LEVEL: "warn",
});

/** Starts a command and waits until it prints `listening on <url>`; fails when it ends before. */
export const start = async (
  [command = "", ...args]: ReadonlyArray<string>,
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const env = { ...process.env, ...environment };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const address = /listening on (http\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once("exit", (code) => reject(new Error(`a server ended with ${code}`)));
  });
  return { url, stop: () => child.kill("SIGTERM") };
};

/** Creates a database; returns its URL. */
export const database = async (url: string, name: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
};
