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
import { Amount, Count, DateTime, EventActor, event, Id } from "./shared/Field.ts";

const AmountByCurrency = Schema.Record({ key: Schema.String, value: Amount });

const HoldDays = Count.annotations({
  description: "The days of 24 hours between occurred_at and the first settlement of a commission.",
});
const Minimum = AmountByCurrency.annotations({
  description: "The least amount of a draft by currency, whatever its sign.",
});
const Cadence = Schema.Union(
  Schema.Literal("manual"),
  Schema.Struct({
    type: Schema.Literal("weekly", "monthly", "quarterly"),
    day: Count,
    time_zone: Schema.String,
  }),
).annotations({ description: "When runs start automatically; manual: only on request." });
const AutoApprove = Schema.Union(Schema.Literal("never"), AmountByCurrency).annotations({
  description:
    "The largest amount by currency that a run approves automatically. A run never approves a draft in another currency, or above four_eyes_above.",
});
const FourEyesAbove = AmountByCurrency.annotations({
  description: "The amount by currency above which the creator of a draft may not approve it.",
});
const Negative = Schema.Literal("review", "carry_forward").annotations({
  description:
    "What a run does with a negative total: review creates a draft; carry_forward creates none, so that a later run includes the amount.",
});
const InvoiceTaxBps = Schema.Union(Schema.Literal("unknown"), Count).annotations({
  description:
    "The rate of tax in basis points that partners' own invoices and credit notes state. A tax that differs by more than one unit waits for an approver; while the rate is unknown any tax does. A settlement has the rate of its approval.",
});

const RequireAcceptance = Schema.Boolean.annotations({
  description:
    "Whether runs leave out what was earned under terms of a plan that the partner has not accepted.",
});

const terms = {
  hold_days: HoldDays,
  minimum: Minimum,
  cadence: Cadence,
  auto_approve: AutoApprove,
  four_eyes_above: FourEyesAbove,
  negative: Negative,
  invoice_tax_bps: InvoiceTaxBps,
  require_acceptance: RequireAcceptance,
};

/** The terms of a policy, each null where a partner follows its workspace. */
const ownTerms = {
  hold_days: Schema.NullOr(HoldDays),
  minimum: Schema.NullOr(Minimum),
  cadence: Schema.NullOr(Cadence),
  auto_approve: Schema.NullOr(AutoApprove),
  four_eyes_above: Schema.NullOr(FourEyesAbove),
  negative: Schema.NullOr(Negative),
  invoice_tax_bps: Schema.NullOr(InvoiceTaxBps),
  require_acceptance: Schema.NullOr(RequireAcceptance),
};

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
