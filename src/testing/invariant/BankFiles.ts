/** B1–B5: payment files and what banks booked of them, from the records and the logs of settlements. */
import type { PaymentReference } from "../../domain/Ids.ts";
import type { BankAccount } from "../../domain/Partner.ts";
import { statedId } from "../../domain/PartnerAccounts.ts";
import { type BankPayment, BY_PERSON, currencyOf, payeeOfPayment } from "../../domain/PaymentFile.ts";
import { type ApprovedAccount, payeeOfApproval } from "../../domain/PayoutAccount.ts";
import { bankAccountOf, type Fields, mask, type Payee, payeeOf } from "../../domain/PayoutDetails.ts";
import { isErasedAccount } from "../../domain/PersonalData.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { ControlRecord, LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

type Settlement = LedgerSnapshot["settlements"][number];

/** Every payment that is known, once. */
const paymentsOf = ({
  bankFiles: { files, waiting, initiated },
}: LedgerSnapshot): ReadonlyArray<BankPayment> => [
  ...new Map(
    [...files.flatMap(({ payments }) => payments), ...waiting, ...initiated].map((bankPayment) => [
      bankPayment.id,
      bankPayment,
    ]),
  ).values(),
];

const settlementsById = ({ settlements }: LedgerSnapshot): ReadonlyMap<string, Settlement> =>
  new Map(settlements.map((settlement) => [settlement.row.id, settlement]));

/** How many events of a type a settlement has about a reference. */
const countOf = ({ log }: Settlement, type: string, reference: PaymentReference): number =>
  log.filter(
    ({ event }) =>
      event.type === type && "payment_reference" in event && event.payment_reference === reference,
  ).length;

const sorted = (fields: Fields) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What identifies an account, whatever its type: all of its fields, of which an empty one is none. */
const identityOf = ({ type, details }: Payee): string => {
  const stated = Object.entries(details).filter(([, value]) => value !== "");
  return JSON.stringify([type, sorted(Object.fromEntries(stated))]);
};

/** The accounts of a settlement by its log: that of the approval, and those that were chosen since. */
const statedAccounts = ({ log }: Settlement): ReadonlyArray<ApprovedAccount | BankAccount | null> =>
  log.flatMap(({ event }) => {
    if (event.type === "choose_payout_account") return [event.stored.payout_account];
    if (event.type !== "approve_settlement") return [];
    const { payout_account: account, self_billing_data: data } = event.stored;
    return [account === undefined ? (data?.bankAccount ?? null) : account];
  });

/** The accounts to which a settlement was to be paid. */
const accountsOf = (settlement: Settlement): ReadonlySet<string> => {
  const stated = statedAccounts(settlement).map(
    (account) => account && ("iban" in account ? payeeOf(account) : account),
  );
  const payees = [payeeOfApproval(settlement.row.approval), ...stated].filter((payee) => payee !== null);
  return new Set(payees.map(identityOf));
};

/** True if the log of a partner proposes and confirms an account, as far as it shows it, or never had to: its billing data stated it. */
const isConfirmedBy = (
  { row, log }: Extract<ControlRecord, { readonly kind: "partner" }>,
  { id, ...payee }: ApprovedAccount,
): boolean => {
  const shown = JSON.stringify([payee.type, sorted(mask(payee))]);
  const proposals = log.flatMap(({ event }) =>
    event.type === "propose_payout_account" && event.account_id === id
      ? [JSON.stringify([event.account_type, sorted(event.details)])]
      : [],
  );
  if (proposals.length === 0) {
    const account = bankAccountOf(payee);
    return account !== null && statedId(row.id, account) === id;
  }
  const isConfirmed = log.some(
    ({ event }) => event.type === "confirm_payout_account" && event.account_id === id,
  );
  return isConfirmed && proposals.includes(shown);
};

const complete: Invariant = {
  name: "B1",
  statement:
    "A payment file has the number and the sum of its payments, which are in its currency, and a payment is in the file it names.",
  *violations(snapshot) {
    const fileIds = new Map<string, string>();
    for (const { file, payments } of snapshot.bankFiles.files) {
      const sum = payments.reduce((total, { amount }) => total + amount, 0);
      if (payments.length !== file.count || sum !== file.sum)
        yield `file ${file.id} states ${file.count} payments of ${file.sum}, and has ${payments.length} of ${sum}`;
      for (const { id, isWaiting, currency } of payments) {
        if (currency !== currencyOf(file))
          yield `payment ${id} in ${currency} is in file ${file.id} in ${currencyOf(file)}`;
        if (isWaiting) yield `payment ${id} of file ${file.id} waits for another file`;
        fileIds.set(id, file.id);
      }
    }
    for (const { id, fileId } of paymentsOf(snapshot))
      if (fileId !== (fileIds.get(id) ?? null))
        yield `payment ${id} names file ${fileId}, which does not have it`;
  },
};

