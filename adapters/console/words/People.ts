/** People as the team reads of them. */
import type { ApiKey } from "../api/Records.ts";
import { t } from "./Language.ts";

/** What people and keys are called, by the person that entries state. */
export type Names = ReadonlyMap<string, string>;

/** The names of people by their sessions, and of keys without a person by themselves. */
export const namesOf = (keys: ReadonlyArray<Pick<ApiKey, "id" | "person" | "name" | "use">>): Names =>
  new Map(
    keys.flatMap(({ id, person, name, use }): ReadonlyArray<readonly [string, string]> => {
      if (name === null || use === "invitation") return [];
      return use === "session" ? [[person, name]] : [[id, `the key “${name}”`]];
    }),
  );

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Who has acted. */
export const whoWords = (person: string, names: Names): string => {
  if (person.startsWith("system:")) return t("the server");
  if (person.startsWith("partner:")) return t("the partner");
  if (person === "platform:sign-in") return "signing in";
  if (person.startsWith("platform:")) return "the operator of the server";
  return (
    names.get(person) ?? (KEY.test(person) ? `the key ${person.slice(0, 8)}` : person.replace(/^jwt:/, ""))
  );
};
