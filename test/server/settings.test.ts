import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Effect } from "effect";
import { Limits } from "quittance";
import { Limit } from "quittance/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commandLine } from "../../adapters/server/CommandLine.ts";
import { SETTINGS, type Setting } from "../../adapters/server/Settings.ts";
import { smtpServer } from "../mail/SmtpServer.ts";
import { AUTHORITY } from "../support/postgresTls.ts";
import { call, folder, listening, run } from "./running.ts";

const SECRET = "whsec-0123456789abcdef";
const WORKSPACE = "6f1c2d4e-0000-4000-8000-000000000002";

let here = folder();
afterEach(() => {
  here.remove();
  here = folder();
});

const IN_MEMORY = { DATABASE_URL: "memory:", PORT: "0" };

/** A server with these settings on an empty store; `stop` ends it and returns all that it has printed. */
const start = async (environment: Record<string, string>, args: ReadonlyArray<string> = []) => {
  const server = run(here.path, ["serve", ...args], { ...IN_MEMORY, ...environment });
  const url = await listening(server);
  const key = /^development key, stored in \S+: (\S+)$/m.exec(server.output())?.[1] ?? "";
  const stop = async () => {
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    return server.output() + server.errors();
  };
  return { url, key, stop };
};

/** The failure of a start with these settings, in this process. */
const failure = (environment: Record<string, string>) =>
  Effect.runPromise(Effect.flip(commandLine(["serve"], { ...IN_MEMORY, ...environment }, false)));

it("a misspelt setting is named in the log, and known variables are not", async () => {
  const { stop } = await start({ QUITTANCE_FOUR_EYE: "on", QUITTANCE_FOUR_EYES: "on", QUITTANCE_KEY: "x" });
  const warnings = (await stop()).split("\n").filter((line) => line.includes("is not a setting"));
  expect(warnings).toEqual([expect.stringContaining("QUITTANCE_FOUR_EYE is not a setting")]);
});

describe("the rate limit", () => {
  it("refuses a credential after its burst with a time to wait, and does not affect others", async () => {
    const { url, key, stop } = await start({}, ["--rate-limit", "0.001:3"]);
    const other = (await call(url, key, "POST", "api-keys", { name: "till" })).body.key;
    const ask = () => fetch(`${url}/api/v1/partners`, { headers: { authorization: `Bearer ${key}` } });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(100);
    expect((await call(url, other, "GET", "partners")).status).toBe(200);
    await stop();
  });
});

describe("origins", () => {
  it("are allowed in browsers if they are listed", async () => {
    const { url, stop } = await start({
      QUITTANCE_CORS_ORIGINS: "https://app.example, http://localhost:5173",
    });
    const allowed = async (origin: string) =>
      (await fetch(`${url}/healthz`, { headers: { origin } })).headers.get("access-control-allow-origin");
    expect(await allowed("https://app.example")).toBe("https://app.example");
    expect(await allowed("http://localhost:5173")).toBe("http://localhost:5173");
    expect(await allowed("https://app.example.evil")).toBeNull();
    await stop();
  });
});

describe("secrets of payment providers", () => {
  const report = async (url: string, provider: string, secret: string) => {
    const body = JSON.stringify({
      id: crypto.randomUUID(),
      type: "confirmed",
      payment_reference: crypto.randomUUID(),
    });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
    const response = await fetch(`${url}/webhooks/payments/${provider}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  };

  it("are read from the environment and from a file, and are never printed", async () => {
    const file = join(here.path, "secrets");
    writeFileSync(file, `# kept by the operator\ncards=${SECRET}=cards\n\n`);
    const { url, stop } = await start({
      QUITTANCE_PAYMENT_SECRETS: `bank=${SECRET}`,
      QUITTANCE_PAYMENT_SECRETS_FILE: file,
      LOG_LEVEL: "trace",
    });
    const unknownReference = 404;
    const known = [await report(url, "bank", SECRET), await report(url, "cards", `${SECRET}=cards`)];
    expect(known.map(({ status }) => status)).toEqual([unknownReference, unknownReference]);
    expect(known[0]?.text).not.toContain("There is no such path");
    expect((await report(url, "bank", `${SECRET}x`)).status).toBe(401);
    expect((await report(url, "cards", SECRET)).status).toBe(401);
    expect((await report(url, "post", SECRET)).text).toContain("There is no such path");
    expect(await stop()).not.toContain(SECRET);
  });

  it("have no option, because a list of processes would show them", async () => {
    const server = run(here.path, ["serve", "--payment-secrets", `bank=${SECRET}`]);
    expect(await server.ended).toBe(2);
    expect(server.errors()).not.toContain(SECRET);
  });
});

