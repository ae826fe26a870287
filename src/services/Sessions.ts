/** Sessions of people who have signed in at an identity provider: each is a key with an end. */
import { Effect } from "effect";
import * as ApiKey from "../domain/ApiKey.ts";
import { type Principal, platform } from "../domain/Principal.ts";
import { type Records, Storage } from "../ports/Storage.ts";
import { type Failure, tenantOf } from "./commands/Access.ts";
import { noEffect, Pipeline } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { issuer } from "./credentials/Issuer.ts";

/** Who opens sessions, in the events of their keys. */
const SIGN_IN = platform("platform:sign-in");

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const issue = yield* issuer;
  const pipeline = yield* Pipeline;

  const open = (
    signedIn: ApiKey.SignedIn,
  ): Effect.Effect<{ readonly id: string; readonly key: string }, Failure> =>
    Effect.map(
      pipeline.run(signedIn.customerId, SIGN_IN, {}, (execution) =>
        Effect.map(issue(ApiKey.sessionGrant(signedIn), execution), ({ saved, ...result }) => ({
          result,
          requires: [],
          changes: [saved],
        })),
      ),
      ({ id, key }) => ({ id, key }),
    );

  const close = (principal: Principal): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      const { customerId, principalId } = principal;
      if (customerId === null) return;
      yield* pipeline.run(customerId, principal, {}, (execution) =>
        Effect.gen(function* () {
          const [key] = yield* storage.find(yield* tenantOf(principal), "apiKey", [principalId]);
          const events = key?.use === "session" ? ApiKey.revoke(key, execution) : [];
          if (key === undefined || events.length === 0) return noEffect({});
          return { result: {}, requires: [], changes: [Save.appendEvents("apiKey", execution, key, events)] };
        }),
      );
    });

  return {
    /** Opens a session of a person whom the host has identified; only this result has its key. */
    open,
    /** Revokes the key of the principal's own session, for good. Has no effect for the principal of any other credential. */
    close,
  };
});

export class Sessions extends Effect.Service<Sessions>()("quittance/services/Sessions", { effect: make }) {}
