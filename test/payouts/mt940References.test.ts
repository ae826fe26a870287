/** The reference of a payment is found wherever a bank breaks its text, whatever its digits are. */
import { Effect } from "effect";
import { sepa } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { type Random, random } from "../support/Random.ts";
import type { Message, Order } from "./banks/Order.ts";
import { BANKS } from "./banks/TenBanks.ts";
import { wrap } from "./banks/Writing.ts";
import { DEBTOR } from "./Payers.ts";

const ROUNDS = 20;
/** The amount of a fee of the bank, which has no reference. */
const FEE = 395;

/** Digits of a reference; some end as the label of a reference does. */
const digitsOf = (decide: Random): string => {
  const digits = Array.from({ length: 32 }, () => decide.integer(0, 15).toString(16)).join("");
  return decide.chance(0.3) ? `${digits.slice(0, 29)}e2e` : digits;
};

/** The id of a settlement, as a remittance text has it. */
const uuidOf = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const orderOf = (decide: Random): Order => ({
  format: "pain.001.001.09",
  messageId: digitsOf(decide),
  batchId: digitsOf(decide),
  iban: DEBTOR.iban,
  payments: Array.from({ length: 6 }, (_, index) => ({
    endToEndId: digitsOf(decide),
    cents: 1_000 + index,
    name: "Nordlys ApS",
    iban: "DK5000400440116243",
    remittance: decide.pick([
      uuidOf(digitsOf(decide)),
      `Settlement ${uuidOf(digitsOf(decide))}`,
      `${digitsOf(decide)} 2026-01`,
    ]),
    fate: index % 2 === 0 ? "paid" : "returned",
  })),
});

/** How a bank ends lines within a text: by a line feed, after a space of its own, or without the spaces at their ends. */
const LINE_ENDS = ["\r\n", " \r\n", "trimmed"] as const;

/** A message whose texts end their lines at a column. */
const brokenAt = ({ fileName, bytes }: Message, column: number, end: (typeof LINE_ENDS)[number]): Message => {
  const text = new TextDecoder("latin1").decode(bytes);
  const broken = text.replace(
    /(:86:)([\s\S]*?)(?=\r\n(?::\d\d|-\r\n))/g,
    (_, tag: string, details: string) => {
      const lines = wrap(details.replaceAll("\r\n", ""), column).split("\r\n");
      return tag + (end === "trimmed" ? lines.map((line) => line.trimEnd()).join("\r\n") : lines.join(end));
    },
  );
  return { fileName, bytes: Uint8Array.from(broken, (character) => character.charCodeAt(0)) };
};

const movementsOf = async ({ bytes }: Message) => {
  if (sepa.files === null) throw new Error("SEPA reads statements");
  const { accounts } = await Effect.runPromise(sepa.files.read(bytes));
  return accounts.flatMap(({ movements }) => movements);
};

/** The references that a message should have: of a payment, or of a whole file. */
const expectReferences = async (message: Message, order: Order, context: string) => {
  const own = new Map(order.payments.map((payment) => [payment.endToEndId, payment.fate]));
  for (const { endToEndId, batch, direction, amount } of await movementsOf(message)) {
    if (amount === FEE) continue;
    if (batch !== null) expect([context, batch.id.toLowerCase()]).toEqual([context, order.batchId]);
    else {
      const reference = endToEndId?.toLowerCase().replaceAll("-", "") ?? null;
      const fate = own.get(reference ?? "");
      expect([context, reference, direction === "credit" ? "returned" : fate]).toEqual([
        context,
        reference !== null && own.has(reference) ? reference : "the reference of a payment",
        fate,
      ]);
    }
  }
};

describe("a statement of SWIFT names each payment, wherever its lines end", () => {
  it.each(BANKS.filter(({ name }) => name.includes("SWIFT")).map((bank) => [bank.name, bank] as const))(
    "%s",
    async (_, bank) => {
      const decide = random(34);
      for (let round = 0; round < ROUNDS; round++) {
        const order = orderOf(decide);
        const messages = bank.answer(order).filter(({ fileName }) => fileName === "mt940.sta");
        expect(messages).toHaveLength(2);
        for (const message of messages) {
          await expectReferences(message, order, "as the bank writes it");
          for (let column = 20; column <= 80; column++)
            for (const end of LINE_ENDS)
              await expectReferences(
                brokenAt(message, column, end),
                order,
                `${column} ${JSON.stringify(end)}`,
              );
        }
      }
    },
  );
});
