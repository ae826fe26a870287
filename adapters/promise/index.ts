/**
 * The engine for hosts without Effect: async methods, plain values, errors as classes. Methods and types are derived from
 * the services of `quittance`, whose rules are the same.
 */
import { Context, Effect, Exit, ManagedRuntime } from "effect";
import { Payments, type Settlement, Storage, Worker } from "quittance";
import { InternalError } from "../client/QuittanceError.ts";
import { type WaitOptions, waitFor } from "../client/WaitFor.ts";
import * as Call from "./Call.ts";
import { type Caller, principalOf } from "./Caller.ts";
import * as DeadLetters from "./DeadLetters.ts";
import * as Engine from "./Engine.ts";
import { errorFromCause } from "./Failure.ts";
import type { Input } from "./Input.ts";
import { checkHandlerOptions, checkOptions, type HandlerOptions, type Options } from "./Options.ts";
import { type Derivation, deriveAll, deriveForOperator } from "./Services.ts";

export type { Expression } from "quittance/formula";
export * from "../client/QuittanceError.ts";
export type { WaitOptions } from "../client/WaitFor.ts";
export type { Caller } from "./Caller.ts";
export type { DeadLetter } from "./DeadLetters.ts";
export type { CallOptions } from "./Derived.ts";
export type { Moment } from "./Input.ts";
export {
  type HandlerOptions,
  type MailSender,
  type Options,
  type PaymentOrder,
  type PaymentServiceUrl,
  PayoutRefused,
  type Payouts,
  type SepaFiles,
} from "./Options.ts";

interface Waiting {
  /** The settlement once it is in one of the states; rejects with `TimeoutError` after the time limit. */
  readonly waitFor: (
    id: string,
    states: ReadonlyArray<Settlement.StatusType>,
    options?: WaitOptions,
  ) => ReturnType<Derivation["settlements"]["get"]>;
}

/** The services of one caller. */
export type Services = Omit<Derivation, "settlements"> & {
  readonly settlements: Derivation["settlements"] & Waiting;
};

/**
 * The engine over one store. Every promise on the way to the caller is awaited, also where it is returned: the stack of an
 * error continues in what awaits, so that it names the caller's line.
 */
const connect = async (options: Options) => {
  const runtime = ManagedRuntime.make(await Engine.make(checkOptions(options)));
  const runtimeExit = await runtime.runtimeEffect.pipe(Effect.runPromiseExit);
  if (Exit.isFailure(runtimeExit)) {
    await runtime.dispose();
    throw errorFromCause(runtimeExit.cause);
  }
  const { context } = runtimeExit.value;
  let isClosed = false;
  const run = Call.make(runtimeExit.value);
  const call: Call.Call = async (callOptions, effect) => {
    if (isClosed) throw new InternalError("the engine is closed");
    return await run(callOptions, effect);
  };
  const worker = Context.get(context, Worker.Worker);
  const payments = Context.get(context, Payments.Payments);
  const http = async (handlerOptions: HandlerOptions) => {
    checkHandlerOptions(handlerOptions);
    const ready = Context.get(context, Storage.Storage).ready;
    return {
      api: await import("quittance/http"),
      options: { ready, measure: worker.measure, ...handlerOptions },
    };
  };
  const close = (): Promise<void> => {
    isClosed = true;
    return runtime.dispose();
  };
  return {
    /** The services for a caller that the host has checked. Throws when the caller's fields are not valid. */
    as: (caller: Caller): Services => {
      const derived = deriveAll(context, principalOf(caller), call);
      const waiting: Waiting = {
        waitFor: async (id, states, waitOptions) =>
          await waitFor((signal) => derived.settlements.get(id, signal), states, waitOptions),
      };
      return { ...derived, settlements: { ...derived.settlements, ...waiting } };
    },
    /** Processes due documents, payments and recomputations until none is left; resolves to their number. */
    drain: async (signal: Call.Signal = {}): Promise<number> =>
      await call({ ...Call.OPERATOR, ...signal }, worker.drain),
    /** Starts the settlement runs whose period has started, as a worker does by itself; `drain` performs them. */
    startDueRuns: async (signal: Call.Signal = {}): Promise<void> =>
      await call({ ...Call.OPERATOR, ...signal }, Effect.asVoid(worker.startDueRuns)),
    /** Records an event of a payment from a provider or the bank; the same event again has no second effect. */
    recordPaymentEvent: async (
      event: Input<Payments.PaymentEvent>,
      signal: Call.Signal = {},
    ): Promise<{ readonly replayed: boolean }> =>
      await call(
        { ...Call.OPERATOR, ...signal },
        payments.recordPaymentEvent(event as Payments.PaymentEvent),
      ),
    /** Work that failed, for operators; it spans customers. */
    deadLetters: DeadLetters.make(runtimeExit.value, call),
    /** Erasing personal data, for operators; it spans customers. */
    ...deriveForOperator(context, call),
    /** The HTTP interface as a function from request to response, for paths below `/api/v1/`. */
    handler: async (
      handlerOptions: HandlerOptions = {},
    ): Promise<(request: Request) => Promise<Response>> => {
      const { api, options } = await http(handlerOptions);
      return api.webHandler(runtimeExit.value, options);
    },
    /** The HTTP interface as a listener of Node's server, and so for Express and Fastify. */
    nodeHandler: async (handlerOptions: HandlerOptions = {}) => {
      const { api, options } = await http(handlerOptions);
      return api.nodeHandler(runtimeExit.value, options);
    },
    /** Ends the background work and closes the store. */
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** The engine over one store. */
export type Quittance = Awaited<ReturnType<typeof connect>>;

/**
 * Opens the engine. Rejects with an `InvalidError` when an option is wrong, and with an `UnavailableError` or
 * `InternalError` when the database cannot be used.
 */
export const open = async (options: Options): Promise<Quittance> => await connect(options);
