/** The operations on settlements, but for their documents. */
import { Effect } from "effect";
import type { Settlements } from "quittance";
import { aroundPreviewLines, line } from "../wire/Settlement.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";
import type { DocumentOperation } from "./SettlementDocuments.ts";
import * as SettlementPage from "./SettlementPage.ts";

/** The handlers of the operations of this group; each calls its service. */
export const settlements = (
  service: Settlements.Settlements,
): Omit<Handlers["settlements"], DocumentOperation> => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.listInParts(principal, query), (rows) => SettlementPage.page(rows)),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Responses.createdRecord),
  preview: ({ principal, payload }) =>
    Effect.flatMap(service.preview(principal, payload), (preview) => {
      const [open, close] = aroundPreviewLines(preview);
      return Responses.listOfItems(open, preview.lines, line, close);
    }),
  approve: ({ principal, path, options }) =>
    Effect.map(service.approve(principal, path.id, options), Responses.emptyBody),
  review: ({ principal, path, payload, options }) =>
    Effect.map(service.review(principal, path.id, payload, options), Responses.emptyBody),
  cancel: ({ principal, path, options }) =>
    Effect.map(service.cancel(principal, path.id, options), Responses.emptyBody),
  write_off: ({ principal, path, options }) =>
    Effect.map(service.writeOff(principal, path.id, options), Responses.emptyBody),
  mark_as_paid: ({ principal, path, payload, options }) =>
    Effect.map(service.markAsPaid(principal, path.id, payload, options), Responses.emptyBody),
  dispute: ({ principal, path, payload, options }) =>
    Effect.map(service.dispute(principal, path.id, payload, options), Responses.emptyBody),
  resolve_dispute: ({ principal, path, payload, options }) =>
    Effect.map(service.resolveDispute(principal, path.id, payload, options), Responses.emptyBody),
  initiate_payment: ({ principal, path, options }) =>
    Effect.map(service.initiatePayment(principal, path.id, options), Responses.emptyBody),
  fail_payment: ({ principal, path, payload, options }) =>
    Effect.map(service.failPayment(principal, path.id, payload, options), Responses.emptyBody),
  return_payment: ({ principal, path, payload, options }) =>
    Effect.map(service.returnPayment(principal, path.id, payload, options), Responses.emptyBody),
  reconcile: ({ principal, path, payload, options }) =>
    Effect.map(service.reconcile(principal, path.id, payload, options), Responses.emptyBody),
});
