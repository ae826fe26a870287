/** A name of HTTP as programs write it. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The path of a field in the names of TypeScript. Names in the content of an unchanged field stay as they are. */
export const fieldOf = (path: string, unchanged: ReadonlySet<string>): string => {
  const names = path.split(".");
  const last = names.findIndex((name) => unchanged.has(name));
  return names.map((name, index) => (last >= 0 && index > last ? name : camelCase(name))).join(".");
};
