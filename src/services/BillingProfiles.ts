/** Billing profiles: a customer's own legal data, which later documents show as the buyer. */
import { Effect } from "effect";
import * as BillingProfile from "../domain/BillingProfile.ts";
import { sameJson } from "../domain/Json.ts";
import type { Principal } from "../domain/Principal.ts";
import { missing } from "../domain/Refusal.ts";
import { Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

/** What replaces a profile; new when it has no version yet. */
const saveProfile = (execution: Execution, profile: Parameters<typeof Save.flat<"billingProfile">>[2]) => ({
  result: {},
  requires: [],
  changes: [Save.flat("billingProfile", execution, profile)],
});

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const pipeline = yield* Pipeline;

  const read = (principal: Principal): Effect.Effect<BillingProfile.BillingProfile, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read billing profile");
      const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
      return profile ?? (yield* missing("billing profile"));
    });

  const write = (
    principal: Principal,
    input: BillingProfile.Write,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "write billing profile");
      const request = yield* validate(BillingProfile.Write)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.map(storage.find(customerId, "billingProfile", [customerId]), ([before]) => {
          const profile = { ...request, customerId };
          if (before === undefined) return saveProfile(execution, profile);
          const { version, lastAt, ...written } = before;
          return sameJson(written, profile)
            ? noEffect({})
            : saveProfile(execution, { ...profile, version, lastAt });
        }),
      );
    });

  return {
    /** The profile of the principal's customer; missing before it is written. */
    read,
    /** Replaces the profile of the principal's customer; an equal one changes nothing. */
    write,
  };
});

export class BillingProfiles extends Effect.Service<BillingProfiles>()("quittance/services/BillingProfiles", {
  effect: make,
}) {}
