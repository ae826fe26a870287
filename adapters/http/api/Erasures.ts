/** Erasing personal data: operations of the platform alone. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Erasures as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension, extensionWithOptionalBody } from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure } from "./shared/Failure.ts";
import { CalendarDate, Count, Id } from "./shared/Field.ts";
import { recordPath } from "./shared/Query.ts";

/** What was erased of a record, or why it is kept. */
const Erasure = Schema.Struct({
  record_type: Schema.Literal(...Domain.RECORD_TYPES),
  record_id: Id,
  contents: Schema.Array(Schema.Literal(...Domain.CONTENTS)),
  kept: Schema.NullOr(
    Schema.Struct({
      reason: Schema.Literal(...Domain.REASONS),
      until: Schema.NullOr(CalendarDate).annotations({
        description: "The last day on which it has to be kept; null where no date ends it.",
      }),
    }),
  ).annotations({ description: "Why it is kept; null where it was erased, or would be in a dry run." }),
}).annotations({ identifier: "Erasure" });

/** What was erased of a partner. */
export const PartnerErasure = Schema.Struct({
  dry_run: Schema.Boolean,
  records: Schema.Array(Erasure),
  next_page: Schema.NullOr(Count).annotations({
    description: "The page to send next; null when every record has been listed.",
  }),
}).annotations({ identifier: "PartnerErasure" });

/** How many entries were erased. */
export const EventErasure = Schema.Struct({ erased: Count }).annotations({ identifier: "EventErasure" });

const partner = HttpApiEndpoint.post("partner", "/partners/:id/erase")
  .setPath(recordPath(Ids.PartnerId))
  .setPayload(Domain.ErasePartner)
  .addSuccess(PartnerErasure)
  .addError(RecordBodyFailure)
  .pipe(
    extensionWithOptionalBody({
      operation: "erase partner",
      id: "erasePartner",
      summary: "Erase the personal data of a partner",
      description:
        "Needs a platform credential. Erases settlements, documents, payments, formulas, keys and the record itself, as far as nothing has to be kept, and lists both. Cannot be undone. With dry_run it only lists. A repetition erases what has to be kept no more.",
      request: { dry_run: true },
      response: {
        dry_run: true,
        records: [
          {
            ...{
              record_type: "settlement",
              record_id: Example.SETTLEMENT,
              contents: ["partner_data", "documents"],
            },
            kept: { reason: "retention", until: "2036-12-31" },
          },
          { record_type: "partner", record_id: Example.PARTNER, contents: ["partner_data"], kept: null },
        ],
        next_page: null,
      },
      refused: "page: must be 1 to 2147483647",
      forbidden: "A customer credential may not erase partner",
    }),
  );

const events = HttpApiEndpoint.post("events", "/events/erase")
  .setPayload(Domain.EraseEvents)
  .addSuccess(EventErasure)
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "erase events",
      id: "eraseEvents",
      summary: "Erase entries of the event feed",
      description:
        "Needs a platform credential. The feed shows these entries without their event, and its chain of hashes still holds. Their records do not change. Cannot be undone.",
      request: { customer_id: Example.CUSTOMER, cursors: [Example.feedEntry.cursor] },
      response: { erased: 1 },
      refused: "cursors: must have 1 to 100 cursors",
      forbidden: "A customer credential may not erase events",
    }),
  );

/** The operations that erase personal data. */
export const Erasures = HttpApiGroup.make("erasures")
  .add(partner)
  .add(events)
  .annotate(PlatformOpenApi.Title, "Erasures")
  .annotate(PlatformOpenApi.Description, "Erasing personal data.");
