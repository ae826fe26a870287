/** Messages of errors. This imports nothing, since the command line loads it before anything else. */

/** The message of the innermost cause of an error that has one; of any other value its text. */
export const innermostMessage = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  // A name with several addresses fails once for each; the error around them has no message.
  const inner: unknown = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  return (inner instanceof Error && innermostMessage(inner)) || cause.message;
};
