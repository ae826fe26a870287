/** A payment provider that forgets nothing: every order it is handed and every transfer it makes is a line in a file. */
import * as fs from "node:fs";
import * as path from "node:path";
import { Effect } from "effect";
import { PaymentProvider } from "quittance";

type Order = Parameters<PaymentProvider.PaymentProviderService["send"]>[0];

/** One line of the bank's books. */
export interface Booking {
  readonly reference: string;
  readonly settlementId: string;
  readonly amount: number;
  readonly iban: string;
}

/** What a bank wrote down, in order. */
export interface Books {
  /** Every time an order was handed over, repeated ones included. */
  readonly orders: ReadonlyArray<Booking>;
  /** Money that left. */
  readonly transfers: ReadonlyArray<Booking>;
}

/** Moments at which the process that hands an order over dies. */
export const DEATHS = [
  "before the provider is called",
  "after the order arrived, before the transfer",
  "after the transfer, before the answer",
  "after the answer, before the message is completed",
] as const;
export type Death = (typeof DEATHS)[number];

/** What the provider makes of an order, decided by its reference so that it holds across restarts. */
export type Mood = "accepts" | "accepts and times out" | "refuses finally" | "refuses for now";

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

/** What the bank of a folder wrote down. */
export const books = (folder: string): Books => ({
  orders: lines(ordersOf(folder)),
  transfers: lines(transfersOf(folder)),
});

const bookingOf = ({ reference, settlementId, amount, bankAccount }: Order): Booking => ({
  reference,
  settlementId,
  amount,
  iban: bankAccount.iban,
});

const refused = (final: boolean, reason: string) => new PaymentProvider.PaymentRefused({ final, reason });

/**
 * A bank that keeps its books in a folder and pays once per reference, as the port demands of a provider. `die` is asked
 * at each moment whether the process ends there.
 */
export const bank = (
  folder: string,
  moodOf: (reference: string, times: number) => Mood,
  die: (moment: Death) => void,
): PaymentProvider.PaymentProviderService =>
  PaymentProvider.provider({
    send: (order) =>
      Effect.suspend(() => {
        die("before the provider is called");
        const booking = bookingOf(order);
        const times = lines(ordersOf(folder)).filter(({ reference }) => reference === order.reference).length;
        append(ordersOf(folder), booking);
        die("after the order arrived, before the transfer");
        const known = lines(transfersOf(folder)).some(({ reference }) => reference === order.reference);
        const mood = moodOf(order.reference, times);
        if (!known && mood === "refuses finally") return Effect.fail(refused(true, "account closed"));
        if (!known && mood === "refuses for now") return Effect.fail(refused(false, "try again later"));
        if (!known) append(transfersOf(folder), booking);
        die("after the transfer, before the answer");
        return mood === "accepts and times out" && !known
          ? Effect.fail(refused(false, "no answer in time"))
          : Effect.void;
      }),
  });
