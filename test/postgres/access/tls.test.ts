import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Effect, Redacted } from "effect";
import pg from "pg";
import { addressProblem, migrate } from "quittance/postgres";
import { InvalidError, open } from "quittance/promise";
import { databaseOf } from "quittance/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer } from "../../support/postgresServer.ts";
import { AUTHORITY, turnOnTls } from "../../support/postgresTls.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-tls-"));
const authority = path.join(folder, "authority.pem");
let plain: Server;
let encrypted: Server;

beforeAll(async () => {
  fs.writeFileSync(authority, AUTHORITY);
  [plain, encrypted] = await Promise.all([startServer(), startServer()]);
  await turnOnTls(encrypted.url, { required: true });
});

afterAll(async () => {
  await Promise.all([plain.stop(), encrypted.stop()]);
  fs.rmSync(folder, { recursive: true });
});

/** The address of a server, by a name or number and with parameters. */
const addressOf = (server: Server, hostname: string, parameters: Record<string, string>): string => {
  const url = new URL(server.url);
  url.hostname = hostname;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

const problemOf = async (url: string): Promise<string> => {
  const result = await Effect.runPromise(Effect.either(migrate({ url: Redacted.make(url) })));
  return result._tag === "Left" ? result.left.message : "";
};

/** True if a connection of the store to this address is encrypted, as the server sees it. */
const isEncrypted = async (url: string): Promise<boolean> => {
  const observer = new pg.Client({
    connectionString: addressOf(encrypted, "localhost", { sslmode: "no-verify" }),
  });
  await observer.connect();
  const quittance = await open({ database: url, worker: false });
  await quittance.as({ customerId: crypto.randomUUID() }).partners.list();
  const { rows } = await observer.query(
    "select s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.application_name = 'quittance'",
  );
  await quittance.close();
  await observer.end();
  expect(rows.length).toBeGreaterThan(0);
  return rows.every(({ ssl }) => ssl === true);
};

describe("a connection with TLS", () => {
  it.each(["require", "verify-ca", "verify-full"])(
    "with sslmode=%s is encrypted, to a server whose authority the address names",
    async (sslmode) => {
      expect(await isEncrypted(addressOf(encrypted, "localhost", { sslmode, sslrootcert: authority }))).toBe(
        true,
      );
    },
  );

  it("is encrypted also without verification, where the address says so", async () => {
    expect(await isEncrypted(addressOf(encrypted, "localhost", { sslmode: "no-verify" }))).toBe(true);
  });

  it("may skip the name alone, as libpq does", async () => {
    const parameters = { sslmode: "verify-ca", sslrootcert: authority, uselibpqcompat: "true" };
    expect(await isEncrypted(addressOf(encrypted, "127.0.0.1", parameters))).toBe(true);
  });
});

describe("a connection that fails", () => {
  it.each(["require", "verify-ca", "verify-full"])(
    "because nobody vouches for the certificate, with sslmode=%s, says where to name its authority",
    async (sslmode) => {
      expect(await problemOf(addressOf(encrypted, "localhost", { sslmode }))).toMatch(
        /unable to verify the first certificate: .*name its file in the address, with sslrootcert=…$/,
      );
    },
  );

  it("because the certificate is of another name says which names it has", async () => {
    const url = addressOf(encrypted, "127.0.0.1", { sslmode: "verify-full", sslrootcert: authority });
    expect(await problemOf(url)).toMatch(/127\.0\.0\.1 is not in the cert's list.*connect to a name/);
  });

  it("because the server demands encryption says how to get it", async () => {
    expect(await problemOf(addressOf(encrypted, "127.0.0.1", {}))).toMatch(
      /no encryption: add sslmode=require to the address$/,
    );
  });

  it("because the server has no TLS says so, instead of continuing without", async () => {
    const url = addressOf(plain, "127.0.0.1", { sslmode: "require" });
    expect(await problemOf(url)).toMatch(/does not support SSL connections: turn on ssl there/);
  });

  it("because a file has gone says which", async () => {
    const url = addressOf(encrypted, "localhost", { sslmode: "require", sslrootcert: `${folder}/gone.pem` });
    expect(await problemOf(url)).toMatch(/ENOENT.*gone\.pem/);
  });
});

describe("an address", () => {
  const wrong = [
    ["sslmod=require", "sslmod is not known"],
    [
      "sslmode=verify_full",
      'sslmode must be one of disable, require, verify-ca, verify-full, no-verify, not "verify_full"',
    ],
    ["sslmode=require&sslrootcert=/no/such.pem", "sslrootcert: ENOENT"],
  ] as const;

  it.each(wrong)("with ?%s is refused by the settings and the promises", async (parameters, problem) => {
    const url = `postgres://shop:secret@db.example/shop?${parameters}`;
    expect(addressProblem(url)).toContain(problem);
    const setting = databaseOf(url);
    expect(setting._tag === "Left" && setting.left).toContain(`DATABASE_URL: ${problem}`);
    const refused = await open({ database: url }).catch((error) => error);
    expect(refused).toBeInstanceOf(InvalidError);
    expect(refused.message).toContain(`database: ${problem}`);
    expect(refused.message).not.toContain("secret");
  });

  it.each(["", "?sslmode=disable", "?application_name=shop&channel_binding=require&sslmode=require"])(
    "with %s is accepted",
    (parameters) => {
      expect(addressProblem(`postgres://shop@db.example/shop${parameters}`)).toBeNull();
    },
  );
});
