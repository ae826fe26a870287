/** `quittance keys`: creates, lists and revokes API keys. */
import type { Command } from "commander";
import { Effect } from "effect";
import { print, printTable } from "../Output.ts";
import { type Declare, load, type Shell, splitList, type Task, withJson } from "../Shell.ts";
import type { Target } from "../Target.ts";

interface CreateOptions {
  readonly customer?: string;
  readonly name?: string;
  readonly person?: string;
  readonly kind?: string;
  readonly scopes?: string;
  readonly workspaces?: string;
  readonly partners?: string;
  readonly agent?: string;
  readonly expiresAt?: string;
  readonly json?: true;
}

interface Key {
  readonly id: string;
  readonly name: string | null;
  readonly person: string;
  readonly kind: string;
  readonly scopes: ReadonlyArray<string>;
  readonly customer_id?: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

const bodyOf = ({
  customer,
  name,
  person,
  kind,
  scopes,
  workspaces,
  partners,
  agent,
  expiresAt,
}: CreateOptions) => ({
  ...(customer === undefined ? {} : { customer_id: customer }),
  ...(name === undefined ? {} : { name }),
  ...(person === undefined ? {} : { person }),
  ...(kind === undefined ? {} : { kind }),
  ...(scopes === undefined ? {} : { scopes: splitList(scopes) }),
  ...(workspaces === undefined ? {} : { workspace_ids: splitList(workspaces) }),
  ...(partners === undefined ? {} : { partner_ids: splitList(partners) }),
  ...(agent === undefined ? {} : { agent_id: agent }),
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
});

type Work = (target: Target, module: typeof import("../Target.ts")) => Task;

/** Runs on the server or store that the command names. */
const onTarget = (command: Command, shell: Shell, work: Work): Task =>
  load(
    () => import("../Target.ts"),
    (module) => module.onTarget(command, shell, (target) => work(target, module), true),
  );

const create =
  (options: CreateOptions): Work =>
  (target, { expectStatus }) =>
    Effect.gen(function* () {
      const reply = yield* target.request("POST", "api-keys", bodyOf(options));
      const created = yield* expectStatus<{ readonly id: string; readonly key: string }>(
        reply,
        201,
        "no key was created",
      );
      const { id, key } = created;
      if (options.json === true) return yield* print(JSON.stringify({ id, key }));
      yield* print(`id   ${id}`);
      yield* print(`key  ${key}`);
    });

const PAGE = 100;

/** Every key, page by page. */
const keysOf = (target: Target, { refusal }: typeof import("../Target.ts")) =>
  Effect.gen(function* () {
    const keys: Array<Key> = [];
    for (let page = 1; ; page++) {
      const reply = yield* target.request("GET", `api-keys?page=${page}&per_page=${PAGE}`);
      if (reply.status !== 200) return yield* refusal(reply, "keys cannot be listed");
      const { api_keys: found } = reply.body as { readonly api_keys: ReadonlyArray<Key> };
      keys.push(...found);
      if (found.length < PAGE) return keys;
    }
  });

const stateOf = ({ revoked_at, expires_at }: Key): string =>
  revoked_at !== null
    ? "revoked"
    : expires_at !== null && Date.parse(expires_at) <= Date.now()
      ? "expired"
      : "valid";

/** More missing scopes than this are those of a key with few rights, whose own scopes are shorter to read. */
const MISSING_MAX = 4;

/** The scopes of a key in words: a key of an earlier version lacks the scopes that are newer than it. */
const scopesOf = ({ scopes }: Key, standard: ReadonlyArray<string>): string => {
  const missing = standard.filter((scope) => !scopes.includes(scope));
  const more = scopes.filter((scope) => !standard.includes(scope));
  if (missing.length > MISSING_MAX) return scopes.join(", ");
  const all = missing.length === 0 ? "all" : `all but ${missing.join(", ")}`;
  return more.length === 0 ? all : `${all}, and ${more.join(", ")}`;
};

const list =
  (json: boolean): Work =>
  (target, module) =>
    Effect.gen(function* () {
      const keys = yield* keysOf(target, module);
      if (json) return yield* Effect.forEach(keys, (key) => print(JSON.stringify(key)), { discard: true });
      yield* printTable(
        ["id", "state", "kind", "name", "person", "last used", "scopes"],
        keys.map((key) => [
          key.id,
          stateOf(key),
          key.kind,
          key.name ?? "",
          key.person === key.id ? "" : key.person,
          key.last_used_at ?? "never",
          scopesOf(key, module.DEFAULT_SCOPES),
        ]),
      );
    });

const revoke =
  (id: string): Work =>
  (target, { expectStatus }) =>
    Effect.gen(function* () {
      const reply = yield* target.request("DELETE", `api-keys/${encodeURIComponent(id)}`);
      yield* expectStatus(reply, 200, "nothing was revoked");
      yield* print(`revoked ${id}`);
    });

/** Adds the options that name a server or a store, of every customer. */
export const withTarget = (command: Command): Command =>
  command
    .option("--database-url <url>", "the store (DATABASE_URL, default pglite://.quittance/data)")
    .option("--url <url>", "a server to use instead of a store (QUITTANCE_URL)")
    .option("--key <key>", "an API key or the admin token for it; better in the environment (QUITTANCE_KEY)");

export const declare: Declare = (program, shell) => {
  const keys = program
    .command("keys")
    .summary("create, list and revoke API keys")
    .description(
      "Creates, lists and revokes API keys, on a store directly or on a server. On a store every customer's keys can be created and revoked.",
    );
  const creating = withJson(withTarget(keys.command("create")))
    .summary("create a key; it is shown once")
    .description("Creates a key and prints it. Only its digest is stored, so it cannot be shown again.")
    .option("--customer <id>", "its customer; on a server it is that of the calling key")
    .option("--name <name>", "what it is for")
    .option("--person <person>", "who holds it; keys of one person count as one where four eyes are needed")
    .option("--kind <kind>", "customer, partner or agent")
    .option("--scopes <scopes>", "its scopes, separated by commas; all except keys:admin by default")
    .option("--workspaces <ids>", "its workspaces; all by default")
    .option("--partners <ids>", "its partners; all by default")
    .option("--agent <id>", "the agent of an agent key")
    .option("--expires-at <datetime>", "when it expires: 2027-01-01T00:00:00Z");
  creating.action((options: CreateOptions) => shell.run(onTarget(creating, shell, create(options))));
  const listing = withJson(withTarget(keys.command("list")))
    .summary("list keys, without their secrets")
    .description("Lists keys, without their secrets.");
  listing.action(({ json }: { readonly json?: true }) =>
    shell.run(onTarget(listing, shell, list(json === true))),
  );
  const revoking = withTarget(keys.command("revoke"))
    .summary("revoke a key permanently")
    .description("Revokes a key permanently. Revoking it again changes nothing.")
    .argument("<id>", "the id of the key, as `quittance keys list` shows it");
  revoking.action((id: string) => shell.run(onTarget(revoking, shell, revoke(id))));
};
