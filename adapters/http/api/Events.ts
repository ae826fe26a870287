/** The event feed. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { EventFeed } from "quittance";
import { ApiKeyEvent } from "./ApiKeys.ts";
import { AttributionEvent } from "./Attributions.ts";
import { BillingProfileEvent } from "./BillingProfiles.ts";
import { CommissionFormulaEvent } from "./CommissionFormulas.ts";
import { CommissionPlanEvent } from "./CommissionPlans.ts";
import { CommissionEvent } from "./Commissions.ts";
import * as Example from "./openapi/examples/Story.ts";
import { PartnerLinkEvent } from "./PartnerLinks.ts";
import { PartnerEvent } from "./Partners.ts";
import { PeriodEvent } from "./Periods.ts";
import { PlanAcceptanceEvent } from "./PlanTerms.ts";
import { PostingRulesEvent } from "./PostingRules.ts";
import { SettlementEvent } from "./Settlement.ts";
import { SettlementPolicyEvent } from "./SettlementPolicies.ts";
import { extension } from "./shared/Annotation.ts";
import { Conflict } from "./shared/Failure.ts";
import { DateTime, Id, optional } from "./shared/Field.ts";
import { wholeNumber } from "./shared/Query.ts";
import { WorkspaceEvent } from "./Workspaces.ts";

const Sha256 = Schema.String.annotations({
  jsonSchema: { type: "string", pattern: "^[0-9a-f]{64}$", description: "SHA-256 in hexadecimal." },
});

/** The events of every kind of record; several kinds share the event of an erasure. */
const EVENTS = new Set([
  ...AttributionEvent.members,
  ...CommissionFormulaEvent.members,
  ...CommissionPlanEvent.members,
  ...CommissionEvent.members,
  ...SettlementEvent.members,
  ...PartnerEvent.members,
  ...ApiKeyEvent.members,
  BillingProfileEvent,
  ...SettlementPolicyEvent.members,
  WorkspaceEvent,
  PostingRulesEvent,
  ...PeriodEvent.members,
  ...PlanAcceptanceEvent.members,
  ...PartnerLinkEvent.members,
]);

/** An event in the feed. `event` is null when it was erased. */
export const FeedEntry = Schema.Struct({
  id: Id,
  cursor: Schema.String,
  datetime: DateTime,
  customer_id: Id,
  record_type: Schema.Literal(...Object.values(EventFeed.RECORD_TYPES)),
  record_id: Id,
  sequence: Schema.Int,
  event: Schema.NullOr(Schema.Union(...EVENTS)),
  hash: Sha256,
  previous_hash: Sha256,
}).annotations({ identifier: "FeedEntry" });

/** A page of the feed. */
export const FeedPage = Schema.Struct({
  events: Schema.Array(FeedEntry),
  next_cursor: Schema.String,
}).annotations({ identifier: "FeedPage" });

const list = HttpApiEndpoint.get("list", "/events")
  .setUrlParams(
    Schema.Struct({
      after: optional(
        Schema.String.annotations({
          description:
            "Returns the entries after this cursor in the requested order. Takes next_cursor of a page, or the cursor of an entry.",
        }),
      ),
      order: optional(
        Schema.Literal("asc", "desc").annotations({
          description:
            "Oldest first (asc, the default) to follow the feed; newest first (desc) to show the latest events.",
        }),
      ),
      types: optional(
        Schema.Array(Schema.String).annotations({
          jsonSchema: {
            description:
              "Matches events of any of these types, at most 100; repeat the parameter for several values.",
            type: "array",
            maxItems: 100,
            items: { type: "string" },
          },
        }),
      ),
      limit: optional(
        wholeNumber(
          1,
          EventFeed.LIMIT_MAX,
          EventFeed.LIMIT_DEFAULT,
          "The greatest number of entries on a page.",
        ),
      ),
    }),
  )
  .addSuccess(FeedPage)
  .addError(Conflict)
  .pipe(
    extension({
      operation: "read events",
      id: "listEvents",
      summary: "Follow the event feed",
      description:
        "Returns the events of all the customer's records in one order. A reader that continues with next_cursor gets every event once, also while others are stored. At the end next_cursor is the same again. Needs the grant * of workspaces and partners.",
      response: { events: [Example.feedEntry], next_cursor: Example.feedEntry.cursor },
      refused: "after: must be a cursor of this customer's feed, from next_cursor or an entry",
    }),
  );

/** The operations on the event feed. */
export const Events = HttpApiGroup.make("events")
  .add(list)
  .annotate(PlatformOpenApi.Title, "Events")
  .annotate(PlatformOpenApi.Description, "All events of a customer in one order, for other systems.");
