/** Links of partners: who is directly above whom, in which role, from when to when. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { PartnerLink as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure } from "./shared/Failure.ts";
import { Created, DateTime, EventActor, event, Id, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const stated = shownFields(Domain.Stated);

const EndDatetime = stated.end_datetime.annotations({
  description: "Exclusive; null without an end. The same as start_datetime: the link was withdrawn.",
});

const link = {
  ...stated,
  upline_partner_id: stated.upline_partner_id.annotations({ description: "The partner directly above." }),
  role: stated.role.annotations({ description: "The role of the upline, such as manager." }),
  end_datetime: EndDatetime,
};

/** A link of a partner to the partner directly above it in a role. */
export const PartnerLink = Schema.Struct({
  id: Id,
  customer_id: Id,
  workspace_id: Id,
  ...link,
  created_at: DateTime,
}).annotations({ identifier: "PartnerLink" });

/** The events of a link. */
export const PartnerLinkEvent = Schema.Union(
  event("create_partner_link", { actor: EventActor, ...link }),
  event("update_partner_link", { actor: EventActor, end_datetime: EndDatetime }),
).annotations({ identifier: "PartnerLinkEvent" });

const list = HttpApiEndpoint.get("list", "/partner-links")
  .setUrlParams(Schema.Struct({ ...filters("partnerLink"), ...paging }))
  .addSuccess(pageOf("partner_links", PartnerLink))
  .pipe(
    extension({
      operation: "list partner links",
      id: "listPartnerLinks",
      summary: "List the links of partners",
      description:
        "Oldest first by default. A credential for some partners sees the links that name one of them at either end.",
      response: { partner_links: [Example.partnerLink], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/partner-links")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "create partner link",
      id: "createPartnerLink",
      summary: "Link a partner to its upline",
      description:
        "Puts a partner directly below another one of its workspace, in a role such as manager or recruiter. A partner has one upline of a role at a time (409 link_overlap), no chain of a role meets itself (409 link_loop), and none has more than 16 links (409 link_depth), at every moment. What is recorded does not change.",
      request: Example.newPartnerLink,
      response: Example.created(Example.PARTNER_LINK),
      refused: "role: must not be seller: sellers have no upline in this role",
    }),
  );

const update = HttpApiEndpoint.patch("update", "/partner-links/:id")
  .setPath(recordPath(Ids.PartnerLinkId))
  .setPayload(Domain.Update)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "update partner link",
      id: "updatePartnerLink",
      summary: "End a link of a partner",
      description:
        "Sets or removes the end of the link. The start itself withdraws the link. What is recorded does not change.",
      request: { end_datetime: Example.MONTH_END },
      refused: "end_datetime: must be an RFC 3339 date-time with an offset or Z",
    }),
  );

/** The operations on links of partners. */
export const PartnerLinks = HttpApiGroup.make("partner_links")
  .add(list)
  .add(create)
  .add(update)
  .annotate(PlatformOpenApi.Title, "Partner links")
  .annotate(PlatformOpenApi.Description, "Managers, recruiters and levels: which partner is above which.");
