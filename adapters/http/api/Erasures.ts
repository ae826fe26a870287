/** Erasing personal data: operations of the platform alone. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Erasures as Domain, Ids } from "quittance";
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
    extensionWithOptionalBody(
      "erase partner",
      "erasePartner",
      "Erase the personal data of a partner",
      "Needs a platform credential. Erases settlements, documents, payments, formulas, keys and the record itself, as far as nothing has to be kept, and lists both. Cannot be undone. With dry_run it only lists. A repetition erases what has to be kept no more.",
    ),
  );

const events = HttpApiEndpoint.post("events", "/events/erase")
  .setPayload(Domain.EraseEvents)
  .addSuccess(EventErasure)
  .addError(BodyFailure)
  .pipe(
    extension(
      "erase events",
      "eraseEvents",
      "Erase entries of the event feed",
      "Needs a platform credential. The feed shows these entries without their event, and its chain of hashes still holds. Their records do not change. Cannot be undone.",
    ),
  );

/** The operations that erase personal data. */
export const Erasures = HttpApiGroup.make("erasures")
  .add(partner)
  .add(events)
  .annotate(PlatformOpenApi.Title, "Erasures")
  .annotate(PlatformOpenApi.Description, "Erasing personal data.");
