/** Billing profiles: a customer's own legal data, which later documents show as the buyer. */
import { Effect } from "effect";
import * as BillingProfile from "../domain/BillingProfile.ts";
import type { Principal } from "../domain/Principal.ts";
import { missing } from "../domain/Refusal.ts";
import { type Records, Storage, type StorageError } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const pipeline = yield* Pipeline;

  const read = (principal: Principal): Effect.Effect<BillingProfile.BillingProfile, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read billing profile");
      const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
      return profile ?? (yield* missing("billing profile"));
    });

  const customerName = ({ customerId }: Principal): Effect.Effect<string | null, StorageError> =>
    customerId === null
      ? Effect.succeed(null)
      : Effect.map(
          storage.find(customerId, "billingProfile", [customerId]),
          ([profile]) => profile?.legalName ?? null,
        );

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
          const written = before === undefined ? null : BillingProfile.writtenOf(before);
          const events = BillingProfile.write(written, request, execution);
          if (events.length === 0) return noEffect({});
          const version = before === undefined ? {} : { version: before.version, lastAt: before.lastAt };
          const profile = { ...request, customerId, ...version };
          const saved = Save.appendEvents("billingProfile", execution, profile, events);
          return { result: {}, requires: [], changes: [saved] };
        }),
      );
    });

  return {
    /** The profile of the principal's customer; missing before it is written. */
    read,
    /** The legal name of the principal's customer, which every principal of it may know; null before the profile is written. */
    customerName,
    /** Replaces the profile of the principal's customer; an equal one changes nothing. */
    write,
  };
});

export class BillingProfiles extends Effect.Service<BillingProfiles>()("quittance/services/BillingProfiles", {
  effect: make,
}) {}
