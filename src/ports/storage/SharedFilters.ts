/** Filters that lists of several kinds share. */
import type { Schema } from "effect";
import { Currency } from "../../domain/Currency.ts";
import { CustomerId, PartnerId, WorkspaceId } from "../../domain/Ids.ts";
import { NAME_MAX } from "../../domain/Limits.ts";
import { Text } from "../../domain/Text.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import { contains, from, oneOf, to } from "./Filter.ts";

export const ids = <Id extends string>(schema: Schema.Schema<Id, string>) =>
  oneOf(schema, ({ id }: { readonly id: Id }) => id, "The ids of the records.");

export const customerIds = oneOf(
  CustomerId,
  (row: { readonly customerId: CustomerId }) => row.customerId,
  "The customers of the records; for platform credentials.",
);

export const workspaceIds = oneOf(
  WorkspaceId,
  (row: { readonly workspaceId: WorkspaceId }) => row.workspaceId,
  "The workspaces of the records.",
);

export const PARTNERS = "The partners of the records.";
export const partnerIds = oneOf(
  PartnerId,
  (row: { readonly partnerId: PartnerId }) => row.partnerId,
  PARTNERS,
);

export const currencies = oneOf(
  Currency,
  (row: { readonly currency: Currency }) => row.currency,
  "The currencies of the records, ISO 4217 codes in capitals.",
);

export const STATUSES = "The statuses of the records.";

export const name = contains(
  Text(0, NAME_MAX),
  (row: { readonly name: string }) => row.name,
  "A part of the name, in any letter case.",
);

/** By the date that an attribution, or the attribution of a commission, counts for. */
export const occurrence = {
  occurredFrom: from(
    (row: { readonly occurredAt: Timestamp }) => row.occurredAt,
    "Inclusive: attributions that occurred at this moment or later.",
  ),
  occurredTo: to(
    (row: { readonly occurredAt: Timestamp }) => row.occurredAt,
    "Exclusive: attributions that occurred before this moment.",
  ),
};
