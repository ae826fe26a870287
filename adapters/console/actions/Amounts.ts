/** The amounts of a settlement in the sentences of its actions. */
import { decimalsOf, money } from "../format/Money.ts";
import type { Subject } from "./Action.ts";

type OfSettlement = Pick<Subject, "settlement">;

export const net = ({ settlement }: OfSettlement): string => money(settlement.total, settlement.currency);

/** What is to be paid, with the tax that is stated. */
export const gross = ({ settlement }: OfSettlement): string =>
  money(settlement.payableAmount ?? settlement.total, settlement.currency);

/** An amount in words without its sign. */
export const positive = (text: string): string => text.replace("−", "");

/** True if the partner owes the amount. */
export const isClaim = ({ settlement }: OfSettlement): boolean => settlement.total < 0;

/** A claim as one amount, with the tax that is stated, and its net part. */
export const claimWords = (subject: OfSettlement): string => {
  const { payableAmount, total } = subject.settlement;
  return payableAmount === null || payableAmount === total
    ? `${positive(net(subject))} net`
    : `${positive(gross(subject))}, of it ${positive(net(subject))} net`;
};

/** An amount with its currency, as a form takes one. */
export const exampleIn = (currency: string): string => `${(1.5).toFixed(decimalsOf(currency))} ${currency}`;
