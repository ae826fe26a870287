/** Planted bugs of what waits until the buyer has paid. */
import { type Bug, bug } from "./Bug.ts";

const LEDGER = "src/domain/Ledger.ts";

/** Every planted bug of this file. */
export const receiptBugs: ReadonlyArray<Bug> = [
  bug(
    "what is released follows the statement before the last",
    "model",
    "src/domain/Commission.ts",
    "return withWaiting({ ...state, receipt: { received: event.received, of: event.of } });",
    "return { ...withWaiting(state), receipt: { received: event.received, of: event.of } };",
  ),
  bug(
    "corrections wait for the buyer",
    "model",
    "src/domain/Receipt.ts",
    "if (amount <= 0 || (of !== null && received >= of)) return 0;",
    "if (amount === 0 || (of !== null && received >= of)) return 0;",
  ),
  bug(
    "a commission is settled while something waits",
    "S2",
    LEDGER,
    "(quantities.waitingAmount ?? 0) === 0 &&\n        due",
    "due",
  ),
  bug(
    "a write-off covers what waits",
    "Receipts: covers what was released, and nothing that waits",
    LEDGER,
    "clamp(releasedAmount(quantities) - paidAmount, writtenOffNegative, writtenOffPositive)",
    "clamp((quantities.computedAmount ?? 0) - paidAmount, writtenOffNegative, writtenOffPositive)",
    "rules",
  ),
  bug(
    "a credit that a recredit adds does not know what the buyer has paid",
    "Recredits: releases of new credits what the buyer has paid",
    "src/services/attributions/AttributionCreation.ts",
    "origin?.receipt ?? (stated",
    "(origin === undefined ? null : null) ?? (stated",
    "rules",
  ),
  bug(
    "a statement misses a commission that is added meanwhile",
    "OverrideRaces: where nobody has a formula, while the buyer pays, the manager gets a formula that waits",
    "src/services/receipts/Receiving.ts",
    '{ type: "commissions", attributionId: id, count },',
    "...(count < 0 ? [] : []),",
    "rules",
  ),
  bug(
    "a commission that is added misses a statement made meanwhile",
    "OverrideRaces: where nobody has a formula, while the manager gets a formula that waits, the buyer pays",
    "src/services/receipts/StatedReceipts.ts",
    "return origin === undefined",
    "return origin !== null",
    "rules",
  ),
  bug(
    "a document begins a further part with the whole commission instead of what was released",
    "documentLines: of a commission that waits for the buyer state what was paid, and each further part what came before",
    "src/services/documents/DetailedLines.ts",
    "? releasedAmount(commission) - amount",
    "? (commission.computedAmount ?? 0) - amount",
    "rules",
  ),
  bug(
    "a statement misses what a new formula earns meanwhile",
    "C1",
    "src/services/receipts/Receiving.ts",
    '{ type: "commissions", attributionId: id, count },',
    "...(count < 0 ? [] : []),",
    "concurrent",
  ),
  bug(
    "a new formula misses a statement made meanwhile",
    "C1",
    "src/services/receipts/StatedReceipts.ts",
    "return origin === undefined",
    "return origin !== null",
    "receipt races",
  ),
];
