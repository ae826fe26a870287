/** The contract of the service as one value: server, typed clients and the OpenAPI document are derived from it. */
import * as HttpApi from "@effect/platform/HttpApi";
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware";
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { ApiKeys } from "./ApiKeys.ts";
import { AttributionSchemas } from "./AttributionSchemas.ts";
import { Attributions } from "./Attributions.ts";
import { BillingProfiles } from "./BillingProfiles.ts";
import { CommissionFormulas } from "./CommissionFormulas.ts";
import { CommissionPlans } from "./CommissionPlans.ts";
import { Commissions } from "./Commissions.ts";
import { Erasures } from "./Erasures.ts";
import { Events } from "./Events.ts";
import { JournalGroup } from "./Journal.ts";
import { downgrade } from "./openapi/OpenApi.ts";
import { PartnerLinks } from "./PartnerLinks.ts";
import { Partners } from "./Partners.ts";
import { PaymentFiles } from "./PaymentFiles.ts";
import { PayoutAccountsGroup } from "./PayoutAccounts.ts";
import { Periods } from "./Periods.ts";
import { PlanTrials } from "./PlanTrials.ts";
import { PostingRules } from "./PostingRules.ts";
import { Recredits } from "./Recredits.ts";
import { SettlementPolicies } from "./SettlementPolicies.ts";
import { SettlementRuns } from "./SettlementRuns.ts";
import { Settlements } from "./Settlements.ts";
import {
  BadRequest,
  Forbidden,
  HeadersTooLarge,
  InternalError,
  RequestTimeout,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UriTooLong,
} from "./shared/Failure.ts";
import { WebhookEndpoints } from "./WebhookEndpoints.ts";
import { Workspaces } from "./Workspaces.ts";

/** Every operation takes a bearer credential: an API key, or a token that the host can verify. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()(
  "quittance/http/api/Authorization",
  {
    failure: Unauthorized,
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          PlatformOpenApi.Description,
          "An API key, or a token that the server can verify.",
        ),
      ),
    },
  },
) {}

const DESCRIPTION = `Records business events (attributions) of partners, computes a commission for each, and settles and pays commissions.

To begin: create a partner, an attribution schema and a commission formula, create an attribution, and list its
commission. Create a settlement of commissions, approve it, and mark it as paid.

- **Ids** are UUIDs. **Date-times** are RFC 3339 with an offset or Z; responses use UTC. **Amounts** are integers in the
  smallest unit of their currency.
- **Lists** have pages of at most 100 records, oldest first by default, and an exact \`total\`. A record matches all given
  filters. An unknown parameter is an error.
- **Errors** all have \`error_code\` and \`message\`. A conflict has a stable \`token\` for programs to branch on, such as
  \`settlement_state\`, and an error about one field has its path as \`field\`; the message begins with either and a colon.
- **Retries**: every command accepts an \`Idempotency-Key\`, which makes a retry safe.
- **Version** 1.0.0 is the version of this interface, \`/api/v1\`. The server has a separate version.
- **Extensions** are operations beyond the published interface.`;

/** Every operation of the service, under `/api/v1`. */
export const api = HttpApi.make("quittance")
  .add(Attributions)
  .add(Recredits)
  .add(AttributionSchemas)
  .add(Partners)
  .add(PayoutAccountsGroup)
  .add(PartnerLinks)
  .add(CommissionFormulas)
  .add(CommissionPlans)
  .add(PlanTrials)
  .add(Commissions)
  .add(Settlements)
  .add(SettlementPolicies)
  .add(SettlementRuns)
  .add(ApiKeys)
  .add(BillingProfiles)
  .add(Events)
  .add(JournalGroup)
  .add(PostingRules)
  .add(Periods)
  .add(Erasures)
  .add(WebhookEndpoints)
  .add(PaymentFiles)
  .add(Workspaces)
  .addError(BadRequest)
  .addError(Forbidden)
  .addError(RequestTimeout)
  .addError(UriTooLong)
  .addError(TooManyRequests)
  .addError(HeadersTooLarge)
  .addError(InternalError)
  .addError(Unavailable)
  .prefix("/api/v1")
  .middleware(Authorization)
  .annotateContext(
    PlatformOpenApi.annotations({
      title: "Quittance",
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      transform: downgrade,
    }),
  );
