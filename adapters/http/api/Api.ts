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
} from "./Failure.ts";
import { downgrade } from "./OpenApi.ts";
import { Partners } from "./Partners.ts";
import { Settlements } from "./Settlements.ts";

/** Every operation takes a bearer credential: an API key, or a token the host knows how to verify. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()(
  "quittance/http/api/Authorization",
  {
    failure: Unauthorized,
    security: { bearer: HttpApiSecurity.bearer },
  },
) {}

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
      description:
        "Credits business events to partners, computes what each earns, and carries the money through settlement.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      transform: downgrade,
    }),
  );