describe("payouts", () => {
  const SERVICE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  it.each([
    [
      { QUITTANCE_PAYOUTS: "bank" },
      "QUITTANCE_PAYOUTS must be manual, files, sepa, simulated or the https:// URL",
    ],
    [{ QUITTANCE_PAYOUTS: "https://pay.example/orders" }, "QUITTANCE_PAYOUTS needs QUITTANCE_PAYOUTS_SECRET"],
    [
      { QUITTANCE_PAYOUTS: "http://pay.example/orders", QUITTANCE_PAYOUTS_SECRET: SERVICE },
      "QUITTANCE_PAYOUTS: the URL must begin with https://",
    ],
    [
      { QUITTANCE_PAYOUTS: "https://127.0.0.1/orders", QUITTANCE_PAYOUTS_SECRET: SERVICE },
      "QUITTANCE_PAYOUTS: the URL must lead to public addresses only",
    ],
    [
      { QUITTANCE_PAYOUTS: "https://pay.example/orders", QUITTANCE_PAYOUTS_SECRET: "short" },
      "QUITTANCE_PAYOUTS_SECRET: the secret must be base64 of 24 to 64 bytes",
    ],
    [
      { QUITTANCE_PAYOUTS: "sepa", QUITTANCE_PAYOUTS_SECRET: SERVICE },
      "QUITTANCE_PAYOUTS_SECRET is for the URL of a payment service in QUITTANCE_PAYOUTS, which is sepa",
    ],
    [
      {
        QUITTANCE_PAYOUTS: "https://pay.example/orders",
        QUITTANCE_PAYOUTS_SECRET: SERVICE,
        QUITTANCE_PAYMENT_SECRETS: `payouts=${SECRET}`,
      },
      'QUITTANCE_PAYMENT_SECRETS must not name the provider "payouts"',
    ],
  ])("%j stop the start with one line", async (environment, line) => {
    const { message, exitCode } = await failure(environment);
    expect(exitCode).toBe(2);
    expect(message).toContain(line);
    expect(message.split("\n")).toHaveLength(1);
    expect(message).not.toContain(SERVICE);
  });

  it("without mail are logged as such when the server starts", async () => {
    const { stop } = await start({});
    expect(await stop()).toContain("no mail is sent");
    const sent = await start({
      QUITTANCE_MAIL: `file:${here.path}`,
      QUITTANCE_MAIL_FROM: "pay@acme.example",
    });
    expect(await sent.stop()).not.toContain("no mail is sent");
  });

  it("that are simulated are logged when the server starts", async () => {
    const { stop } = await start({ QUITTANCE_PAYOUTS: "simulated" });
    expect(await stop()).toContain("payouts are simulated: no money is paid");
  });

  it("by SEPA have payment files; payouts outside of Quittance have none", async () => {
    const create = async (payouts: string) => {
      const { url, key, stop } = await start({ QUITTANCE_PAYOUTS: payouts });
      const { body } = await call(url, key, "POST", "payment-files", {});
      await stop();
      return body.message;
    };
    expect(await create("sepa")).toBe("payout_unavailable: no initiated payment waits for a file");
    expect(await create("manual")).toBe(
      "payout_unavailable: payment files are off; they need payouts by files for a bank",
    );
  });

  it("by a service accept reports that are signed with the secret of a file", async () => {
    const file = join(here.path, "secret");
    writeFileSync(file, `${SERVICE}\n`);
    const { url, stop } = await start({
      QUITTANCE_PAYOUTS: "http://127.0.0.1:9/orders",
      QUITTANCE_PAYOUTS_SECRET_FILE: file,
      QUITTANCE_PAYOUTS_PRIVATE: "on",
      LOG_LEVEL: "trace",
    });
    const body = JSON.stringify({ id: "1", type: "confirmed", payment_reference: crypto.randomUUID() });
    const report = async (secret: string) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
      const headers = { "webhook-timestamp": timestamp, "webhook-signature": signature };
      const response = await fetch(`${url}/webhooks/payments/payouts`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      return response.status;
    };
    expect([await report(SERVICE), await report(`${SERVICE}x`)]).toEqual([404, 401]);
    expect(await stop()).not.toContain(SERVICE);
  });
});

