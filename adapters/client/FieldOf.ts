/** The path of the field that a message begins with, in the names of TypeScript; null if it begins with none. */
export const fieldOf = (message: string): string | null => {
  const [, path] = /^([A-Za-z][\w.]*): /.exec(message) ?? [];
  return path?.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) ?? null;
};
