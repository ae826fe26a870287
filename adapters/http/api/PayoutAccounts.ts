/** Payout accounts of partners: where their money goes, who proposed it and who confirmed it. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { PayoutAccount as Domain, Field, Ids } from "quittance";
import { PAYOUT_ACCOUNT } from "./openapi/examples/Ids.ts";
import * as Example from "./openapi/examples/Payout.ts";
import { extension } from "./shared/Annotation.ts";
import { NotFound, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { Created, Currency, DateTime, optional } from "./shared/Field.ts";
import { recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const { id, type, details, status, proposed_at, proposed_by, ...ends } = shownFields(Domain.Stated);

/** The fields of an account by its type. */
export const Details = details;

/** An account of a partner. */
export const PayoutAccount = Schema.Struct({
  ...{ id, type },
  currency: optional(Currency).annotations({
    description:
      "The currency whose settlements are paid to it; absent for every currency without an account of its own.",
  }),
  ...{ details, status, proposed_at, proposed_by },
  proposed_by_partner: Schema.Boolean.annotations({
    description:
      "True for an account that the partner itself proposed: a person of yours confirms it, whatever the setting.",
  }),
  confirmable_from: Schema.NullOr(DateTime).annotations({
    description: "The moment from which it may be confirmed; null unless it is proposed.",
  }),
  needs_second_person: Schema.Boolean.annotations({
    description: "True for a proposed account that the person who proposed it may not confirm.",
  }),
  confirmed_at: ends.confirmed_at,
  confirmed_by: ends.confirmed_by,
  retired_at: ends.retired_at,
}).annotations({ identifier: "PayoutAccount" });

/** The accounts of a partner. */
export const PayoutAccounts = Schema.Struct({ payout_accounts: Schema.Array(PayoutAccount) });

const ofPartner = recordPath(Ids.PartnerId);

const ofAccount = Schema.Struct({
  id: Ids.PartnerId,
  accountId: Field.key(Ids.PayoutAccountId, "account_id", "The account of the partner."),
});

const read = HttpApiEndpoint.get("read", "/partners/:id/payout-accounts")
  .setPath(ofPartner)
  .addSuccess(PayoutAccounts)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list payout accounts",
      id: "readPayoutAccounts",
      summary: "Read the payout accounts of a partner",
      description:
        "The oldest first, the retired ones among them. The bank account of the billing data is one of them. Details are masked without the scope payouts:read; a partner does not see the persons.",
      response: { payout_accounts: [Example.account] },
      refused: "id: must be a UUID",
    }),
  );

const propose = HttpApiEndpoint.post("propose", "/partners/:id/payout-accounts")
  .setPath(ofPartner)
  .setPayload(Domain.Propose)
  .addSuccess(Created, { status: 201 })
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "propose payout account",
      id: "proposePayoutAccount",
      summary: "Propose a payout account",
      description:
        "The first account that a partner ever had is confirmed with its proposal, and every account where the operator demands no confirmation; any other is paid once it is confirmed. One that a partner proposes for itself always waits for a person of the customer, and takes the place of the one of it that waits.",
      request: Example.proposal,
      response: { id: PAYOUT_ACCOUNT },
      refused: "details.iban: is not valid: its form or its check digits are wrong",
    }),
  );

const confirm = HttpApiEndpoint.post("confirm", "/partners/:id/payout-accounts/:account_id/confirm")
  .setPath(ofAccount)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "confirm payout account",
      id: "confirmPayoutAccount",
      summary: "Confirm a payout account",
      description:
        "Payments go to it from then on, and the account before it for the same currency is retired. 409 `four_eyes:` for the person that proposed it where the operator demands another one, and there for the person that invited the partner or created the key that proposed it, `payout_account:` before the hours that it demands have passed.",
      refused: "account_id: must be a UUID",
    }),
  );

const retire = HttpApiEndpoint.post("retire", "/partners/:id/payout-accounts/:account_id/retire")
  .setPath(ofAccount)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "retire payout account",
      id: "retirePayoutAccount",
      summary: "Retire a payout account",
      description:
        "Nothing more is paid to it. A settlement that was approved for it needs another account. A payment that was sent or handed over is not called back.",
      refused: "account_id: must be a UUID",
    }),
  );

/** The operations on payout accounts. */
export const PayoutAccountsGroup = HttpApiGroup.make("payout_accounts")
  .add(read)
  .add(propose)
  .add(confirm)
  .add(retire)
  .annotate(PlatformOpenApi.Title, "Payout accounts")
  .annotate(
    PlatformOpenApi.Description,
    "The accounts to which partners are paid, and who has confirmed them.",
  );
