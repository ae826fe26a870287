/**
 * Services as promises. The type of a service decides which methods there are and what they take; nothing is written a
 * second time. A method loses its first argument, the principal, which belongs to the caller, and takes {@link CallOptions}
 * in place of the options of commands.
 */
import { Effect } from "effect";
import type { Listing, Pipeline, Principal } from "quittance";
import * as Pages from "../client/Pages.ts";
import { InvalidError, NotFoundError } from "../client/QuittanceError.ts";
import type { Call } from "./Call.ts";
import * as Input from "./Input.ts";
import * as Parameters from "./Parameters.ts";

/** What every call takes in addition to its input. */
export interface CallOptions {
  /** Stops waiting, and what has not been stored yet. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** 1 to 255 visible ASCII characters: a repeated command returns the first result, without a second effect. */
  readonly idempotencyKey?: string | undefined;
}

const CALL_OPTIONS: ReadonlySet<string> = new Set(["signal", "idempotencyKey"]);

/** True if a type is that of the options of commands. */
type IsOptions<Argument> =
  NonNullable<Argument> extends Pipeline.CommandOptions
    ? "idempotency" extends keyof NonNullable<Argument>
      ? true
      : false
    : false;

/** What a caller need not state: its own customer. */
type Own<Argument> = Argument extends { readonly customerId: infer Id }
  ? Omit<Argument, "customerId"> & { readonly customerId?: Id }
  : Argument;

/** The same arguments under their names: a mapped type keeps the labels of a tuple. */
type Inputs<Arguments extends ReadonlyArray<unknown>> = {
  [Index in keyof Arguments]: IsOptions<Arguments[Index]> extends true
    ? CallOptions
    : Own<Input.Input<Arguments[Index]>>;
};

type HasOptions<Arguments extends ReadonlyArray<unknown>> = true extends {
  [Index in keyof Arguments]-?: IsOptions<Arguments[Index]>;
}[number]
  ? true
  : false;

/** The parameters of a method: those of the service, and the options of a call last. */
type Taken<Arguments extends ReadonlyArray<unknown>> = number extends Arguments["length"]
  ? [options?: CallOptions]
  : HasOptions<Arguments> extends true
    ? Inputs<Arguments>
    : [...Inputs<Arguments>, options?: CallOptions];

/** A method of a service as a host without Effect calls it. */
type Method<Value> = Value extends (
  principal: Principal.Principal,
  ...rest: infer Arguments
) => Effect.Effect<infer Result, infer _Failure, never>
  ? (...rest: Taken<Arguments>) => Promise<Input.Plain<Result>>
  : never;

/** Methods for hosts with Effect and for the HTTP interface; what they are for has another form here. */
type Hidden =
  | "listInParts"
  | "exportLines"
  | "exportResults"
  | "statementStream"
  | "journalStream"
  | "payablesStream"
  | "simulateAs";
const HIDDEN: ReadonlySet<string> = new Set([
  "listInParts",
  "exportLines",
  "exportResults",
  "statementStream",
  "journalStream",
  "payablesStream",
  "simulateAs",
] satisfies ReadonlyArray<Hidden>);

type Methods<Service> = {
  readonly [Name in keyof Service as Method<Service[Name]> extends never
    ? never
    : Exclude<Name, Hidden>]: Method<Service[Name]>;
};

type ItemOf<List> = List extends (
  ...rest: ReadonlyArray<never>
) => Effect.Effect<Listing.Listing<infer Item>, infer _Failure>
  ? Input.Plain<Item>
  : never;
type FiltersOf<List> = List extends (principal: Principal.Principal, filters?: infer Filters) => unknown
  ? Input.Input<Omit<NonNullable<Filters>, keyof Listing.Paging>>
  : never;

/** What every list offers in addition to its pages. */
interface Lists<List> {
  /** Every match, oldest first. It reads pages of 100 as the loop continues, and shows each record once. */
  readonly all: (
    filters?: FiltersOf<List>,
    options?: Pick<CallOptions, "signal">,
  ) => AsyncGenerator<ItemOf<List>, void>;
}

/** A list that is read by a cursor. */
type Cursor<Item> = { readonly items: ReadonlyArray<Item>; readonly nextCursor: string };

/** What a list that is read by a cursor offers in addition to its pages. */
interface Follows<Item, Filters> {
  /** Every record after the cursor of the filters, in the list's order. It reads pages as the loop continues. */
  readonly all: (
    filters?: Input.Input<Filters>,
    options?: Pick<CallOptions, "signal">,
  ) => AsyncGenerator<Input.Plain<Item>, void>;
}

