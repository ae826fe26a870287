/** A payment provider that writes every order and every transfer to a file, so that they survive a crash of its host. */
import * as fs from "node:fs";
import * as path from "node:path";
import { Effect } from "effect";
import { PaymentProvider } from "quittance";

type Order = Parameters<PaymentProvider.PaymentProviderService["send"]>[0];

/** One order or transfer. */
export interface Booking {
  readonly reference: string;
  readonly settlementId: string;
  readonly amount: number;
  readonly iban: string;
}

/** The orders and transfers of a bank, the earliest first. */
export interface Books {
  /** Every order received, including repetitions. */
  readonly orders: ReadonlyArray<Booking>;
  /** The payments that the bank executed. */
  readonly transfers: ReadonlyArray<Booking>;
}

/** Where the process that sends an order can be killed. */
export const KILL_POINTS = [
  "before the provider is called",
  "after the order arrived, before the transfer",
  "after the transfer, before the response",
  "after the response, before the message is completed",
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** How the provider responds to an order. */
export type Behaviour = "accepts" | "accepts and times out" | "refuses finally" | "refuses for now";

const append = (file: string, booking: Booking): void => {
  const descriptor = fs.openSync(file, "a", 0o600);
  try {
    fs.writeSync(descriptor, `${JSON.stringify(booking)}\n`);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

const lines = (file: string): ReadonlyArray<Booking> =>
  fs.existsSync(file)
    ? fs
        .readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line): Booking => JSON.parse(line))
    : [];

const ordersOf = (folder: string): string => path.join(folder, "orders.jsonl");
const transfersOf = (folder: string): string => path.join(folder, "transfers.jsonl");

/** Reads the orders and transfers of the bank whose files are in the folder. */
export const books = (folder: string): Books => ({
  orders: lines(ordersOf(folder)),
  transfers: lines(transfersOf(folder)),
});

const bookingOf = ({ reference, settlementId, amount, account }: Order): Booking => ({
  reference,
  settlementId,
  amount,
  iban: account.details.iban ?? "",
});

const refused = (final: boolean, reason: string) => new PaymentProvider.PaymentRefused({ final, reason });

/**
 * A bank whose files are in a folder. It pays once per reference, as the port requires. `behaviourOf` gets the number of earlier
 * orders with the reference. `reach` is called at each kill point and may end the process.
 */
export const bank = (
  folder: string,
  behaviourOf: (reference: string, times: number) => Behaviour,
  reach: (moment: KillPoint) => void,
): PaymentProvider.PaymentProviderService =>
  PaymentProvider.provider({
    send: (order) =>
      Effect.suspend(() => {
        reach("before the provider is called");
        const booking = bookingOf(order);
        const times = lines(ordersOf(folder)).filter(({ reference }) => reference === order.reference).length;
        append(ordersOf(folder), booking);
        reach("after the order arrived, before the transfer");
        const known = lines(transfersOf(folder)).some(({ reference }) => reference === order.reference);
        const behaviour = behaviourOf(order.reference, times);
        if (!known && behaviour === "refuses finally") return Effect.fail(refused(true, "account closed"));
        if (!known && behaviour === "refuses for now") return Effect.fail(refused(false, "try again later"));
        if (!known) append(transfersOf(folder), booking);
        reach("after the transfer, before the response");
        return behaviour === "accepts and times out" && !known
          ? Effect.fail(refused(false, "no response in time"))
          : Effect.void;
      }),
  });
