/** Signed requests to addresses that users of the engine chose: webhook endpoints, and an operator's own payment service. */
export { isPublic } from "./PublicAddress.ts";
export {
  DEFAULT_LIMITS,
  type Limits,
  type Outgoing,
  RequestFailed,
  type Resolve,
  type Response,
  sender,
} from "./Request.ts";
export { type Signed, signatureHeaders } from "./StandardWebhook.ts";
export { refusalOf } from "./UrlCheck.ts";
