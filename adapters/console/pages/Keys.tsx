/** API keys: list, create, revoke. */
import { useState } from "preact/hooks";
import type { Commands } from "../api/Client.ts";
import type { ApiKey, Principal } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { go, linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { dayEnd } from "../format/Dates.ts";
import { portalKey } from "../partners/PortalAccess.tsx";
import { Export, exportOnly } from "../parts/AllRows.tsx";
import { Badge, Empty, Field, Heading, ReadAt, When } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { ChipRow } from "../parts/Filters.tsx";
import { Secret } from "../parts/Forms.tsx";
import { useRecords } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import type { Column } from "../parts/Table.tsx";
import { KINDS } from "../words/Kinds.ts";

const PER_PAGE = 50;

/** The purposes of a key, each with the scopes that it needs. */
const ROLES: ReadonlyArray<readonly [name: string, words: string, allows: (scope: string) => boolean]> = [
  ["read", "Read everything", (scope) => scope.endsWith(":read")],
  [
    "finance",
    "Settle and pay: read everything, draft, approve and confirm payments",
    (scope) => scope.endsWith(":read") || scope.startsWith("settlements:"),
  ],
  [
    "prepare",
    "Prepare settlements: read everything and draft, without approving or paying",
    (scope) => scope.endsWith(":read") || scope === "settlements:write",
  ],
  ["send", "Send sales: write attributions only", (scope) => scope === "attributions:write"],
  ["all", "Everything this key may do, except keys", (scope) => scope !== "keys:admin"],
  ["admin", "Everything this key may do", () => true],
];

const stateOf = ({ revokedAt, expiresAt }: ApiKey): readonly ["done" | "stopped" | "waiting", string] =>
  revokedAt !== null
    ? ["stopped", "Revoked"]
    : expiresAt !== null && Date.parse(expiresAt) < Date.now()
      ? ["stopped", "Expired"]
      : ["done", "Valid"];

const NewKey = ({
  close,
  showKey,
}: {
  readonly close: () => void;
  readonly showKey: (key: string) => void;
}) => {
  const { client, principal } = useSession();
  const [kind, setKind] = useState("customer");
  const [search, setSearch] = useState("");
  const partners = useLoad(
    `partners/${search}`,
    async (signal) => (await client.list("partners", { name: search, perPage: 20 }, signal)).items,
    true,
  );
  const run = (commands: Commands, fields: FormData) => {
    const allows = ROLES.find(([name]) => name === fields.get("role"))?.[2] ?? (() => false);
    const scopes = principal.scopes.filter(allows);
    const day = String(fields.get("expiresAt") ?? "");
    const name = String(fields.get("name") ?? "").trim();
    return commands.apiKeys.create({
      ...(name === "" ? {} : { name }),
      ...(day === "" ? {} : { expiresAt: dayEnd(day) }),
      ...(kind === "partner" ? portalKey(principal, fields.getAll("partner").map(String)) : { scopes }),
    });
  };
  return (
    <Confirm
      title="Create a key"
      action="Create the key"
      close={close}
      run={run}
      done={({ key }) => showKey(key)}
      consequence={[
        "Whoever has the key can do what it allows, until it expires or is revoked. The key is shown only once.",
        "The new key counts as you: where a second person has to approve, it cannot approve what you drafted.",
      ]}
    >
      <Field label="Name" hint="Where it is used, or by whom.">
        <input name="name" maxLength={255} required />
      </Field>
      <Field label="For">
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          <option value="customer">the team or a program</option>
          <option value="partner">a program that acts for a partner</option>
        </select>
      </Field>
      {kind === "customer" ? (
        <Field label="It may">
          <select name="role">
            {ROLES.map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </Field>
      ) : (
        <>
          <Field label="Search the partner">
            <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
          </Field>
          <Field label="Partner">
            <select name="partner" required>
              {(partners.value ?? []).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
      <Field label="Expires on (optional)" hint="The key works until the end of this day (UTC).">
        <input name="expiresAt" type="date" />
      </Field>
    </Confirm>
  );
};

/** Who holds a key; that of a partner is held by the partner, and states who has created it. */
const personOf = ({ id, person, kind, use }: ApiKey): string =>
  person === id ? "not stated" : kind === "partner" && use !== "session" ? `created by ${person}` : person;

const kindOf = ({ kind }: ApiKey): string => KINDS[kind] ?? kind;

const columnsOf = (
  { principalId, name: ownName }: Principal,
  revoke: (key: ApiKey) => void,
): ReadonlyArray<Column<ApiKey>> => [
  {
    name: "Name",
    show: ({ id, name }) => (
      <>
        {name ?? "Without a name"}
        {id === principalId && <em class="note"> {ownName === null ? "this key" : "this session"}</em>}
      </>
    ),
    sort: ({ name }) => name,
    text: ({ name }) => name ?? "",
  },
  { name: "Kind", show: kindOf, sort: kindOf, text: kindOf },
  { name: "Person", isMinor: true, show: personOf, sort: personOf, text: personOf },
  {
    name: "State",
    show: (key) => {
      const [family, words] = stateOf(key);
      return <Badge family={family}>{words}</Badge>;
    },
    sort: (key) => stateOf(key)[1],
    text: (key) => stateOf(key)[1],
  },
  {
    name: "Rights",
    isMinor: true,
    show: ({ scopes }) => (
      <details>
        <summary>{scopes.length} rights</summary>
        {scopes.join(", ")}
      </details>
    ),
    text: ({ scopes }) => scopes.join(", "),
  },
  {
    name: "Last used",
    isDate: true,
    show: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <When at={lastUsedAt} exact />),
    sort: ({ lastUsedAt }) => timeKey(lastUsedAt),
    text: ({ lastUsedAt }) => lastUsedAt ?? "",
  },
  {
    name: "Expires",
    isDate: true,
    show: ({ expiresAt }) => (expiresAt === null ? "never" : <When at={expiresAt} exact />),
    sort: ({ expiresAt }) => timeKey(expiresAt),
    text: ({ expiresAt }) => expiresAt ?? "",
  },
  {
    name: "Action",
    show: (key) =>
      key.revokedAt === null ? (
        <button type="button" class="danger-quiet" onClick={() => revoke(key)}>
          Revoke<span class="visually-hidden"> {key.name}</span>
        </button>
      ) : (
        ""
      ),
  },
];

/** What an export has beyond the columns that are shown. Keys themselves are stored nowhere. */
const exported: ReadonlyArray<Column<ApiKey>> = [
  exportOnly("Created", ({ createdAt }) => createdAt),
  exportOnly("Revoked", ({ revokedAt }) => revokedAt ?? ""),
  exportOnly("Key id", ({ id }) => id),
];

/** What is revoked, by what it is for. */
const NOUNS: Readonly<Record<ApiKey["use"], string>> = {
  program: "key",
  session: "session",
  invitation: "invitation",
};

const Revoke = ({
  revoked: { id, name, use },
  close,
  done,
}: {
  readonly revoked: ApiKey;
  readonly close: () => void;
  readonly done: () => void;
}) => {
  const { principal } = useSession();
  const noun = NOUNS[use];
  return (
    <Confirm
      title={name === null ? `Revoke this ${noun}` : `Revoke the ${noun} “${name}”`}
      action={`Revoke the ${noun}`}
      danger
      consequence={[
        `Every later request with this ${noun} is refused, at once and for good.`,
        ...(id === principal.principalId
          ? [`Danger: this is the ${noun} you are signed in with. You will be signed out.`]
          : []),
      ]}
      close={close}
      run={(commands) => commands.apiKeys.revoke(id)}
      done={done}
    />
  );
};

/** What keys are for, each with its words, and those of a list without any. */
const USES = [
  {
    use: "program",
    words: "Keys",
    title: "No keys",
    hint: "Create one for each program and person, so that each can be revoked separately.",
  },
  {
    use: "session",
    words: "Sessions",
    title: "No sessions",
    hint: "People who sign in at your identity provider, and partners who accept an invitation, are listed here and can be signed out.",
  },
  {
    use: "invitation",
    words: "Invitations",
    title: "No invitations",
    hint: "Invitations of partners to their portal are listed here, and can be withdrawn.",
  },
] as const;

/** Chooses what the listed keys are for. */
const Uses = ({ chosen }: { readonly chosen: (typeof USES)[number] }) => (
  <ChipRow label="Show" chosen={chosen.use}>
    {USES.map((one) => (
      <button
        key={one.use}
        type="button"
        class="chip"
        aria-pressed={one === chosen}
        onClick={() => go(linkTo("keys", one === USES[0] ? {} : { uses: one.use }))}
      >
        {one.words}
      </button>
    ))}
  </ChipRow>
);

export const Keys = ({ route }: { readonly route: Route }) => {
  const { principal } = useSession();
  const chosen = USES.find(({ use }) => use === route.query.get("uses")) ?? USES[0];
  const [isCreating, setCreating] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const list = useRecords({
    list: "apiKeys",
    filters: { uses: [chosen.use] },
    route,
    perPage: PER_PAGE,
    columns: columnsOf(principal, setRevoking),
  });
  const { loaded } = list;
  return (
    <>
      <Heading title="Keys">
        <ReadAt loaded={loaded} />
        {loaded.failure === null && (
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            Create a key
          </button>
        )}
      </Heading>
      <div class="filters">
        <Uses chosen={chosen} />
      </div>
      <Listed
        list={list}
        what="Reading keys"
        caption="API keys"
        rowKey={({ id }) => id}
        none={<Empty title={chosen.title}>{chosen.hint}</Empty>}
      >
        {({ total }) => (
          <Export name="keys" columns={[...list.columns, ...exported]} total={total} pages={list.pages} />
        )}
      </Listed>
      {isCreating && (
        <NewKey
          close={() => setCreating(false)}
          showKey={(key) => {
            setNewKey(key);
            loaded.reload();
          }}
        />
      )}
      {newKey !== null && <Secret title="The new key" secret={newKey} close={() => setNewKey(null)} />}
      {revoking !== null && (
        <Revoke revoked={revoking} close={() => setRevoking(null)} done={loaded.reload} />
      )}
    </>
  );
};
