/** Settlement policies: which due amounts runs settle, for a workspace and for single partners of it. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { SettlementPolicy as Domain, Field, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { NotFound, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { DateTime, EventActor, event, Id } from "./shared/Field.ts";
import { recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const terms = shownFields(Domain.Terms);

const ownTerms = shownFields(Domain.OwnTerms);

/** The next period of a cadence. */
const NextRun = Schema.NullOr(Schema.Struct({ label: Schema.String, at: DateTime })).annotations({
  description: "The next period of the cadence: its local label, such as 2026-02, and its first instant.",
});

const UpdatedAt = Schema.NullOr(DateTime).annotations({ description: "Null if it was never written." });

/** The policy of a workspace. */
export const SettlementPolicy = Schema.Struct({
  workspace_id: Id,
  ...terms,
  next_run: NextRun,
  updated_at: UpdatedAt,
}).annotations({ identifier: "SettlementPolicy" });

/** What a partner has of its own, null where it follows the workspace, and the terms that follow from both. */
export const PartnerSettlementPolicy = Schema.Struct({
  workspace_id: Id,
  partner_id: Id,
  ...ownTerms,
  in_force: Schema.Struct(terms),
  next_run: NextRun,
  updated_at: UpdatedAt,
}).annotations({ identifier: "PartnerSettlementPolicy" });

const place = { workspace_id: Id, partner_id: Schema.NullOr(Id) };

/** The events of a policy; partner_id is null in those of a workspace's. */
export const SettlementPolicyEvent = Schema.Union(
  event("write_settlement_policy", { actor: EventActor, ...place, ...ownTerms }),
  event("begin_settlement_period", {
    actor: EventActor,
    ...place,
    period: Schema.String,
    settlement_run_id: Id,
  }),
).annotations({ identifier: "SettlementPolicyEvent" });

const path = Schema.Struct({
  workspaceId: Field.key(Ids.WorkspaceId, "workspace_id", "The workspace whose policy it is."),
});

const partnerPath = Schema.Struct({
  ...path.fields,
  partnerId: Field.key(Ids.PartnerId, "partner_id", "The partner whose policy it is."),
});

const OF_WORKSPACE = "/settlement-policies/:workspace_id";
const OF_PARTNER = "/settlement-policies/:workspace_id/partners/:partner_id";

const read = HttpApiEndpoint.get("read", OF_WORKSPACE)
  .setPath(path)
  .addSuccess(SettlementPolicy)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read settlement policy",
      id: "readSettlementPolicy",
      summary: "Read the settlement policy of a workspace",
      description:
        "Before a policy is written a workspace has the defaults: no hold, no minimum, manual cadence, no automatic approval, review of negative totals, no known rate of tax on invoices of partners.",
      response: {
        workspace_id: Example.WORKSPACE,
        ...Example.policyTerms,
        next_run: { label: "2026-02", at: "2026-01-31T23:00:00.000Z" },
        updated_at: Example.SALE,
      },
      refused: "workspace_id: must be a UUID",
    }),
  );

const write = HttpApiEndpoint.put("write", OF_WORKSPACE)
  .setPath(path)
  .setPayload(Domain.Write)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "write settlement policy",
      id: "writeSettlementPolicy",
      summary: "Write the settlement policy of a workspace",
      description:
        "Replaces the whole policy; an absent field gets its default. A new cadence starts with its next period. Needs a credential for all partners.",
      request: Example.policyTerms,
      refused: "minimum.EURO: must be an ISO 4217 currency code, such as EUR",
    }),
  );

const readOverride = HttpApiEndpoint.get("read_override", OF_PARTNER)
  .setPath(partnerPath)
  .addSuccess(PartnerSettlementPolicy)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read settlement policy",
      id: "readPartnerSettlementPolicy",
      summary: "Read the settlement policy of a partner",
      description:
        "A field is null when the partner has the workspace's value; in_force has the resulting values.",
      response: {
        workspace_id: Example.WORKSPACE,
        partner_id: Example.PARTNER,
        hold_days: 0,
        minimum: null,
        cadence: null,
        auto_approve: null,
        four_eyes_above: null,
        negative: null,
        invoice_tax_bps: null,
        require_acceptance: null,
        in_force: { ...Example.policyTerms, hold_days: 0 },
        next_run: null,
        updated_at: Example.SALE,
      },
      refused: "partner_id: must be a UUID",
    }),
  );

const writeOverride = HttpApiEndpoint.put("write_override", OF_PARTNER)
  .setPath(partnerPath)
  .setPayload(Domain.WriteOverride)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "write settlement policy",
      id: "writePartnerSettlementPolicy",
      summary: "Write the settlement policy of a partner",
      description:
        "Replaces the partner's own fields; for an absent or null field the workspace's value applies. With its own cadence, including manual, the partner is not in the runs of the workspace's cadence. Needs a credential for all partners.",
      request: { hold_days: 0 },
      refused: "cadence.time_zone: must be an IANA time zone, such as Europe/Copenhagen",
    }),
  );

const removeOverride = HttpApiEndpoint.del("remove_override", OF_PARTNER)
  .setPath(partnerPath)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "write settlement policy",
      id: "removePartnerSettlementPolicy",
      summary: "Remove the settlement policy of a partner",
      description:
        "The partner then has all values of its workspace. Without an own policy this changes nothing. Needs a credential for all partners.",
      refused: "partner_id: must be a UUID",
    }),
  );

const { hold_days, minimum, cadence, require_acceptance } = terms;

/** The terms in force that a partner may read. */
export const SettlementSchedule = Schema.Struct({
  ...{ cadence, hold_days, minimum, require_acceptance },
  next_run: NextRun,
}).annotations({ identifier: "SettlementSchedule" });

/** The operation on the schedule of a partner. */
export const settlementSchedule = HttpApiEndpoint.get(
  "settlement_schedule",
  "/partners/:id/settlement-schedule",
)
  .setPath(recordPath(Ids.PartnerId))
  .addSuccess(SettlementSchedule)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read balance",
      id: "readSettlementSchedule",
      summary: "Read when a partner is settled",
      description:
        "Returns the terms in force that decide when what the partner has earned is settled. next_run is null unless a cadence starts runs; what occurred before it, and before hold_days, belongs to that run. A partner's own key may read it; it does not see the other terms.",
      response: {
        ...Example.scheduleTerms,
        next_run: { label: "2026-02", at: "2026-01-31T23:00:00.000Z" },
      },
      refused: "id: must be a UUID",
    }),
  );

/** The operations on settlement policies. */
export const SettlementPolicies = HttpApiGroup.make("settlement_policies")
  .add(read)
  .add(write)
  .add(readOverride)
  .add(writeOverride)
  .add(removeOverride)
  .annotate(PlatformOpenApi.Title, "Settlement policies")
  .annotate(
    PlatformOpenApi.Description,
    "Which due amounts settlement runs settle, and what happens to their drafts.",
  );