describe("mail", () => {
  const MAIL_FROM = "Nordlys <payouts@nordlys.example>";
  const PASSWORD = "p4ssword-of-mail";

  /** States two accounts for a partner with an address. */
  const stateAccounts = async (url: string, key: string) => {
    const partner = { name: "Ada", workspace_id: WORKSPACE, email: "ada@example.com" };
    const { body } = await call(url, key, "POST", "partners", partner);
    for (const address of ["ada@wallet.example", "mallory@wallet.example"]) {
      const account = { type: "email", details: { address, service: "Wallet" } };
      expect((await call(url, key, "POST", `partners/${body.id}/payout-accounts`, account)).status).toBe(201);
    }
  };

  it("is written to the files of a folder", async () => {
    const { url, key, stop } = await start({
      QUITTANCE_MAIL: `file:${here.path}`,
      QUITTANCE_MAIL_FROM: MAIL_FROM,
    });
    await stateAccounts(url, key);
    const mails = () => readdirSync(here.path).filter((name) => name.endsWith(".eml"));
    await vi.waitFor(() => expect(mails()).toHaveLength(1), { timeout: 120_000, interval: 50 });
    await stop();
    const text = readFileSync(join(here.path, mails()[0] ?? ""), "utf8");
    expect(text).toContain(`From: ${MAIL_FROM}\r\nTo: ada@example.com\r\n`);
    expect(text).toContain("m=E2=80=A6@wallet.example");
  });

  it("is sent to a server over TLS with a password that is never printed", async () => {
    const server = await smtpServer({ tls: true });
    const authority = join(here.path, "authority.pem");
    writeFileSync(authority, AUTHORITY);
    const { url, key, stop } = await start({
      QUITTANCE_MAIL: `smtp://me:${PASSWORD}@localhost:${server.port}`,
      QUITTANCE_MAIL_FROM: MAIL_FROM,
      NODE_EXTRA_CA_CERTS: authority,
      LOG_LEVEL: "trace",
    });
    await stateAccounts(url, key);
    await vi.waitFor(() => expect(server.mails).toHaveLength(1), { timeout: 120_000, interval: 50 });
    const printed = await stop();
    server.close();
    const [mail] = server.mails;
    expect(mail).toMatchObject({ to: ["ada@example.com"], credentials: `me:${PASSWORD}`, isEncrypted: true });
    expect(printed).toContain("smtp");
    expect(printed).not.toContain(PASSWORD);
  });
});

