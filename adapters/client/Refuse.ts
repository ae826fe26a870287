import { InvalidError } from "./QuittanceError.ts";

/** The error of a field that a caller has written. */
export const refuse = (field: string, problem: string): InvalidError =>
  new InvalidError(`${field}: ${problem}`, { field });
