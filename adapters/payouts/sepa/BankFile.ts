/** What a bank sends: a message, or a ZIP archive of messages. */
import { Effect } from "effect";
import { type PaymentFile, Refusal } from "quittance";
import * as BankMessage from "./BankMessage.ts";
import { MOVEMENTS_MAX } from "./Value.ts";
import * as Zip from "./Zip.ts";

/** Archives are read one at a time: unpacked, they take more memory than was counted for the request. */
const turn = Effect.unsafeMakeSemaphore(1);

const readArchive = (archive: Uint8Array): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> =>
  Effect.gen(function* () {
    const accounts: Array<PaymentFile.BankStatement["accounts"][number]> = [];
    let movements = 0;
    for (const { name, bytes } of yield* Zip.unpack(archive)) {
      const statement = yield* Effect.mapError(BankMessage.read(bytes), ({ message }) =>
        Refusal.invalid("file", message.replace(/^file:/, `${name}:`)),
      );
      movements += statement.accounts.reduce((sum, account) => sum + account.movements.length, 0);
      if (movements > MOVEMENTS_MAX)
        return yield* Refusal.invalid("file", `must have at most ${MOVEMENTS_MAX} movements`);
      accounts.push(...statement.accounts);
    }
    return { accounts };
  });

/** What the messages of a file say about payments; one that cannot be read refuses the file. */
export const read = (bytes: Uint8Array): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> =>
  Zip.isZip(bytes) ? turn.withPermits(1)(readArchive(bytes)) : BankMessage.read(bytes);