describe("sizes", () => {
  const upload = async (url: string, key: string, bytes: number) => {
    const form = new FormData();
    form.append("file", new Blob(["%PDF-".padEnd(bytes, "x")]), "invoice.pdf");
    const response = await fetch(`${url}/api/v1/settlements/${crypto.randomUUID()}/invoice`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    return response.status;
  };

  it("are limited as set, at the limit and above it", async () => {
    const { url, key, stop } = await start({
      QUITTANCE_JSON_BYTES_MAX: "2000",
      QUITTANCE_UPLOAD_BYTES_MAX: "5000",
    });
    const sized = async (path: string, bytes: number) => {
      const head = '{"name":"x","workspace_id":"';
      const json = `${head}${WORKSPACE}","ignored":"`;
      const body = `${json}${"x".repeat(bytes - json.length - 2)}"}`;
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return (await fetch(`${url}/api/v1/${path}`, { method: "POST", headers, body })).status;
    };
    expect([await sized("partners", 2000), await sized("partners", 2001)]).toEqual([201, 413]);
    expect([await sized("attributions/batch", 8000), await sized("attributions/batch", 8001)]).toEqual([
      400, 413,
    ]);
    const noSuchSettlement = 404;
    expect([await upload(url, key, 5000), await upload(url, key, 5001)]).toEqual([noSuchSettlement, 413]);
    await stop();
  });

  it("can exceed the defaults", async () => {
    const larger = Limits.UPLOAD_BYTES_MAX + 1;
    const { url, key, stop } = await start({ QUITTANCE_UPLOAD_BYTES_MAX: String(larger) });
    expect(await upload(url, key, larger)).toBe(404);
    await stop();
  });

  it("have defaults", () => {
    expect(SETTINGS.jsonBytesMax.fallback).toBe(String(Limit.JSON_BYTES_MAX));
    expect(SETTINGS.uploadBytesMax.fallback).toBe(String(Limits.UPLOAD_BYTES_MAX));
  });
});

describe("an invalid setting", () => {
  it.each([
    ["QUITTANCE_RATE_LIMIT", "fast"],
    ["QUITTANCE_RATE_LIMIT", "0"],
    ["QUITTANCE_RATE_LIMIT", "5:0"],
    ["QUITTANCE_CORS_ORIGINS", "*"],
    ["QUITTANCE_CORS_ORIGINS", "https://app.example/"],
    ["QUITTANCE_CORS_ORIGINS", "https://app.example,app.example"],
    ["QUITTANCE_ADMIN_TOKEN", " ".repeat(40)],
    ["QUITTANCE_ADMIN_TOKEN", `${SECRET}${SECRET}!`],
    ["QUITTANCE_PAYMENT_SECRETS", `bank:${SECRET}`],
    ["QUITTANCE_PAYMENT_SECRETS", "bank=tooshort"],
    ["QUITTANCE_PAYMENT_SECRETS", `bank=${SECRET},bank=${SECRET}2`],
    ["QUITTANCE_PAYMENT_SECRETS_FILE", "/nowhere/secrets"],
    ["QUITTANCE_IDEMPOTENCY_HOURS", "71"],
    ["QUITTANCE_IDEMPOTENCY_HOURS", "three days"],
    ["QUITTANCE_FOUR_EYES", "yes"],
    ["QUITTANCE_STALE_DRAFTS", "off"],
    ["QUITTANCE_FONT_REGULAR", "/nowhere/font.ttf"],
    ["QUITTANCE_FONT_BOLD", "/etc/hostname"],
    ["QUITTANCE_JWT_ISSUER", "https://issuer.example"],
    ["QUITTANCE_JWT_KEYS_URL", "issuer.example/keys"],
    ["QUITTANCE_WORKER_CONCURRENCY", "payments=1"],
    ["QUITTANCE_WORKER_CONCURRENCY", "letters=4"],
    ["QUITTANCE_WORKER_CONCURRENCY", "constructor=4"],
    ["QUITTANCE_WORKER_CONCURRENCY", "payments=4,runs=2,payments=5"],
    ["QUITTANCE_LEASE_SECONDS", "2"],
    ["QUITTANCE_POLL_MILLISECONDS", "0"],
    ["QUITTANCE_DATABASE_CONNECTIONS", "1"],
    ["QUITTANCE_STATEMENT_TIMEOUT_SECONDS", "none"],
    ["QUITTANCE_PREPARED_STATEMENTS", "true"],
    ["QUITTANCE_REQUEST_TIMEOUT_SECONDS", "0"],
    ["QUITTANCE_JSON_BYTES_MAX", "1023"],
    ["QUITTANCE_JSON_BYTES_MAX", "1MiB"],
    ["QUITTANCE_UPLOAD_BYTES_MAX", "0"],
    ["QUITTANCE_UPLOAD_TYPES", ","],
    ["QUITTANCE_UPLOAD_TYPES", "application/pdf,text/plain"],
    ["QUITTANCE_UPLOADS_MAX", "0"],
    ["QUITTANCE_UPLOADS_BYTES_MAX", "50 MB"],
    ["QUITTANCE_MAIL", "mail.example"],
    ["QUITTANCE_MAIL", `https://me:${SECRET}@mail.example`],
    ["QUITTANCE_MAIL", `smtp://me:${SECRET}%@mail.example`],
    ["QUITTANCE_MAIL", `smtp://:${SECRET}@mail.example`],
    ["QUITTANCE_MAIL", `smtp://me:${SECRET}@mail.example?tls=off`],
    ["QUITTANCE_MAIL", `smtp://me:${SECRET}@mail.example?ignoreTLS=true`],
    ["QUITTANCE_MAIL", "file:"],
    ["QUITTANCE_MAIL", "file:/nowhere/mails"],
    ["QUITTANCE_MAIL", "smtp://mail.example"],
    ["QUITTANCE_MAIL_FROM", "nordlys"],
    ["QUITTANCE_MAIL_FROM", "Nordlys payouts@nordlys.example"],
    ["QUITTANCE_MAIL_FROM", "a@b.example, c@d.example"],
    ["QUITTANCE_MAIL_FROM", "N <a@b.example>\r\nBcc: c@d.example"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", `http://user:${SECRET}@localhost:4318`],
  ])("stops the start with one line: %s=%s", async (name, value) => {
    const { message, exitCode } = await failure({ [name]: value });
    expect(exitCode).toBe(2);
    expect(message).toMatch(new RegExp(`^${name}.* must .+$`));
    expect(message).not.toMatch(new RegExp(`${SECRET}|tooshort`));
  });

  it("is all that the process prints, on standard error", async () => {
    const server = run(here.path, ["serve"], { ...IN_MEMORY, QUITTANCE_FOUR_EYES: "yes" });
    expect(await server.ended).toBe(2);
    expect(server.errors()).toMatch(/^quittance: QUITTANCE_FOUR_EYES.* must .+\n$/);
    expect(server.output()).toBe("");
  });
});

describe("help", () => {
  it("lists every setting with its option and its default", async () => {
    const help = run(here.path, ["serve", "--help"]);
    expect(await help.ended).toBe(0);
    const text = help.output().replace(/\s+/g, " ");
    for (const { name, option, fallback, meaning } of Object.values<Setting<unknown>>(SETTINGS)) {
      expect(text).toContain(
        option === null ? `${name} ${meaning}` : `(${name}${fallback === "" ? "" : `, default ${fallback}`})`,
      );
      if (option !== null) expect(text).toContain(` --${option} <`);
    }
  });
});
