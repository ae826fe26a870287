/** The response to each way a request can end, and what the log records beyond it. */
import { Cause, Exit, Option } from "effect";
import * as Failure from "../transport/Failure.ts";
import type { Response } from "../transport/HttpMessage.ts";

/** The response to an outcome, and the cause or timeout that the log must record in addition to the response. */
export const outcomeOf = (
  exit: Exit.Exit<Response, Failure.Failure>,
): { readonly response: Response; readonly unforeseen?: Cause.Cause<Failure.Failure> | "timed out" } => {
  if (Exit.isSuccess(exit)) return { response: exit.value };
  const { cause } = exit;
  const failure = Option.getOrNull(Cause.failureOption(cause));
  if (failure !== null) {
    const response = Failure.respond(failure);
    return failure._tag === "StorageError" && failure.isLogged !== true
      ? { response, unforeseen: cause }
      : { response };
  }
  return Cause.isInterruptedOnly(cause)
    ? { response: Failure.unavailable, unforeseen: "timed out" }
    : { response: Failure.unexpected, unforeseen: cause };
};

export const statusOf = (exit: Exit.Exit<Response, Failure.Failure>): number =>
  outcomeOf(exit).response.status;
