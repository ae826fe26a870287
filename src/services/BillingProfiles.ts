/** Billing profiles: a customer's own legal data, printed as the buyer on documents made from then on. */
import { Effect } from "effect";
import * as BillingProfile from "../domain/BillingProfile.ts";
import type { Principal } from "../domain/Principal.ts";
import { missing } from "../domain/Refusal.ts";
import { Storage } from "../ports/Storage.ts";
import { admit, type Failure, validated } from "./Access.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./Pipeline.ts";
import * as Save from "./Save.ts";

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const pipeline = yield* Pipeline;

  const read = (principal: Principal): Effect.Effect<BillingProfile.BillingProfile, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* admit(principal, "read billing profile");
      const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
      return profile ?? (yield* missing("billing profile"));
    });

  const write = (
    principal: Principal,
    input: BillingProfile.Write,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* admit(principal, "write billing profile");
      const asked = yield* validated(BillingProfile.Write)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.map(storage.find(customerId, "billingProfile", [customerId]), ([before]) => ({
          answer: {},
          requires: [],
          changes: [
            Save.flat("billingProfile", execution, {
              ...asked,
              customerId,
              ...(before === undefined ? {} : { version: before.version, lastAt: before.lastAt }),
            }),
          ],
        })),
      );
    });

  return {
    /** The profile of the principal's customer; missing before it is written. */
    read,
    /** Replaces the profile of the principal's customer. */
    write,
  };
});

/** The service of billing profiles. */
export class BillingProfiles extends Effect.Service<BillingProfiles>()("quittance/services/BillingProfiles", {
  effect: make,
}) {}
