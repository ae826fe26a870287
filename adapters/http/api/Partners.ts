/** Partners: who receives commissions, and their billing data. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Partner as Domain, Ids, PayoutDetails } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { partnerStatements } from "./PartnerStatements.ts";
import { settlementSchedule } from "./SettlementPolicies.ts";
import { extension, publishedOperation } from "./shared/Annotation.ts";
import { BodyFailure, NotFound, RecordBodyFailure } from "./shared/Failure.ts";
import {
  Created,
  Currency,
  ErasureEvent,
  EventActor,
  entryOf,
  event,
  Id,
  optional,
  pageOf,
} from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { presentFields, shown, shownFields } from "./shared/Record.ts";

/** The legal data of a partner, which self-billing requires. */
export const SelfBillingData = shown(Domain.SelfBillingData);

const TaxConfig = shown(Domain.TaxConfig);

/** What events show only where it was stated, or has changed. */
const shownFacts = {
  external_reference: optional(Schema.NullOr(Schema.String)),
  status: optional(Domain.Status),
  tags: optional(Schema.Array(Schema.String)),
};

const ChangedFields = Schema.Array(Schema.String).annotations({
  description: "The fields that have changed, such as self_billing_data.bank_account.",
});

/** An account without its holder, whose number is masked. */
export const MaskedAccount = Schema.Struct({
  iban: Schema.String.annotations({ description: "Masked: the country and the last letters." }),
  bic: Schema.String,
}).annotations({ identifier: "MaskedAccount" });

const MaskedDetails = Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
  description: "Masked; empty once personal data was erased.",
});

/** The events of a partner. */
export const PartnerEvent = Schema.Union(
  event("create_partner", {
    actor: EventActor,
    billing_mode: Schema.NullOr(Domain.BillingMode),
    bank_account: Schema.NullOr(MaskedAccount),
    tax_config: Schema.NullOr(TaxConfig),
    ...shownFacts,
  }),
  event("update_partner", {
    actor: EventActor,
    fields: ChangedFields,
    billing_mode: optional(Schema.NullOr(Domain.BillingMode)),
    bank_account: optional(Schema.NullOr(MaskedAccount)),
    tax_config: optional(Schema.NullOr(TaxConfig)),
    ...shownFacts,
  }),
  event("propose_payout_account", {
    actor: EventActor,
    account_id: Id,
    account_type: PayoutDetails.PayoutType,
    currency: Schema.NullOr(Currency),
    details: MaskedDetails,
  }),
  event("confirm_payout_account", { actor: EventActor, account_id: Id }),
  event("retire_payout_account", { actor: EventActor, account_id: Id }),
  ErasureEvent,
).annotations({ identifier: "PartnerEvent" });

const { name, billing_mode } = shownFields(Domain.Data);

/** An entry of a partner's log. */
export const PartnerEntry = entryOf(PartnerEvent);

/** What a partner has only where there is something to state. */
const facts = presentFields(Domain.Facts);

/** A partner; it has `self_billing_data` exactly when the mode is `self_billing`. */
export const Partner = Schema.Struct({
  id: Id,
  name,
  customer_id: Id,
  workspace_id: Id,
  billing_mode,
  ...facts,
  payout_problem: Schema.NullOr(Schema.String).annotations({
    description:
      "Why payments to the partner would fail, or that its bank account waits for a confirmation; null otherwise.",
  }),
}).annotations({ identifier: "Partner" });

/** What creating a partner would do; the doubts are in the order of the fields. */
export const PartnerDryRun = Schema.Struct({
  existing_id: Schema.NullOr(Id).annotations({
    description: "The partner that has the reference and the same content; null where one would be created.",
  }),
  doubts: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String })).annotations({
    description: "What is accepted, and would keep the partner from being paid or from an e-invoice.",
  }),
}).annotations({ identifier: "PartnerDryRun" });

const list = HttpApiEndpoint.get("list", "/partners")
  .setUrlParams(
    Schema.Struct({
      ...filters("partner"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("partners", Partner))
  .pipe(
    publishedOperation({
      operation: "list partners",
      id: "listPartners",
      summary: "List partners",
      description: "Oldest first by default.",
      response: {
        partners: [
          { id: Example.PARTNER, customer_id: Example.CUSTOMER, ...Example.partner, payout_problem: null },
        ],
        ...Example.paged,
      },
      refused: Example.PAGE,
    }),
  );

const events = HttpApiEndpoint.get("events", "/partners/:id/events")
  .setPath(recordPath(Ids.PartnerId))
  .setUrlParams(Schema.Struct(paging))
  .addSuccess(pageOf("events", PartnerEntry))
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read partner events",
      id: "listPartnerEvents",
      summary: "List the events of a partner",
      description:
        "The partner's log: who has created and changed it, and what. Names, addresses and numbers of accounts are not shown; fields says which have changed. The partner's own credentials cannot read it.",
      response: { events: [Example.partnerEntry], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/partners")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addSuccess(PartnerDryRun)
  .addError(BodyFailure)
  .pipe(
    publishedOperation({
      operation: "create partner",
      id: "createPartner",
      summary: "Create a partner",
      description:
        "Without a billing mode the partner issues its own invoices. self_billing requires self_billing_data. With dry_run returns 200 and what is doubtful in the data, and stores nothing.",
      request: Example.partner,
      response: Example.created(Example.PARTNER),
      dryRun: {
        existing_id: null,
        doubts: [
          {
            field: "self_billing_data.bank_account.bic",
            message: "the BIC belongs to NO, the IBAN to DK",
          },
        ],
      },
      refused: "self_billing_data: is required when billing_mode is self_billing",
    }),
  );

const update = HttpApiEndpoint.patch("update", "/partners/:id")
  .setPath(recordPath(Ids.PartnerId))
  .setPayload(Domain.Update)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    publishedOperation({
      operation: "update partner",
      id: "updatePartner",
      summary: "Change a partner",
      description:
        "Absent or null fields do not change. self_billing_data is replaced as a whole. Approved settlements keep the data of their approval.",
      request: { name: "Nordlys A/S" },
      refused: "self_billing_data: must be absent when billing_mode is partner_billing",
    }),
  );

/** The operations on partners. */
export const Partners = HttpApiGroup.make("partners")
  .add(list)
  .add(create)
  .add(update)
  .add(events)
  .add(partnerStatements.balance)
  .add(partnerStatements.balances)
  .add(partnerStatements.statement)
  .add(settlementSchedule)
  .annotate(PlatformOpenApi.Title, "Partners")
  .annotate(PlatformOpenApi.Description, "The receivers of commissions, with their billing data.");
