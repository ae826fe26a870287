/** The errors of failures of the services. */
import { Cause, Option } from "effect";
import { InnermostMessage, type Refusal, type Storage } from "quittance";
import { fieldOf } from "../client/FieldOf.ts";
import {
  ConflictError,
  ForbiddenError,
  InternalError,
  InvalidError,
  NotFoundError,
  type QuittanceError,
  UnavailableError,
} from "../client/QuittanceError.ts";
import { OPAQUE } from "./Input.ts";

const errorFromStorage = ({ reason, cause }: Storage.StorageError): QuittanceError => {
  const message = `the database cannot be used: ${InnermostMessage.innermostMessage(cause)}`;
  return reason === "broken"
    ? new InternalError(message, { cause })
    : new UnavailableError(message, { cause });
};

const fieldIn = ({ field }: Refusal.Invalid | Refusal.Forbidden): string | null =>
  field === null ? null : fieldOf(field, OPAQUE);

/** The error of what a caller wrote, whose names are those of this package already. */
export const errorFromInput = ({ message, field }: Refusal.Invalid): InvalidError =>
  new InvalidError(message, { field });

/** The error of a failure of the services. */
export const errorFromFailure = (failure: Refusal.Refusal | Storage.StorageError): QuittanceError => {
  switch (failure._tag) {
    case "Invalid":
      return new InvalidError(failure.message, { field: fieldIn(failure) });
    case "Forbidden":
      return new ForbiddenError(failure.message, { field: fieldIn(failure) });
    case "Missing":
      return new NotFoundError(failure.message);
    case "Conflict":
      return new ConflictError(failure.token, failure.message);
    case "StorageError":
      return errorFromStorage(failure);
  }
};

/** The error of a cause: the failure itself, else an internal error. */
export const errorFromCause = (
  cause: Cause.Cause<Refusal.Refusal | Storage.StorageError>,
): QuittanceError => {
  const failure = Cause.failureOption(cause);
  if (Option.isSome(failure)) return errorFromFailure(failure.value);
  const defect = Cause.squash(cause);
  return new InternalError(defect instanceof Error ? defect.message : String(defect), { cause: defect });
};
