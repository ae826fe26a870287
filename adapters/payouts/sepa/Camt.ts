/** Bank statements: camt.053 (end-of-day statements) and camt.054 (notifications) of ISO 20022, from version 02 on. */
import { Effect, Either } from "effect";
import { PaymentFile, Refusal, TimeSlice } from "quittance";
import { inWords } from "./Reason.ts";
import { idIn, MOVEMENTS_MAX, type Sum, sumOf, truncate } from "./Value.ts";
import { childrenOf, type Document, type Element, elementAt, textAt } from "./Xml.ts";

/** The two messages: the name of the body, and the name of the report of one account in it. */
const MESSAGES = [
  { message: "camt.053", body: "BkToCstmrStmt", report: "Stmt", isFinal: true },
  { message: "camt.054", body: "BkToCstmrDbtCdtNtfctn", report: "Ntfctn", isFinal: false },
] as const;

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[34])\.001\.\d\d$/;

/** The elements and attributes of a statement that are read. */
export const NEEDED: ReadonlyArray<string> = (
  "BkToCstmrStmt Stmt BkToCstmrDbtCdtNtfctn Ntfctn Acct Id IBAN Ntry Amt @Ccy CdtDbtInd Sts Cd Prtry BookgDt ValDt Dt DtTm " +
  "NtryRef AcctSvcrRef AddtlNtryInf NtryDtls Btch MsgId PmtInfId NbOfTxs TxDtls Refs InstrId EndToEndId UETR AmtDtls InstdAmt " +
  "TxAmt CntrValAmt RmtInf Ustrd RtrInf Rsn AddtlInf AddtlTxInf"
).split(" ");

/**
 * The amount of an entry or a transaction, where the dialects of banks put it; null where it has none. What was instructed in euro
 * is the payment, whatever currency the account has and whatever charges were added; else any amount in euro is, and else
 * the amount of the booking.
 */
const statedSum = (place: Element): Sum | null => {
  const [instructed, ...others] = [
    sumOf(elementAt(place, "AmtDtls", "InstdAmt", "Amt")),
    sumOf(elementAt(place, "Amt")),
    sumOf(elementAt(place, "AmtDtls", "TxAmt", "Amt")),
    sumOf(elementAt(place, "AmtDtls", "CntrValAmt", "Amt")),
  ];
  const inEuro = [instructed, ...others].find((sum) => sum?.currency === "EUR");
  return inEuro ?? others.find((sum) => sum !== null) ?? instructed ?? null;
};

/**
 * The amount of a transaction. That of the entry counts if the transaction is its only one, and states no amount or more than
 * the bank booked; less is usual, because the bank may book its charges with it.
 */
const amountOfDetails = (details: Element, entry: Element, isOnly: boolean): Sum => {
  const stated = statedSum(details);
  const booked = isOnly ? statedSum(entry) : null;
  const isMore =
    stated?.amount != null &&
    booked?.amount != null &&
    stated.currency === booked.currency &&
    stated.amount > booked.amount;
  return (isMore ? booked : (stated ?? booked)) ?? { amount: null, currency: "" };
};

type Direction = PaymentFile.Movement["direction"];

/** The direction of a movement of money. A reversal is stated with its own direction. */
const directionOf = (element: Element): Direction | null => {
  const indicator = textAt(element, "CdtDbtInd");
  return indicator === "DBIT" ? "debit" : indicator === "CRDT" ? "credit" : null;
};

const dateOf = (entry: Element): string | null =>
  (textAt(entry, "BookgDt", "Dt") ?? textAt(entry, "BookgDt", "DtTm") ?? textAt(entry, "ValDt", "Dt"))?.slice(
    0,
    10,
  ) ?? null;

const linesOf = (parent: Element | undefined, name: string): ReadonlyArray<string> =>
  childrenOf(parent, name).flatMap((line) => (typeof line === "string" && line !== "" ? [line] : []));

/** Why a payment was returned, as the bank states it: its code, and words where it has any. */
const reasonOf = (details: Element, entry: Element): string | null => {
  const stated = elementAt(details, "RtrInf");
  const lines = linesOf(stated, "AddtlInf");
  const words =
    lines.length > 0 ? lines.join(" ") : (textAt(details, "AddtlTxInf") ?? textAt(entry, "AddtlNtryInf"));
  return inWords(textAt(stated, "Rsn", "Cd"), textAt(stated, "Rsn", "Prtry") ?? words);
};

