/** The partners of a target, against which the rows of a file are checked. */
import { Effect, Either } from "effect";
import type { CommandFailed } from "../CommandFailed.ts";
import { refusal, type Target } from "../Target.ts";

const PAGE = 100;

/** Reads a list page by page. */
export const forEachPage = <Item>(
  target: Target,
  { path, field, filters = "" }: { readonly path: string; readonly field: string; readonly filters?: string },
  use: (items: ReadonlyArray<Item>) => Effect.Effect<void, CommandFailed>,
): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    for (let page = 1; ; page++) {
      const reply = yield* target.request("GET", `${path}?page=${page}&per_page=${PAGE}${filters}`);
      if (reply.status !== 200) return yield* refusal(reply, `${path} cannot be read`);
      const found = (reply.body as Readonly<Record<string, ReadonlyArray<Item>>>)[field] ?? [];
      yield* use(found);
      if (found.length < PAGE) return;
    }
  });

/** Reads every page of a list. */
export const listAll = <Item>(
  target: Target,
  path: string,
  field: string,
  filters = "",
): Effect.Effect<ReadonlyArray<Item>, CommandFailed> =>
  Effect.gen(function* () {
    const items: Array<Item> = [];
    yield* forEachPage<Item>(target, { path, field, filters }, (found) =>
      Effect.sync(() => void items.push(...found)),
    );
    return items;
  });

interface PartnerRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly view?: { readonly name?: string };
  readonly name?: string;
}

/** Partners by id, and by workspace and name, with an empty id for a name that several have. */
export interface KnownPartners {
  readonly ids: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, string>;
}

const AMBIGUOUS = "";

const nameKey = (workspaceId: string, name: string): string => `${workspaceId} ${name.normalize("NFC")}`;

/** Loads the partners of a target. */
export const loadPartners = (target: Target): Effect.Effect<KnownPartners, CommandFailed> =>
  Effect.map(listAll<PartnerRecord>(target, "partners", "partners"), (partners) => {
    const byName = new Map<string, string>();
    for (const { id, workspace_id, name, view } of partners) {
      const key = nameKey(workspace_id, name ?? view?.name ?? "");
      byName.set(key, byName.has(key) ? AMBIGUOUS : id);
    }
    return { ids: new Set(partners.map(({ id }) => id)), byName };
  });

/** The id of the partner of a workspace with a name, or the line that says why there is none. */
export const partnerNamed = (
  { byName }: KnownPartners,
  workspaceId: string,
  name: string,
): Either.Either<string, string> => {
  const id = byName.get(nameKey(workspaceId, name));
  if (id === AMBIGUOUS) return Either.left(`several partners of the workspace are named "${name}"`);
  return id === undefined ? Either.left(`no partner of the workspace is named "${name}"`) : Either.right(id);
};

/** The id of a partner as the target has it, or the line that says that there is none. */
export const partnerWithId = ({ ids }: KnownPartners, text: string): Either.Either<string, string> => {
  const id = text.toLowerCase();
  return ids.has(id) ? Either.right(id) : Either.left(`there is no partner "${text}"`);
};
