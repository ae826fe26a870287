/** Planted bugs of payment files and bank statements: money that leaves twice, and bookings that count twice. */
import { type Bug, bug } from "./Bug.ts";

const FILES = "src/services/PaymentFiles.ts";
const PAYMENTS = "src/domain/PaymentFile.ts";

const file = (name: string, caughtBy: string, path: string, find: string, replace: string): Bug =>
  bug(name, caughtBy, path, find, replace, "payment files");

/** Every planted bug of this file. */
export const bankBugs: ReadonlyArray<Bug> = [
  file(
    "a payment of a file waits for another one",
    "B1",
    FILES,
    "{ ...payment, fileId, isWaiting: false }",
    "{ ...payment, fileId, isWaiting: true }",
  ),
  file(
    "the sum of a payment file leaves its first payment out",
    "B1",
    "src/services/settlements/WaitingPayments.ts",
    "sum += pair.payment.amount;",
    "if (live.length > 0) sum += pair.payment.amount;",
  ),
  file(
    "a payment by file leaves the tax out",
    "B2",
    PAYMENTS,
    "amount: payableAmount ?? total,",
    "amount: payableAmount === null ? total : total,",
  ),
  bug(
    "a payment counts as handed over when its file is created",
    "PaymentFiles: is awaited, then created, and handed over before a payment counts as on its way",
    PAYMENTS,
    'file.handedOverAt === null ? "created" : "handed_over"',
    'file.handedOverAt === null ? "handed_over" : "handed_over"',
    "rules",
  ),
  {
    name: "a file is handed over although a settlement was paid outside",
    edits: [
      {
        file: FILES,
        find: "yield* checkFresh(file, pairs);\n          const settlements",
        replace: "const settlements",
      },
      {
        file: FILES,
        find: "const saves = Effect.forEach(pairs, (",
        replace: "const saves = Effect.forEach(pairs.filter(isInFlight), (",
      },
    ],
    by: "payment files",
    caughtBy: "B5",
  },
  file(
    "the settlements of a file do not know that it was handed over",
    "B5",
    FILES,
    "              ...settlements,\n",
    "",
  ),
  file(
    "a person fails a payment that no bank has",
    "B5",
    "src/domain/SettlementGuards.ts",
    "paymentReference === null && handedOver !== null",
    "paymentReference === null",
  ),
  file(
    "a booking is applied again",
    "B4",
    "src/domain/BankBooking.ts",
    "const repeated = same.find(({ isFinal }) => isFinal === booking.isFinal);",
    'const repeated = same.find(({ isFinal, entry }) => isFinal === booking.isFinal && entry === "");',
  ),
  file(
    "a booking of another amount confirms a payment",
    "money",
    PAYMENTS,
    'return movement.amount === payment.amount ? null : "other_amount";',
    "return null;",
  ),
];
