/**
 * A payment service that pays once per reference and is otherwise as unreliable as services are: it answers late or not at
 * all after it has acted, refuses, reports several times, late, in the wrong order, and strangers forge its reports.
 */
import { createHmac } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Random } from "../support/Random.ts";

/** Payments executed or returned. */
export interface Effect {
  readonly kind: "paid" | "returned";
  readonly reference: string;
  readonly settlementId: string;
  readonly amount: number;
  /** Where the money went: an IBAN, or the type and details of any other account. */
  readonly account: string;
}

/** Counts of requests and reports. */
export interface Counts {
  orders: number;
  repeated: number;
  unanswered: number;
  refused: number;
  statusAsked: number;
  reports: number;
  forged: number;
  /** Forged reports that were believed. */
  believed: number;
}

interface Order {
  readonly reference: string;
  readonly settlement_id: string;
  readonly amount: number;
  readonly bank_account?: { readonly iban: string };
  readonly payout_account?: { readonly type: string; readonly details: object };
}

/** An account without an IBAN as a text, the same for every order of its fields. */
export const otherAccount = ({ type, details }: NonNullable<Order["payout_account"]>): string =>
  JSON.stringify([type, ...Object.entries(details).toSorted()]);

/** A report that has to be delivered until it is taken. */
interface Report {
  readonly body: string;
  readonly isForged: boolean;
}

export interface HostilePaymentService {
  readonly url: string;
  readonly effects: ReadonlyArray<Effect>;
  readonly counts: Counts;
  /** Violations of the protocol in the requests. */
  readonly problems: ReadonlyArray<string>;
  /** Delivers due reports to a host; a refused report stays. Returns the number of reports left. */
  readonly deliver: (host: string) => Promise<number>;
  readonly close: () => void;
}

const IN_PARALLEL = 16;

/** Starts a service whose decisions a seed fixes. */
export const start = async (secret: string, decide: Random): Promise<HostilePaymentService> => {
  const effects: Array<Effect> = [];
  const problems: Array<string> = [];
  const acted = new Map<string, Order>();
  const counts: Counts = {
    ...{ orders: 0, repeated: 0, unanswered: 0, refused: 0 },
    ...{ statusAsked: 0, reports: 0, forged: 0, believed: 0 },
  };
  let waiting: Array<Report> = [];
  const webhook = new Webhook(secret);

  const report = (fact: object, isForged = false): void => {
    waiting.push({ body: JSON.stringify(fact), isForged });
  };

  const note = (kind: Effect["kind"], order: Order): void => {
    const { reference, settlement_id, amount, bank_account, payout_account: other } = order;
    const account = bank_account?.iban ?? (other === undefined ? "" : otherAccount(other));
    effects.push({ kind, reference, settlementId: settlement_id, amount, account });
  };

  /** Executes a payment, and decides its reports. */
  const act = (order: Order): void => {
    const { reference } = order;
    acted.set(reference, order);
    note("paid", order);
    const confirmed = { type: "confirmed", payment_reference: reference };
    for (let times = decide.integer(1, 3); times > 0; times--) report({ id: `${reference}/c`, ...confirmed });
    if (decide.chance(0.1)) {
      note("returned", order);
      const returned = { type: "returned", payment_reference: reference, reason: "account closed" };
      for (let times = decide.integer(1, 2); times > 0; times--)
        report({ id: `${reference}/r`, ...returned });
    }
    // Whoever believes this pays a second time.
    if (decide.chance(0.3)) {
      counts.forged++;
      report({ id: `${reference}/f`, type: "failed", payment_reference: reference, reason: "forged" }, true);
    }
  };

  const answerOrder = (order: Order, response: ServerResponse): void => {
    counts.orders++;
    if (acted.has(order.reference)) {
      counts.repeated++;
      response.writeHead(200).end();
      return;
    }
    const mood = decide.fraction();
    if (mood < 0.1) {
      response.writeHead(503).end();
    } else if (mood < 0.15) {
      counts.refused++;
      response.writeHead(422).end(JSON.stringify({ reason: "account closed" }));
    } else if (mood < 0.35) {
      act(order);
      counts.unanswered++;
      if (decide.chance(0.5)) response.destroy();
    } else {
      act(order);
      response.writeHead(202).end();
    }
  };

  const server: Server = createServer((request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      try {
        webhook.verify(body, request.headers as Record<string, string>);
      } catch (cause) {
        problems.push(`a request with a wrong signature: ${String(cause)}`);
      }
      const message = JSON.parse(body);
      if (message.type === "payment.send") return answerOrder(message, response);
      counts.statusAsked++;
      const status = acted.has(message.reference) ? "pending" : "unknown";
      return void response.writeHead(200).end(JSON.stringify({ status }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const send = async (host: string, { body, isForged }: Report): Promise<boolean> => {
    const age = isForged && decide.chance(0.5) ? 600 : 0;
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    // A forged report is signed by a stranger, or is an old one with the right signature.
    const key = isForged && age === 0 ? "a secret of a stranger" : secret;
    const signature = createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
    const headers = { "webhook-timestamp": timestamp, "webhook-signature": signature };
    try {
      const { status } = await fetch(`${host}/webhooks/payments/payouts`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        signal: AbortSignal.timeout(10_000),
      });
      counts.reports++;
      if (isForged && status === 200) counts.believed++;
      return status === 200 || (isForged && status === 401);
    } catch {
      return false;
    }
  };

  const deliver = async (host: string): Promise<number> => {
    const due = waiting;
    waiting = [];
    // In any order.
    const shuffled = due.map((item) => ({ one: item, at: decide.fraction() })).sort((a, b) => a.at - b.at);
    for (let from = 0; from < shuffled.length; from += IN_PARALLEL) {
      const part = shuffled.slice(from, from + IN_PARALLEL);
      const taken = await Promise.all(part.map(({ one }) => send(host, one)));
      part.forEach(({ one }, index) => {
        if (taken[index] !== true) waiting.push(one);
      });
    }
    return waiting.length;
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    effects,
    counts,
    problems,
    deliver,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
