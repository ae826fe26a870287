/** Rejections of a bank: pain.002, the status report of ISO 20022, in the versions that SEPA banks send (03 and 10). */
import { Effect } from "effect";
import { type PaymentFile, Refusal, TimeSlice } from "quittance";
import { inWords, isDuplicate } from "./Reason.ts";
import { MOVEMENTS_MAX, sumOf, truncate } from "./Value.ts";
import { childrenOf, type Document, type Element, elementAt, textAt } from "./Xml.ts";

/** The elements that are read. */
export const NEEDED: ReadonlyArray<string> = (
  "CstmrPmtStsRpt GrpHdr MsgId OrgnlGrpInfAndSts OrgnlMsgId GrpSts OrgnlPmtInfAndSts OrgnlPmtInfId PmtInfSts TxInfAndSts " +
  "OrgnlEndToEndId OrgnlUETR TxSts StsRsnInf Rsn Cd Prtry AddtlInf OrgnlTxRef Amt @Ccy InstdAmt"
).split(" ");

/** Banks in Germany and Switzerland send national variants. */
const NAMESPACE = /[:/]pain\.002\.\d{3}\.\d\d(?:\.ch\.\d\d(?:\.xsd)?)?$/;

/** Rejected, or cancelled at the bank: it will not be paid. */
const isRejected = (status: string | null): boolean => status === "RJCT" || status === "CANC";

type Why = Pick<PaymentFile.Movement, "reason" | "isDuplicate">;

/** One reason that a bank states. */
const reasonIn = (stated: Element): Why => {
  const code = textAt(stated, "Rsn", "Cd") ?? textAt(stated, "Rsn", "Prtry");
  const lines = childrenOf(stated, "AddtlInf").flatMap((line) => textAt(line) ?? []);
  return {
    reason: inWords(code, lines.join(" ") || null),
    ...(isDuplicate(code) ? { isDuplicate: true } : {}),
  };
};

/** The reasons at the place nearest to what was rejected. */
const reasonOf = (...places: ReadonlyArray<Element | undefined>): Why => {
  for (const place of places) {
    const reasons = childrenOf(place, "StsRsnInf").map(reasonIn);
    const reason = reasons.flatMap((item) => item.reason ?? []).join(" ");
    if (reason === "") continue;
    const why = { reason: truncate(reason) };
    return reasons.some((candidate) => candidate.isDuplicate === true) ? { ...why, isDuplicate: true } : why;
  }
  return { reason: null };
};

const rejection = (
  given: Pick<PaymentFile.Movement, "endToEndId" | "batch" | "bankReference"> & Why,
  sum = { amount: null, currency: "" } as Pick<PaymentFile.Movement, "amount" | "currency">,
): PaymentFile.Movement => ({ direction: "rejected", bookingDate: null, ...sum, ...given });

/** The rejection of a single payment, or null. */
const rejectedPayment = (
  element: Element,
  batch: Element,
  group: Element | undefined,
  bankReference: string | null,
): PaymentFile.Movement | null =>
  isRejected(textAt(element, "TxSts"))
    ? rejection(
        {
          endToEndId: truncate(textAt(element, "OrgnlEndToEndId") ?? textAt(element, "OrgnlUETR")),
          ...{ batch: null, bankReference, ...reasonOf(element, batch, group) },
        },
        sumOf(elementAt(element, "OrgnlTxRef", "Amt", "InstdAmt")) ?? undefined,
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
    childrenOf(batch, "TxInfAndSts").map((element) => ({ one: element, batch })),
  );
  if (batches.length + payments.length > MOVEMENTS_MAX)
    return Refusal.invalid("file", `must have at most ${MOVEMENTS_MAX} payments`);
  const whole = (id: string, why: Why) =>
    rejection({ endToEndId: null, batch: { id, count: null }, bankReference, ...why });
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
      const movements = [...single.filter((candidate) => candidate !== null), ...ofBatches, ...ofFile];
      return { accounts: [{ iban: null, isFinal: false, movements }] };
    },
  );
};
