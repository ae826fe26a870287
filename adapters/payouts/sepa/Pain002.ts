/** Rejections of a bank: pain.002, the status report of ISO 20022, in the versions that SEPA banks send (03 and 10). */
import { Effect } from "effect";
import { type PaymentFile, Refusal, TimeSlice } from "quittance";
import { MOVEMENTS_MAX, sumOf, truncate } from "./Value.ts";
import { childrenOf, type Document, type Element, elementAt, textAt } from "./Xml.ts";

/** The elements that are read. */
export const NEEDED: ReadonlyArray<string> = (
  "CstmrPmtStsRpt GrpHdr MsgId OrgnlGrpInfAndSts OrgnlMsgId GrpSts OrgnlPmtInfAndSts OrgnlPmtInfId PmtInfSts TxInfAndSts " +
  "OrgnlEndToEndId OrgnlUETR TxSts StsRsnInf Rsn Cd Prtry AddtlInf OrgnlTxRef Amt @Ccy InstdAmt"
).split(" ");

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.\d\d$/;

/** Rejected, or cancelled at the bank: it will not be paid. */
const isRejected = (status: string | null): boolean => status === "RJCT" || status === "CANC";

/** The reason at the place nearest to what was rejected. */
const reasonOf = (...places: ReadonlyArray<Element | undefined>): string | null => {
  for (const place of places) {
    const words = childrenOf(place, "StsRsnInf").flatMap((one) => [
      textAt(one, "Rsn", "Cd") ?? textAt(one, "Rsn", "Prtry"),
      ...childrenOf(one, "AddtlInf").map((line) => textAt(line)),
    ]);
    const reason = words.filter((word) => word !== null).join(" ");
    if (reason !== "") return truncate(reason);
  }
  return null;
};

const rejection = (
  given: Pick<PaymentFile.Movement, "endToEndId" | "batch" | "bankReference" | "reason">,
  sum = { amount: null, currency: "" } as Pick<PaymentFile.Movement, "amount" | "currency">,
): PaymentFile.Movement => ({ direction: "rejected", bookingDate: null, ...sum, ...given });

/** The rejection of a single payment, or null. */
const rejectedPayment = (
  one: Element,
  batch: Element,
  group: Element | undefined,
  bankReference: string | null,
): PaymentFile.Movement | null =>
  isRejected(textAt(one, "TxSts"))
    ? rejection(
        {
          endToEndId: truncate(textAt(one, "OrgnlEndToEndId") ?? textAt(one, "OrgnlUETR")),
          ...{ batch: null, bankReference, reason: reasonOf(one, batch, group) },
        },
        sumOf(elementAt(one, "OrgnlTxRef", "Amt", "InstdAmt")) ?? undefined,
      )
    : null;

/** The rejections of a report: of single payments, then of batches or the whole file; null when it is another message. */
export const read = ({
  root,
  namespace,
}: Document): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> | null => {
  const body = NAMESPACE.test(namespace ?? "") ? elementAt(root, "CstmrPmtStsRpt") : undefined;
  if (body === undefined) return null;
  const group = elementAt(body, "OrgnlGrpInfAndSts");
  const fileId = truncate(textAt(group, "OrgnlMsgId"));
  if (fileId === null) return Refusal.invalid("file", "has no OrgnlMsgId, the file that it is about");
  const bankReference = truncate(textAt(body, "GrpHdr", "MsgId"));
  const batches = childrenOf(body, "OrgnlPmtInfAndSts");
  const payments = batches.flatMap((batch) =>
    childrenOf(batch, "TxInfAndSts").map((one) => ({ one, batch })),
  );
  if (batches.length + payments.length > MOVEMENTS_MAX)
    return Refusal.invalid("file", `must have at most ${MOVEMENTS_MAX} payments`);
  const whole = (id: string, reason: string | null) =>
    rejection({ endToEndId: null, batch: { id, count: null }, bankReference, reason });
  const ofBatches = batches.flatMap((batch) =>
    isRejected(textAt(batch, "PmtInfSts"))
      ? [whole(truncate(textAt(batch, "OrgnlPmtInfId")) ?? fileId, reasonOf(batch, group))]
      : [],
  );
  const ofFile =
    ofBatches.length === 0 && isRejected(textAt(group, "GrpSts"))
      ? [whole(fileId, reasonOf(group, batches[0]))]
      : [];
  return Effect.map(
    TimeSlice.map(payments, ({ one, batch }) => rejectedPayment(one, batch, group, bankReference)),
    (single) => {
      const movements = [...single.filter((one) => one !== null), ...ofBatches, ...ofFile];
      return { accounts: [{ iban: null, isFinal: false, movements }] };
    },
  );
};