/** What banks write in place of a reference that they do not have. */
const NO_REFERENCE = /^not ?provided$/i;

/**
 * The reference that the payer gave, or the transaction's own where there is none. Where a bank has a reference of ours in its
 * text alone, as with returns, it is that one.
 */
const referenceOf = (details: Element, entry: Element): string | null => {
  const endToEndId = textAt(details, "Refs", "EndToEndId");
  if (endToEndId !== null && !NO_REFERENCE.test(endToEndId)) return endToEndId;
  const texts = [
    textAt(details, "Refs", "InstrId"),
    ...linesOf(elementAt(details, "RmtInf"), "Ustrd"),
    textAt(details, "AddtlTxInf"),
    textAt(entry, "AddtlNtryInf"),
  ];
  return textAt(details, "Refs", "UETR") ?? idIn(texts) ?? endToEndId;
};

/** The movement of one transaction of an entry. */
const movementOfDetails = (
  entry: Element,
  details: Element,
  isOnly: boolean,
): PaymentFile.Movement | null => {
  const direction = directionOf(details) ?? directionOf(entry);
  return direction === null
    ? null
    : {
        direction,
        endToEndId: truncate(referenceOf(details, entry)),
        batch: null,
        ...amountOfDetails(details, entry, isOnly),
        bookingDate: dateOf(entry),
        bankReference: truncate(textAt(details, "Refs", "AcctSvcrRef") ?? textAt(entry, "AcctSvcrRef")),
        reason: reasonOf(details, entry),
      };
};

const transactionsOf = (entry: Element): ReadonlyArray<Element> =>
  childrenOf(entry, "NtryDtls").flatMap((element) => childrenOf(element, "TxDtls"));

/** The id of the file that an entry books as a sum: banks state it as that of the message or of the batch, there or at a transaction. */
const batchIdOf = (entry: Element, transactions: ReadonlyArray<Element>): string | null => {
  const places = [
    elementAt(entry, "NtryDtls", "Btch"),
    ...transactions.map((transaction) => elementAt(transaction, "Refs")),
  ];
  const ids = places.flatMap((place) => [textAt(place, "PmtInfId"), textAt(place, "MsgId")]);
  return ids.find((id) => PaymentFile.uuidOf(id) !== null) ?? ids.find((id) => id !== null) ?? null;
};

/** How many payments a batch has; null where the bank does not say. */
const countOf = (entry: Element, transactions: ReadonlyArray<Element>): number | null => {
  const stated = textAt(entry, "NtryDtls", "Btch", "NbOfTxs") ?? "";
  if (/^\d{1,15}$/.test(stated)) return Number(stated);
  return transactions.length > 1 ? transactions.length : null;
};

/**
 * True if an entry books one of our files as a sum: its transactions do not say which payments they are, or not of which amounts.
 * References that are none of ours, such as the bank's own UETR, say nothing.
 */
const isOwnBatch = (entry: Element, transactions: ReadonlyArray<Element>): boolean =>
  (transactions.every((details) => PaymentFile.uuidOf(textAt(details, "Refs", "EndToEndId")) === null) ||
    (transactions.length > 1 && transactions.every((details) => statedSum(details) === null))) &&
  PaymentFile.uuidOf(batchIdOf(entry, transactions)) !== null;

/** The movement of an entry that has no transactions: a batch that is booked as a sum, or a single booking. */
const movementOfEntry = (entry: Element): PaymentFile.Movement | null => {
  const direction = directionOf(entry);
  const sum = statedSum(entry);
  const transactions = transactionsOf(entry);
  const id = batchIdOf(entry, transactions);
  return direction === null || sum === null
    ? null
    : {
        direction,
        endToEndId: null,
        batch: id === null ? null : { id, count: countOf(entry, transactions) },
        ...sum,
        bookingDate: dateOf(entry),
        bankReference: truncate(textAt(entry, "AcctSvcrRef") ?? textAt(entry, "NtryRef")),
        reason: null,
      };
};

/** True if an entry is booked; pending entries and information are not. */
const isBooked = (entry: Element): boolean => (textAt(entry, "Sts", "Cd") ?? textAt(entry, "Sts")) === "BOOK";

