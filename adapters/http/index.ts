/**
 * The HTTP interface of the engine: the contract served by an application, mounted on a Node server or as a function
 * from web-standard requests to responses.
 */
export { api, openApi } from "./api/index.ts";
export * as Limit from "./api/shared/Limit.ts";
export { type MountOptions, nodeHandler, nodeServer, type ServerOptions, webHandler } from "./Mount.ts";
export { authenticate } from "./server/checks/Guards.ts";
export type { RateLimit } from "./server/checks/RateLimit.ts";
export {
  cookieOf,
  FOREIGN,
  isForeign,
  type SessionCookie,
} from "./server/checks/SessionCookie.ts";
export { make as makeHandle, type Options, type Services } from "./server/HttpApp.ts";
export type { Secrets as PaymentWebhookSecrets } from "./server/public/PaymentWebhook.ts";
export type { PublicRoute } from "./server/public/PublicRoutes.ts";
export type { StaticFile } from "./server/public/StaticFiles.ts";
export type { Handle, Request, Response, Sink } from "./transport/HttpMessage.ts";
export type { Listener } from "./transport/Node.ts";