const asApproved: Invariant = {
  name: "B2",
  statement:
    "A payment by file is one attempt to pay its settlement, with the amount, currency and account of the approval or of a later choice, which the partner's log has proposed and confirmed.",
  *violations(snapshot) {
    const byId = settlementsById(snapshot);
    for (const payment of paymentsOf(snapshot)) {
      const { id, settlementId, amount, currency } = payment;
      const settlement = byId.get(settlementId);
      if (settlement === undefined || countOf(settlement, "initiate_payment", id) !== 1) {
        yield `payment ${id} is no attempt of settlement ${settlementId}`;
        continue;
      }
      const { payableAmount, total, currency: own } = settlement.row;
      if (amount !== (payableAmount ?? total) || currency !== own)
        yield `payment ${id} of ${amount} ${currency} for settlement ${settlementId}`;
      if (!isErasedAccount(payment) && !accountsOf(settlement).has(identityOf(payeeOfPayment(payment))))
        yield `payment ${id} to an account that was not approved`;
    }
    const partners = new Map(
      snapshot.controls.flatMap((record) => (record.kind === "partner" ? [[record.row.id, record]] : [])),
    );
    for (const settlement of snapshot.settlements) {
      const { id, partnerId, erasedAt } = settlement.row;
      const partner = partners.get(partnerId);
      // Of an erased partner the log shows no accounts, while its settlements may have to be kept.
      const isErased = partner?.log.some(({ event }) => event.type === "erase_personal_data") ?? true;
      if (partner === undefined || isErased || erasedAt !== null) continue;
      for (const account of statedAccounts(settlement))
        if (account !== null && "id" in account && !isConfirmedBy(partner, account))
          yield `settlement ${id}: account ${account.id} was not confirmed by the log of partner ${partnerId}`;
    }
  },
};

const once: Invariant = {
  name: "B3",
  statement:
    "Of a settlement's payments at most one is in a file that was not discarded and has not failed or come back.",
  *violations(snapshot) {
    const byId = settlementsById(snapshot);
    const live = new Map<string, number>();
    for (const { file, payments } of snapshot.bankFiles.files) {
      if (file.discardedAt !== null) continue;
      for (const { id, settlementId } of payments) {
        const settlement = byId.get(settlementId);
        const isOver =
          settlement !== undefined &&
          countOf(settlement, "fail_payment", id) + countOf(settlement, "return_payment", id) > 0;
        if (!isOver) live.set(settlementId, (live.get(settlementId) ?? 0) + 1);
      }
    }
    for (const [id, count] of live) if (count > 1) yield `settlement ${id} is paid by ${count} payments`;
  },
};

const booked: Invariant = {
  name: "B4",
  statement:
    "A booking is applied once: a payment has at most one of each kind and source, is confirmed, returned and failed at most once, and its settlement says what became of it.",
  *violations(snapshot) {
    const byId = settlementsById(snapshot);
    for (const { id, settlementId, bookings } of paymentsOf(snapshot)) {
      const sources = new Set(bookings.map(({ kind, isFinal }) => `${kind} ${isFinal}`));
      if (sources.size !== bookings.length) yield `payment ${id} has a booking of one kind and source twice`;
      const settlement = byId.get(settlementId);
      if (settlement === undefined) continue;
      for (const type of ["confirm_payment", "return_payment", "fail_payment"])
        if (countOf(settlement, type, id) > 1) yield `payment ${id} has ${type} twice`;
      const isTold = ["confirm_payment", "payment_anomaly", "return_payment", "fail_payment"].some(
        (type) => countOf(settlement, type, id) > 0,
      );
      const isManual = settlement.log.some(({ event }) => event.type === "mark_as_paid");
      if (bookings.length > 0 && !isTold && !isManual)
        yield `payment ${id} was booked, and its settlement does not say so`;
    }
  },
};

const handedOver: Invariant = {
  name: "B5",
  statement:
    "A settlement says of its payment whether its file was handed over, and a person fails only a payment that was.",
  *violations(snapshot) {
    const byId = settlementsById(snapshot);
    const files = new Map<string, Timestamp | null>(
      snapshot.bankFiles.files.map(({ file }) => [file.id, file.handedOverAt]),
    );
    for (const { id, settlementId, fileId, bookings } of paymentsOf(snapshot)) {
      const settlement = byId.get(settlementId);
      if (settlement === undefined) continue;
      const { paymentReference, handedOver: said } = settlement.row;
      const handedOverAt = files.get(fileId ?? "") ?? null;
      const stated = said?.at ?? null;
      if (paymentReference === id && (stated === null) !== (handedOverAt === null))
        yield `payment ${id} was handed over at ${handedOverAt}, and settlement ${settlementId} says ${stated}`;
      if (paymentReference === id && stated !== null && said?.fileId !== fileId)
        yield `payment ${id} is in file ${fileId}, and settlement ${settlementId} says ${said?.fileId}`;
      if (bookings.some(({ entry }) => entry === BY_PERSON) && handedOverAt === null)
        yield `payment ${id} was failed by a person, and no bank had it`;
    }
  },
};

/** Every invariant of payment files. */
export const bankFiles: ReadonlyArray<Invariant> = [complete, asApproved, once, booked, handedOver];