interface ById<List> {
  /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
  readonly get: (id: string, options?: Pick<CallOptions, "signal">) => Promise<ItemOf<List>>;
}

/** A service as a host without Effect calls it. */
export type Derived<Service> = Methods<Service> &
  (Service extends {
    readonly list: (
      principal: Principal.Principal,
      filters?: infer Filters,
    ) => Effect.Effect<Cursor<infer Item>, infer _Failure>;
  }
    ? Follows<Item, NonNullable<Filters>>
    : Service extends { readonly list: infer List }
      ? Lists<List> & ("ids" extends keyof FiltersOf<List> ? ById<List> : unknown)
      : unknown);

const inOneCase = (key: string): string => key.replace(/[-_]/g, "").toLowerCase();
const CALL_OPTIONS_IN_ONE_CASE: ReadonlySet<string> = new Set([...CALL_OPTIONS].map(inOneCase));

/** Also written in another case, or in two words: a key that is not taken would let a repeated command act twice. */
const looksLikeCallOption = (key: string): boolean => CALL_OPTIONS_IN_ONE_CASE.has(inOneCase(key));

/** The call options among the arguments; throws where one is misspelt or there is something else in addition to them. */
const callOptionsOf = (last: unknown): CallOptions | null => {
  if (typeof last !== "object" || last === null) return null;
  const keys = Object.keys(last);
  if (!keys.some(looksLikeCallOption)) return null;
  const field = keys.find((key) => !CALL_OPTIONS.has(key));
  if (field === undefined) return last;
  throw new InvalidError(`${field}: is no option of a call; there are ${[...CALL_OPTIONS].join(" and ")}`, {
    field,
  });
};

type ServiceMethod = (
  principal: Principal.Principal,
  ...rest: ReadonlyArray<unknown>
) => Effect.Effect<unknown, Parameters<Call>[1] extends Effect.Effect<unknown, infer E> ? E : never>;

/** How a list is read: by a cursor, by pages, or by pages and by the ids of records, so that it has a `get`. */
export type Reading = "cursor" | "pages" | "ids";

/** What is derived for one caller of one service. */
interface ServiceForCaller {
  readonly name: string;
  readonly service: object;
  readonly principal: Principal.Principal;
  /** Methods whose input names the customer, which is the caller's unless stated. */
  readonly namingCustomer: ReadonlyArray<string>;
  readonly reading: Reading;
  readonly call: Call;
}

const methodOf = (
  { name, principal, namingCustomer, call }: ServiceForCaller,
  method: string,
  run: ServiceMethod,
) => {
  const { customerId } = principal;
  const check = Parameters.checkerOf(name, method);
  return async (...rest: ReadonlyArray<unknown>): Promise<unknown> => {
    const last = rest.at(-1);
    const options = callOptionsOf(last);
    const args = options === null ? rest : rest.slice(0, -1);
    check(args);
    const inputs = args.map((input) => Input.normalizeInput(input));
    const [first] = inputs;
    if (namingCustomer.includes(method) && typeof first === "object") inputs[0] = { customerId, ...first };
    return await call(
      { ...options, request: [`${name}.${method}`, ...inputs] },
      Effect.suspend(() => run(principal, ...inputs)),
    );
  };
};

/** The methods of a list besides reading one page. */
const listMethods = ({ name, reading }: ServiceForCaller, page: Pages.List): Record<string, unknown> => {
  const check = Parameters.checkerOf(name, "all");
  const all = async function* (filters: object = {}, options: CallOptions = {}) {
    check([filters]);
    yield* reading === "cursor"
      ? Pages.allAfter(page as unknown as Pages.CursorList<unknown>, filters, options)
      : Pages.all(page, filters, options);
  };
  if (reading !== "ids") return { all };
  const get = async (id: string, options: CallOptions = {}) => {
    const { items } = await page({ ids: [id] }, options);
    if (items[0] === undefined) throw new NotFoundError(`${name}: no record has the id ${id}`);
    return items[0];
  };
  return { all, get };
};

/** The methods of a service for one caller. Every method of a service that takes a principal takes it first. */
export const derive = <Service extends object>(
  bound: ServiceForCaller & { readonly service: Service },
): Derived<Service> => {
  const methods: Record<string, unknown> = {};
  for (const [method, value] of Object.entries(bound.service)) {
    if (typeof value === "function" && !HIDDEN.has(method)) {
      methods[method] = methodOf(bound, method, value as ServiceMethod);
    }
  }
  if (typeof methods.list === "function")
    Object.assign(methods, listMethods(bound, methods.list as Pages.List));
  return methods as Derived<Service>;
};
