/** Compares payment files of a store, and their payments, with those of the model. */
import { payeeOfPayment } from "../../domain/PaymentFile.ts";
import type { Payee } from "../../domain/PayoutDetails.ts";
import { referenceOf } from "../model/world/BankPayments.ts";
import type { World } from "../model/world/World.ts";
import type { StoreView } from "./StoreView.ts";

type Rows = ReadonlyMap<string, unknown>;

/** An account without empty fields: a payment states an absent BIC as an empty one. */
const accountOf = ({ type, details }: Payee) => ({
  type,
  details: Object.entries(details)
    .filter(([, value]) => value !== "")
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
});

/** What the model expects of files and payments. */
export const expectedFiles = (
  world: World,
  { paymentFiles, bankPayments }: Pick<World, "paymentFiles" | "bankPayments">,
): { readonly [Kind in "paymentFile" | "bankPayment"]: () => Rows } => ({
  paymentFile: () => new Map(paymentFiles.map((file) => [file.id, file])),
  bankPayment: () =>
    new Map(
      bankPayments.map((payment) => {
        const { attempt: _, account, ...row } = payment;
        return [referenceOf(world, payment), { ...row, account: accountOf(account) }];
      }),
    ),
});

/** What a store shows of them. */
export const storedFiles = ({ bankFiles: { files, initiated } }: StoreView) => ({
  paymentFile: new Map(
    files.map(({ file }) => [file.id, { ...file, debtor: file.debtor?.iban ?? null }] as const),
  ),
  bankPayment: new Map(
    initiated.map((payment) => [payment.id, { ...payment, account: accountOf(payeeOfPayment(payment)) }]),
  ),
});
