/** The invariant of replaced attributions. */
import type { Listed } from "../../ports/Storage.ts";
import type { Invariant } from "./Invariant.ts";

type Attribution = Listed["attribution"];

/** What is wrong with an attribution and the one that it replaces, in words; null when nothing is. */
const problemOf = (replaced: Attribution | undefined, { id, ...one }: Attribution): string | null => {
  if (replaced === undefined) return "replaces one that does not exist";
  if (replaced.replacedBy !== id) return "replaces one that does not name it";
  if (replaced.status !== "cancelled") return "replaces one that is confirmed";
  if (replaced.externalReference !== null) return "replaces one that has kept its external reference";
  return replaced.workspaceId === one.workspaceId &&
    replaced.schemaId === one.schemaId &&
    replaced.createdAt <= one.createdAt
    ? null
    : "replaces one of another workspace or schema, or a later one";
};

const chains: Invariant = {
  name: "S9",
  statement:
    "An attribution names the one that replaces it exactly where that one names it. The replaced one is cancelled, has no external reference, and was recorded earlier, in the same workspace and schema.",
  *violations({ attributions }) {
    const byId = new Map(attributions.map(({ row }) => [row.id, row]));
    for (const { row } of attributions) {
      const problem = row.replaces === null ? null : problemOf(byId.get(row.replaces), row);
      if (problem !== null) yield `attribution ${row.id} ${problem}`;
      if (row.replacedBy !== null && byId.get(row.replacedBy)?.replaces !== row.id)
        yield `attribution ${row.id} is replaced by one that does not name it`;
    }
  },
};

/** The invariants about replaced attributions. */
export const chainsOfSales: ReadonlyArray<Invariant> = [chains];
