/**
 * A payment service between a Quittance server and a payment company: it verifies signed orders, pays each once by the functions of a
 * company, follows what becomes of them, and sends signed reports. A journal of JSON lines keeps what it has to know after a restart.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";

/** An order, as Quittance sends it; the amount is in the smallest unit. */
export interface Order {
  readonly type: "payment.send";
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly payout_account?: { readonly type: string; readonly details: Readonly<Record<string, string>> };
}

/** What has become of an order. */
export type Status =
  | { readonly status: "pending" }
  | { readonly status: "confirmed"; readonly bank_reference: string }
  | { readonly status: "failed" | "returned"; readonly reason: string };

/** An order will never be paid. Any other error has it sent again. */
export class Refused extends Error {}

/** What a payment company does. */
export interface Company {
  /** Pays once per reference, also when it is called again; returns the company's id of the payment. */
  readonly send: (order: Order) => Promise<string>;
  readonly status: (id: string) => Promise<Status>;
}

export interface Options {
  readonly company: Company;
  /** `QUITTANCE_PAYOUTS_SECRET` of the server. */
  readonly secret: string;
  /** Where reports are sent: `https://…/webhooks/payments/payouts`. */
  readonly reports: string;
  /** The file of the journal; it is created. */
  readonly journal: string;
  readonly pollMilliseconds?: number;
  /** How long a confirmed payment is followed, because it may come back; 40 days by default. */
  readonly followMilliseconds?: number;
}

interface Entry {
  readonly reference: string;
  readonly id: string;
  readonly at: number;
  /** The last status that Quittance has taken. */
  readonly said: Status["status"];
}

const FIVE_MINUTES = 5 * 60_000;
const DAY = 24 * 60 * 60_000;

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

/** True if a request is signed by the Standard Webhooks scheme, not more than five minutes ago. */
const isGenuine = ({ headers }: IncomingMessage, body: string, secret: string): boolean => {
  const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": stated } = headers;
  if (Math.abs(Date.now() - Number(seconds) * 1_000) > FIVE_MINUTES) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest();
  return String(stated)
    .split(" ")
    .some((signature) => {
      const bytes = Buffer.from(signature.replace(/^v1,/, ""), "base64");
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
};

/** Serves orders; call `listen` of the result. Closing it ends the reports too. */
export const bridge = ({ company, secret, reports, journal, ...times }: Options): Server => {
  const { pollMilliseconds = 60_000, followMilliseconds = 40 * DAY } = times;
  const lines = existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : [];
  const entries = new Map<string, Entry>(
    lines.filter((line) => line !== "").map((line) => [JSON.parse(line).reference, JSON.parse(line)]),
  );
  const write = (entry: Entry): void => {
    appendFileSync(journal, `${JSON.stringify(entry)}\n`);
    entries.set(entry.reference, entry);
  };

  const respond = async (request: IncomingMessage): Promise<readonly [status: number, body: object]> => {
    const body = await textOf(request);
    if (!isGenuine(request, body, secret)) return [401, {}];
    const order = JSON.parse(body) as Order | { readonly type: "payment.status"; readonly reference: string };
    const known = entries.get(order.reference);
    // Of a payment that is not in the journal nothing is certain: the order comes again, and the company pays once.
    if (order.type === "payment.status")
      return [200, known === undefined ? { status: "unknown" } : await company.status(known.id)];
    if (known === undefined) {
      const id = await company.send(order);
      write({ reference: order.reference, id, at: Date.now(), said: "pending" });
    }
    return [200, {}];
  };

  /** Sends a report unless Quittance has taken it. */
  const report = async (entry: Entry): Promise<void> => {
    const now = await company.status(entry.id);
    if (now.status === entry.said || now.status === "pending") return;
    // What comes back before it was confirmed has not been paid.
    const type = now.status === "returned" && entry.said === "pending" ? "failed" : now.status;
    const { status: _, ...facts } = now;
    const id = `${entry.id}/${type}`;
    const body = JSON.stringify({ id, type, payment_reference: entry.reference, ...facts });
    const seconds = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    const headers = { "webhook-timestamp": seconds, "webhook-signature": signature };
    const taken = await fetch(reports, { method: "POST", headers, body });
    if (taken.ok) write({ ...entry, said: type });
  };

  const isOpen = ({ said, at }: Entry): boolean =>
    said === "pending" || (said === "confirmed" && Date.now() - at < followMilliseconds);
  const poll = async (): Promise<void> => {
    for (const entry of entries.values())
      if (isOpen(entry)) await report(entry).catch((error) => console.error(entry.reference, String(error)));
    if (server.listening) timer = setTimeout(poll, pollMilliseconds);
  };

  const server = createServer((request, response) => {
    respond(request)
      .catch((error: unknown): readonly [number, object] => {
        if (error instanceof Refused) return [422, { reason: error.message }];
        console.error(String(error));
        return [503, {}];
      })
      .then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  let timer: ReturnType<typeof setTimeout>;
  server.on("listening", () => void poll());
  server.on("close", () => clearTimeout(timer));
  return server;
};
