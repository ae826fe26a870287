/** Laws of bank payments: those that wait for a payment file, and those that a file holds. */
import { Effect } from "effect";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const SENTENCE = "The payments of a file, or those that wait for one (null), ordered by id, at most `limit`.";

const paymentsOfFiles = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const draft = yield* Scene.draft(scene, yield* Scene.commissions(scene, [700]));
  const payments = Array.from({ length: 5 }, () => Build.bankPayment(draft));
  const over = Build.bankPayment(draft, { isWaiting: false });
  yield* Scene.commit(customerId, [...payments, over]);
  const waiting = payments.map(({ row }) => row).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const find = (fileId: Parameters<typeof storage.bankPayments>[1], limit = 100) =>
    storage.bankPayments(customerId, fileId, limit);
  yield* expectSame("the payments that wait", yield* find(null), waiting);
  yield* expectSame("the first two of them", yield* find(null, 2), waiting.slice(0, 2));
  const [first, second] = [Build.paymentFile(customerId), Build.paymentFile(customerId)];
  const filed = waiting.map((payment, index) =>
    Build.flat("bankPayment", {
      ...payment,
      isWaiting: index === 4,
      fileId: index === 4 ? null : index < 3 ? first.row.id : second.row.id,
    }),
  );
  yield* Scene.commit(customerId, [first, second, ...filed]);
  const rows = filed.map(({ row }) => row);
  yield* expectSame("the payments of a file", yield* find(first.row.id), rows.slice(0, 3));
  yield* expectSame("the first of them", yield* find(first.row.id, 1), rows.slice(0, 1));
  yield* expectSame("the payment of the other file", yield* find(second.row.id), rows.slice(3, 4));
  yield* expectSame("the payment that still waits", yield* find(null), rows.slice(4));
  yield* expectSame("a file that does not exist", yield* find(Build.fresh.paymentFile()), []);
  const stranger = Build.fresh.customer();
  yield* expectSame("another customer", yield* storage.bankPayments(stranger, first.row.id, 9), []);
  yield* expectSame("what waits for another customer", yield* storage.bankPayments(stranger, null, 9), []);
});

export const bankPayments: ReadonlyArray<Law> = [
  law(SENTENCE, "two files, one payment that waits and one that is over", paymentsOfFiles),
];
