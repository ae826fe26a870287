/** Where the client has the method of an operation, and how it calls it. */
import { camelCase } from "./ClientTypes.ts";

/** Methods that the services of `quittance/promise` name otherwise than the contract. */
const NAMES: Readonly<Record<string, string>> = {
  stats: "statistics",
  explanation: "explain",
  attachment: "download_attachment",
};

/** The name of an operation's method. */
export const methodNameOf = (name: string): string => camelCase(NAMES[name] ?? name);

const WITHOUT_KIND: ReadonlySet<string> = new Set(["attach", "downloadAttachment"]);

/** The kind of a settlement's document that a method uploads or downloads, by its path; null where it takes none. */
export const kindOf = (name: string, path: string, isFile: boolean): string | null => {
  const [, kind] = /^\/settlements\/\{id\}\/([\w-]+)$/.exec(path) ?? [];
  return kind !== undefined && isFile && !WITHOUT_KIND.has(name) ? kind.replaceAll("-", "_") : null;
};

interface Placed {
  readonly group: string;
  readonly name: string;
  readonly kind: string | null;
  readonly input: string | null;
}

/** The place of a method: documents of settlements are a service of their own. */
export const placeOf = ({ group, name, kind, input }: Placed): readonly [group: string, name: string] => {
  if (WITHOUT_KIND.has(name)) return ["documents", name];
  return kind === null ? [camelCase(group), name] : ["documents", input === "form" ? "upload" : "download"];
};
