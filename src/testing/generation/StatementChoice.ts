/** Statements of a bank about payments by file, with bookings that fit and others. */
import type { CalendarDate } from "../../domain/CalendarDate.ts";
import { type BankStatement, endOf, type Movement } from "../../domain/PaymentFile.ts";
import type { Command } from "../model/Command.ts";
import { isInFlight, referenceOf } from "../model/world/BankPayments.ts";
import type { BankPayment, PaymentFile } from "../model/world/PaymentFiles.ts";
import { dateOf } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";

/** A choice that depends on all picks: many of them are small. */
const mixed = ({ picks: [a, b, c, d] }: ChoiceContext["intent"], turn: number): number =>
  (a + 3 * b + 5 * c + 7 * d) * (2 * turn + 1) + turn * (a + c);

/** What a movement has unless a choice changes it. */
const movementOf = (
  context: ChoiceContext,
  { amount, currency }: Pick<BankPayment, "amount" | "currency">,
  direction: Movement["direction"],
): Movement => {
  const { intent, history, world } = context;
  const [, , , pick] = intent.picks;
  return {
    ...{ direction, endToEndId: null, batch: null, amount, currency },
    bookingDate: dateOf(world.now),
    // Some banks state no reference of their own; two bookings of a day then differ by their order.
    bankReference: pick % 3 === 0 ? null : `entry ${pick % 3 === 1 ? "same" : history.count}`,
    reason: direction === "debit" ? null : `bank says ${pick % 4}`,
  };
};

/** A movement that is not what it should be. */
const distort = (intent: ChoiceContext["intent"], unknown: string, movement: Movement): Movement =>
  choose<Movement>(
    [
      { ...movement, amount: (movement.amount ?? 0) + 1 },
      { ...movement, currency: movement.currency === "EUR" ? "DKK" : "EUR" },
      { ...movement, endToEndId: unknown.replaceAll("-", ""), batch: null },
      { ...movement, endToEndId: "invoice 17", batch: null },
      { ...movement, amount: null },
      { ...movement, isNotice: true },
      { ...movement, direction: "rejected", isDuplicate: true },
      { ...movement, endToEndId: "invoice 17", batch: null, isNotice: true },
    ],
    mixed(intent, 3),
  );

/** How a movement names a payment: by its reference, with or without hyphens, or by the end of it and a day. */
const nameOf = (world: World, payment: BankPayment, pick: number): Pick<Movement, "endToEndId" | "entry"> => {
  const reference = referenceOf(world, payment);
  const file = world.paymentFiles.find(({ id }) => id === payment.fileId);
  if (pick % 4 > 0 || file === undefined)
    return { endToEndId: pick % 4 === 1 ? reference : reference.replaceAll("-", "").toUpperCase() };
  const end = endOf(reference);
  const days = choose([0, 10, null, 0, 3, 11, -1], pick >> 2);
  const executionDate = days === null ? null : (dateOf(Date.parse(file.executionDate), days) as CalendarDate);
  return { endToEndId: end, entry: { end, executionDate } };
};

const DIRECTIONS = ["debit", "rejected", "credit", "debit", "credit"] as const;

/** Movements of one payment: one, or two of which the second may repeat the first. */
const ofPayment = (context: ChoiceContext, payment: BankPayment): ReadonlyArray<Movement> => {
  const { world, intent } = context;
  const [, , , other] = intent.picks;
  const direction = choose(DIRECTIONS, mixed(intent, 1));
  const first = { ...movementOf(context, payment, direction), ...nameOf(world, payment, other) };
  const second = { ...first, direction: choose(DIRECTIONS, mixed(intent, 2)) };
  return other % 5 === 0 ? [first, second] : [first];
};

/** A movement that books a whole file as a sum, or refuses all of it. */
const ofFile = (context: ChoiceContext, file: PaymentFile): Movement => {
  const { world, intent } = context;
  const [, , pick, other] = intent.picks;
  const direction = choose(["debit", "debit", "rejected", "debit", "credit"] as const, mixed(intent, 1));
  const payments = world.bankPayments.filter(
    ({ fileId, bookings }) =>
      fileId === file.id && (pick % 3 > 0 || !bookings.some(({ kind }) => kind === "rejection")),
  );
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
  const count = other % 3 === 0 ? null : payments.length;
  const named =
    other % 4 === 0
      ? { endToEndId: file.id.replaceAll("-", "") }
      : { batch: { id: file.id, count: intent.eligible ? count : payments.length + 1 } };
  return { ...movementOf(context, { amount, currency: file.currency }, direction), ...named };
};

/**
 * A statement about a payment, or about its file. A credit comes with movements of its own payment alone: whether it returns a
 * payment depends on what has become of others.
 */
export const chooseStatementOf = (context: ChoiceContext, payment: BankPayment): Command => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const { customerId } = payment;
  const file = world.paymentFiles.find(({ id }) => id === payment.fileId);
  const chosen =
    file !== undefined && picks[2] % 4 === 0 ? [ofFile(context, file)] : ofPayment(context, payment);
  const right =
    eligible && picks[1] % 6 > 0
      ? chosen
      : chosen.map((movement) => distort(intent, principals.unknown, movement));
  const others =
    right.some(({ direction }) => direction === "credit") || picks[0] % 2 === 0
      ? []
      : world.bankPayments
          .filter((one) => one !== payment && one.customerId === customerId && one.fileId !== null)
          .slice(-2)
          .map((one) => ({
            ...movementOf(context, one, picks[0] % 4 === 1 ? "debit" : "rejected"),
            ...nameOf(world, one, 1),
          }));
  const accounts: BankStatement["accounts"] = [
    {
      iban: picks[3] % 3 === 0 ? (file?.debtor ?? null) : picks[3] % 17 === 1 ? "NO9386011117947" : null,
      isFinal: picks[0] % 3 > 0,
      movements: [...right, ...others],
    },
  ];
  return {
    type: "read_statement",
    ...callerFor(context, { customerId, workspaceId: principals.workspaces[0], partnerId: null }),
    statement: { accounts: !eligible && picks[3] % 11 === 0 ? [] : accounts },
  };
};

/** A statement about a payment in a file; now and then about one that is in none. */
export const chooseStatement = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const awaited = world.bankPayments.filter(
    (one) => one.fileId !== null && (picks[3] % 2 === 0 || isInFlight(world, one)),
  );
  const payment = chooseIfAny(eligible && awaited.length > 0 ? awaited : world.bankPayments, picks[0]);
  return payment === undefined ? null : chooseStatementOf(context, payment);
};
