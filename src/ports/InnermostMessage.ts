/** The message of the innermost cause of an error; of any other value its text. */
export const innermostMessage = (cause: unknown): string => {
  let inner = cause;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? inner.message : String(inner);
};