/** The part of a report that describes a movement: an entry, or one of its transactions. */
interface MovementSource {
  /** From 1. */
  readonly number: number;
  readonly entry: Element;
  /** Null when the entry has no transactions, or is one movement of a batch. */
  readonly details: Element | null;
  readonly isOnly: boolean;
}

const movementSources = (
  entry: Element,
  transactions: ReadonlyArray<Element>,
  index: number,
): ReadonlyArray<MovementSource> => {
  const number = index + 1;
  return transactions.length === 0 || isOwnBatch(entry, transactions)
    ? [{ number, entry, details: null, isOnly: true }]
    : transactions.map((details) => ({ number, entry, details, isOnly: transactions.length === 1 }));
};

const refuse = (explanation: string) => Either.left(Refusal.invalid("file", explanation));

const movementOf = ({
  number,
  entry,
  details,
  isOnly,
}: MovementSource): Either.Either<PaymentFile.Movement, Refusal.Invalid> => {
  const movement = details === null ? movementOfEntry(entry) : movementOfDetails(entry, details, isOnly);
  return movement === null ? refuse(`entry ${number} has no amount or no direction`) : Either.right(movement);
};

/** True if movements state more money together than the bank booked; less is usual, because of its charges. */
const exceed = (movements: ReadonlyArray<PaymentFile.Movement>, entry: Element): boolean => {
  const booked = statedSum(entry);
  const direction = directionOf(entry);
  // Only amounts in the currency and the direction of the entry can be compared with it.
  const isComparable = movements.every(
    (movement) => movement.currency === booked?.currency && movement.direction === direction,
  );
  if (booked?.amount == null || !isComparable) return false;
  return movements.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n) > BigInt(booked.amount);
};

/**
 * The movements of a report. Those of one entry have no amount if they exceed it together: the statement does not say which
 * of them the bank booked.
 */
const checkedWithEntries = (
  sources: ReadonlyArray<MovementSource>,
  movements: ReadonlyArray<PaymentFile.Movement>,
): ReadonlyArray<PaymentFile.Movement> => {
  const checked: Array<PaymentFile.Movement> = [];
  for (let start = 0, end = 0; start < movements.length; start = end) {
    const entry = sources[start]?.entry;
    while (end < movements.length && sources[end]?.entry === entry) end++;
    const entryMovements = movements.slice(start, end);
    const isExceeded = entry !== undefined && entryMovements.length > 1 && exceed(entryMovements, entry);
    for (const movement of entryMovements)
      checked.push(isExceeded ? { ...movement, amount: null } : movement);
  }
  return checked;
};

/** The movements of a report; `room` is how many more the statement may have. */
const accountOf = (
  report: Element,
  isFinal: boolean,
  room: { left: number },
): Effect.Effect<PaymentFile.BankStatement["accounts"][number], Refusal.Invalid> =>
  Effect.gen(function* () {
    const sources: Array<MovementSource> = [];
    yield* TimeSlice.mapEither(childrenOf(report, "Ntry"), (entry, index) => {
      if (!isBooked(entry)) return Either.right(null);
      const transactions = transactionsOf(entry);
      room.left -= Math.max(1, transactions.length);
      if (room.left < 0) return refuse(`must have at most ${MOVEMENTS_MAX} movements`);
      for (const source of movementSources(entry, transactions, index)) sources.push(source);
      return Either.right(null);
    });
    const movements = yield* TimeSlice.mapEither(sources, movementOf);
    return {
      iban: textAt(report, "Acct", "Id", "IBAN"),
      isFinal,
      movements: checkedWithEntries(sources, movements),
    };
  });

/** The statements of each account, in the order of the message; null when it is another message. Read in slices of time. */
export const read = ({
  root,
  namespace,
}: Document): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> | null => {
  const message = NAMESPACE.exec(namespace ?? "")?.[1];
  const format = MESSAGES.find((candidate) => candidate.message === message);
  const body = format === undefined ? undefined : elementAt(root, format.body);
  if (format === undefined || body === undefined) return null;
  const reports = childrenOf(body, format.report);
  if (reports.length === 0) return refuse(`has no ${format.report}, the report of an account`);
  const room = { left: MOVEMENTS_MAX };
  return Effect.map(
    Effect.forEach(reports, (report) => accountOf(report, format.isFinal, room)),
    (accounts) => ({ accounts }),
  );
};
