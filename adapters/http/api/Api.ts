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
import { Commissions } from "./Commissions.ts";
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
import { downgrade } from "./openapi/OpenApi.ts";
import { Partners } from "./Partners.ts";
import { Settlements } from "./Settlements.ts";

/** Every operation takes a bearer credential: an API key, or a token the host knows how to verify. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()(
  "quittance/http/api/Authorization",
  {
    failure: Unauthorized,
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          PlatformOpenApi.Description,
          "An API key, or a token that the server knows how to verify.",
        ),
      ),
    },
  },
) {}

const DESCRIPTION = `Credits business events to partners, computes what each earns, and carries the money through settlement.

A first walk: make a partner and an attribution schema, state a commission formula, credit an event, and list the
commission that arose. Draft a settlement from commissions, approve it, and follow it to the payment.

- **Ids** are UUIDs; **date-times** RFC 3339 with an offset or Z, answered in UTC. **Amounts** are integers in the
  smallest unit of their currency.
- **Lists** come in pages, oldest first, with an exact \`total\`. Filters combine; a parameter that is not known is
  refused.
- **Failures** all have one shape, \`{ error_code, message }\`. The message of a conflict begins with a stable word and a
  colon, such as \`settlement_state:\`, to branch on.
- **Repeating**: every command takes an \`Idempotency-Key\`, which makes a retry safe.
- **Version** 1.0.0 is the version of this interface, which \`/api/v1\` stands for; the program has versions of its own.
- **Extensions** are operations beyond the published interface.`;

/** Every operation of the service, under `/api/v1`. */
export const api = HttpApi.make("quittance")
  .add(Attributions)
  .add(AttributionSchemas)
  .add(Partners)
  .add(CommissionFormulas)
  .add(Commissions)
  .add(Settlements)
  .add(ApiKeys)
  .add(BillingProfiles)
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
