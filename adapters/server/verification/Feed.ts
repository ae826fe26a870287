/** The event feed: each entry's hash follows from its event and the entry before. */
import { Effect, Stream } from "effect";
import { Digest, Events } from "quittance";
import { PAGE, type Page, pageOf } from "../../sql/feed/Feed.ts";
import * as NodeDigest from "../NodeDigest.ts";
import type { Check, Finding } from "./Check.ts";

/** The check of the feed; an entry whose event was erased holds by its digest. */
export const feed: Check = {
  name: "feed",
  statement: "Each entry's hash of the event feed follows from its event and the entry before.",
  find: ({ customerId, rows }, counter) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const digest = yield* Digest.Digest;
        const { entries, broken } = yield* Events.verifyChain(digest, customerId, (after, limit) =>
          Effect.map(rows<Page>(PAGE.text, after, limit), ([found = null]) => pageOf(found)),
        );
        counter("feed event", entries);
        const findings: ReadonlyArray<Finding> =
          broken === null
            ? []
            : [{ check: "feed", customerId, problem: `entry ${broken.position}: ${broken.problem}` }];
        return Stream.fromIterable(findings);
      }),
    ).pipe(Stream.provideLayer(NodeDigest.layer)),
};
