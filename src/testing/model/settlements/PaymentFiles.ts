/** The model of payment files: which payments go into one, and when it may be handed over. */
import type { Currency } from "../../../domain/Currency.ts";
import type { CommandOf } from "../Command.ts";
import { isReason } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { personOf } from "../prediction/Rights.ts";
import { isStillConfirmed } from "../records/PayoutAccounts.ts";
import { isInFlight, referenceOf, settlementOf, withPayments } from "../world/BankPayments.ts";
import { moveSettlement } from "../world/Lines.ts";
import { nextMoment } from "../world/Log.ts";
import type { BankPayment, PaymentFile } from "../world/PaymentFiles.ts";
import { dateOf } from "../world/Time.ts";
import { mapWhere, type World } from "../world/World.ts";
import { NOT_PAID } from "./Payouts.ts";

/** The formats of the runs: one for accounts with an IBAN, which states the account that pays, and one for all others. */
export const FORMATS = { iban: "transfers", other: "others" } as const;

const formatOf = ({ account }: BankPayment): string =>
  account.type === "iban" ? FORMATS.iban : FORMATS.other;

/** True if the account of a payment was retired. */
const isRetired = (world: World, payment: BankPayment): boolean => {
  const settlement = settlementOf(world, payment);
  const partner = world.partners.find(({ id }) => id === settlement?.partnerId);
  return settlement !== undefined && partner !== undefined && !isStillConfirmed(partner, settlement);
};

const inOrder = (world: World, payments: ReadonlyArray<BankPayment>): ReadonlyArray<BankPayment> =>
  payments.toSorted((a, b) => (referenceOf(world, a) < referenceOf(world, b) ? -1 : 1));

const addDays = (date: string, days: number): string => dateOf(Date.parse(date), days);

/** Days other than weekends without payments in euro, in the years of the runs. */
const CLOSED = [2026, 2027].flatMap((year) => [
  ...["01-01", "05-01", "12-25", "12-26"].map((day) => `${year}-${day}`),
  ...(year === 2026 ? ["2026-04-03", "2026-04-06"] : ["2027-03-26", "2027-03-29"]),
]);

const isBusinessDay = (currency: Currency, date: string): boolean =>
  ![0, 6].includes(new Date(date).getUTCDay()) && (currency !== "EUR" || !CLOSED.includes(date));

const nextBusinessDay = (currency: Currency, date: string): string => {
  const next = addDays(date, 1);
  return isBusinessDay(currency, next) ? next : nextBusinessDay(currency, next);
};

const isExecutable = (world: World, currency: Currency, date: string): boolean =>
  date >= dateOf(world.now, -1) && date <= dateOf(world.now, 365) && isBusinessDay(currency, date);

/** A new file of the payments that wait. */
export const createPaymentFile = (world: World, command: CommandOf<"create_payment_file">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: true,
    decide: () => {
      const { customerId } = command.principal;
      const waiting = inOrder(
        world,
        world.bankPayments.filter((one) => one.customerId === customerId && one.isWaiting),
      );
      const ended = waiting.filter((one) => !isInFlight(world, one));
      const awaited = waiting.filter((one) => isInFlight(world, one));
      const live = awaited.filter((one) => !isRetired(world, one));
      const [first] = live;
      if (customerId === null || first === undefined)
        return conflict(awaited.length > 0 ? "payout_account" : "payout_unavailable");
      const { currency } = first;
      const format = formatOf(first);
      const chosen = live.filter((one) => one.currency === currency && formatOf(one) === format);
      const executionDate = command.input.executionDate ?? nextBusinessDay(currency, dateOf(world.now));
      if (!isExecutable(world, currency, executionDate)) return refuse("Invalid");
      const profile = world.profiles.find((one) => one.customerId === customerId);
      const debtor = format === FORMATS.iban ? profile?.bankAccount?.iban : null;
      if (profile === undefined || debtor === undefined) return conflict("payout_unavailable");
      return accept((id) => {
        const file: PaymentFile = {
          ...{ id, customerId, format, executionDate, currency, debtor, count: chosen.length },
          sum: chosen.reduce((sum, { amount }) => sum + amount, 0),
          ...{ createdAt: world.now, handedOverAt: null, discardedAt: null },
          createdBy: personOf(command.principal),
        };
        const filed = withPayments(world, (one) => chosen.includes(one), { fileId: id, isWaiting: false });
        const after = withPayments(filed, (one) => ended.includes(one), { isWaiting: false });
        return { ...after, paymentFiles: [...after.paymentFiles, file] };
      });
    },
  });

/** The payments of a file. */
export const paymentsOf = (world: World, { id }: PaymentFile): ReadonlyArray<BankPayment> =>
  inOrder(
    world,
    world.bankPayments.filter(({ fileId }) => fileId === id),
  );

export const withFile = (world: World, id: string, change: Partial<PaymentFile>): World => ({
  ...world,
  paymentFiles: mapWhere(
    world.paymentFiles,
    (file) => file.id === id,
    (file) => ({ ...file, ...change }),
  ),
});

/** A command on a file that exists. */
const onFile = (
  world: World,
  command: CommandOf<"hand_over_payment_file" | "discard_payment_file">,
  valid: boolean,
  decide: (file: PaymentFile, payments: ReadonlyArray<BankPayment>) => Decision,
): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid,
    decide: () => {
      const file = world.paymentFiles.find(
        ({ id, customerId }) => id === command.id && customerId === command.principal.customerId,
      );
      return file === undefined ? refuse("Missing") : decide(file, paymentsOf(world, file));
    },
  });

/** A bank has the file: each settlement knows it. */
export const handOverPaymentFile = (world: World, command: CommandOf<"hand_over_payment_file">): Prediction =>
  onFile(world, command, true, (file, payments) => {
    if (file.handedOverAt !== null && file.discardedAt === null) return accept(null);
    if (file.discardedAt !== null) return conflict("payment_file_stale");
    if (payments.some((one) => !isInFlight(world, one) || isRetired(world, one)))
      return conflict("payment_file_stale");
    const today = dateOf(world.now);
    const executionDate = file.executionDate < today ? today : file.executionDate;
    return accept(() =>
      payments.reduce(
        (after, payment) => {
          const settlement = settlementOf(after, payment);
          if (settlement === undefined) return after;
          const at = nextMoment(settlement.log, world.now);
          return moveSettlement(
            after,
            settlement,
            "hand_over_payment",
            { handedOver: { fileId: file.id, at, executionDate } },
            { payment_file_id: file.id, execution_date: executionDate },
          );
        },
        withFile(world, file.id, { handedOverAt: world.now, handedOverBy: personOf(command.principal) }),
      ),
    );
  });

/** No bank has the file, or one has refused all of it: its payments under way fail. */
export const discardPaymentFile = (world: World, command: CommandOf<"discard_payment_file">): Prediction =>
  onFile(world, command, isReason(command.reason), (file, payments) =>
    accept(
      file.discardedAt !== null
        ? null
        : () =>
            payments.reduce(
              (after, payment) => {
                const settlement = settlementOf(after, payment);
                return settlement === undefined || !isInFlight(after, payment)
                  ? after
                  : moveSettlement(after, settlement, "fail_payment", NOT_PAID, { reason: command.reason });
              },
              withFile(world, file.id, { discardedAt: world.now, discardedBy: personOf(command.principal) }),
            ),
    ),
  );
