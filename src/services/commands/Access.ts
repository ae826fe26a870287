/** The checks before every command and query: the input, the principal's scope and grants, the visibility of records. */
import { Effect, Either, Schema } from "effect";
import type { CustomerId, WorkspaceId } from "../../domain/Ids.ts";
import {
  authorize,
  canSee,
  type Operation,
  type Ownership,
  type Principal,
  restrict,
  withinGrants,
} from "../../domain/Principal.ts";
import {
  type Forbidden,
  forbidden,
  fromParseError,
  type Invalid,
  type Missing,
  missing,
  type Refusal,
} from "../../domain/Refusal.ts";
import {
  AllCustomers,
  type Filters,
  type Kind,
  type Records,
  type Rows,
  type StorageError,
  type Tenant,
  type Versioned,
} from "../../ports/Storage.ts";
import * as Checked from "./Checked.ts";

/** Checks an input against its schema, unless it is known to satisfy it; the message names the first offending field. */
export const validate = <A, I>(schema: Schema.Schema<A, I>): ((input: A) => Either.Either<A, Invalid>) => {
  const check = Schema.validateEither(schema);
  return (input) =>
    Checked.isMarked(input, schema) ? Either.right(input) : Either.mapLeft(check(input), fromParseError);
};

/** The customer a principal is bound to; the platform has none and may not write a customer's records. */
export const customerOf = (principal: Principal): Either.Either<CustomerId, Forbidden> =>
  principal.customerId === null
    ? Either.left(forbidden(`A ${principal.kind} credential may not do this`))
    : Either.right(principal.customerId);

/** The customer that the principal is bound to, if it may perform the operation. */
export const authorizeCustomer = (
  principal: Principal,
  operation: Operation,
): Either.Either<CustomerId, Forbidden> =>
  Either.flatMap(authorize(principal, operation), () => customerOf(principal));

/** The filter of the requested partners that a principal sees. */
export const partnersWithin = (
  principal: Principal,
  request: Parameters<typeof restrict>[1],
): Filters["partner"] => {
  const { partnerIds: ids, ...within } = restrict(principal, request);
  return { ...within, ...(ids === undefined ? {} : { ids }) };
};

/**
 * Checks a request in the order of refusals: the principal's scopes, the form of the request, the grants for the ids that
 * `named` returns. Returns the checked request, and the customer that the principal is bound to.
 */
export const authorizeRequest = <Request>(
  principal: Principal,
  operation: Operation,
  checked: Either.Either<Request, Invalid>,
  named: (request: Request) => Parameters<typeof withinGrants>[1] = () => ({}),
): Either.Either<{ readonly customerId: CustomerId; readonly request: Request }, Forbidden | Invalid> =>
  Either.flatMap(authorize(principal, operation), () =>
    Either.flatMap(checked, (request) =>
      Either.flatMap(withinGrants(principal, named(request)), () =>
        Either.map(customerOf(principal), (customerId) => ({ customerId, request })),
      ),
    ),
  );

/** Succeeds when the principal's grant contains the workspace. Every id of a grant is a workspace, whether it has a record or not. */
export const requireWorkspace = (
  { workspaceIds }: Principal,
  id: WorkspaceId,
): Either.Either<WorkspaceId, Missing> =>
  workspaceIds === "*" || workspaceIds.includes(id) ? Either.right(id) : Either.left(missing("workspace"));

/** Whose records a principal's reads may touch. */
export const tenantOf = (principal: Principal): Either.Either<Tenant, Forbidden> =>
  principal.kind === "platform" ? Either.right(AllCustomers) : customerOf(principal);

/** The ownership of a record, by kind; null for kinds that are not read by id. */
const OWNERSHIP: { readonly [Name in Kind]: (row: Rows[Name]) => Ownership | null } = {
  attribution: (row) => row,
  formula: (row) => row,
  commission: (row) => row,
  settlement: (row) => row,
  document: (row) => row,
  partner: (row) => ({ ...row, partnerId: row.id }),
  schema: (row) => ({ ...row, partnerId: null }),
  plan: (row) => ({ ...row, partnerId: null }),
  apiKey: () => null,
  billingProfile: () => null,
  books: () => null,
  recomputation: () => null,
  taxOrigin: (row) => row,
  arrivalOrder: () => null,
  attributionHistory: () => null,
  runningTotal: () => null,
  paymentFile: () => null,
  bankPayment: () => null,
  webhookEndpoint: () => null,
  webhookDelivery: () => null,
  settlementPolicy: (row) => row,
  workspace: (row) => ({ ...row, partnerId: null }),
  planAcceptance: (row) => row,
  partnerLink: (row) => row,
  linkSet: () => null,
  settlementRun: (row) => ({ ...row, partnerId: null }),
  settlementRunResult: (row) => row,
  planTrial: (row) => ({ ...row, partnerId: null }),
  planTrialResult: (row) => row,
  recreditRun: (row) => ({ ...row, partnerId: null }),
  recreditRunResult: (row) => ({ ...row, partnerId: null }),
};

/** The record of an id when the principal sees it, else null. */
export const findVisible = <Name extends Kind>(
  storage: Records,
  principal: Principal,
  kind: Name,
  id: string,
): Effect.Effect<Versioned<Rows[Name]> | null, Forbidden | StorageError> =>
  Effect.gen(function* () {
    const rows = yield* storage.find(yield* tenantOf(principal), kind, [id]);
    const row = rows[0];
    if (row === undefined) return null;
    const owner = OWNERSHIP[kind](row);
    return owner !== null && canSee(principal, owner) ? row : null;
  });

/** The record of an id, or {@link Missing}: absent and foreign records are refused alike. */
export const requireVisible = <Name extends Kind>(
  storage: Records,
  principal: Principal,
  kind: Name,
  id: string,
): Effect.Effect<Versioned<Rows[Name]>, Missing | Forbidden | StorageError> =>
  Effect.flatMap(findVisible(storage, principal, kind, id), (row) =>
    row === null ? Effect.fail(missing(kind)) : Effect.succeed(row),
  );

/** What any method of a service may fail with. */
export type Failure = Refusal | StorageError;
