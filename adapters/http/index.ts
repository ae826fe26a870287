/**
 * The HTTP interface of the engine: the contract served by a thin shell, mounted on a Node server or as a function
 * from web-standard requests to responses.
 */
export { api, openApi } from "./api/index.ts";
export { type Handle, make as makeHandle, type Options, type Services } from "./HttpApp.ts";
export type { Request, Response, Sink } from "./HttpMessage.ts";
export * as Limit from "./Limit.ts";
export { handler as nodeHandler, type ServerOptions, server as nodeServer } from "./Node.ts";
export type { Secrets as PaymentWebhookSecrets } from "./PaymentWebhook.ts";
export type { RateLimit } from "./RateLimit.ts";
export { handler as webHandler } from "./Web.ts";
