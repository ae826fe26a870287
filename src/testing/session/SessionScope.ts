/** Opens a session over a store, performs the setup commands, and closes it. */
import { Context, Effect, Exit, Layer, Runtime, Scope } from "effect";
import { Digest } from "../../ports/Digest.ts";
import { Directory } from "../../ports/Directory.ts";
import { DocumentStore } from "../../ports/Documents.ts";
import { Outbox } from "../../ports/Outbox.ts";
import { Storage } from "../../ports/Storage.ts";
import type { Ports } from "../Law.ts";
import type { Command } from "../model/Command.ts";
import type { Policy } from "../model/world/World.ts";
import { awaitPayments } from "./FileSetup.ts";
import { type Options as HarnessOptions, open } from "./Harness.ts";
import { createSession, type ModelSession, START, type Statistics, step } from "./ModelSession.ts";
import { seededRandom } from "./SeededRandom.ts";
import {
  createEarnings,
  createManager,
  createPartnersAndSchemas,
  createTeam,
  createUncomputable,
  keepBooks,
  payByFiles,
  requireEInvoices,
} from "./SetupCommands.ts";

/** The ports of a store, and the digest that its layer may bring. */
const PORTS = Effect.map(
  Effect.all([Storage, Directory, Outbox, DocumentStore, Digest]),
  ([storage, directory, outbox, documents, digest]): Context.Context<Ports> =>
    Context.make(Storage, storage).pipe(
      Context.add(Directory, directory),
      Context.add(Outbox, outbox),
      Context.add(DocumentStore, documents),
      Context.add(Digest, digest),
    ),
);

export interface StoreSource {
  /** The ports of the store for the next run. */
  readonly next: () => Promise<Context.Context<Ports>>;
  readonly close: () => Promise<void>;
}

/** Opens a new store for every run, or one store for all runs. */
export const openStores = <E>(layer: Layer.Layer<Ports, E>, shared: boolean): StoreSource => {
  const scope = Effect.runSync(Scope.make());
  const build = (fresh: Layer.Layer<Ports, E>) =>
    Effect.runPromise(
      Effect.flatMap(Layer.buildWithScope(fresh, scope), (context) => Effect.provide(PORTS, context)),
    );
  let only: Promise<Context.Context<Ports>> | null = null;
  return {
    next: () => {
      if (!shared) return build(Layer.fresh(layer));
      only ??= build(layer);
      return only;
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
};

/** One session in this many has commands on payout accounts; none of these has a team, or requires e-invoices. */
const ACCOUNTS_OF = 8;

const CONFIRMATIONS = ["second_person", { afterHours: 24 }, "at_once"] as const;

/** One session in this many pays by files, if its commands are performed one after another; half of them have commands on payout accounts. */
const FILES_OF = 8;

/** Chooses the operator's policy from a seed: mostly the defaults, with payouts. */
const choosePolicy = (seed: number, withFiles: boolean): Policy => {
  const { below } = seededRandom(seed ^ 0x90);
  const files = withFiles && seed % FILES_OF === 6;
  const policy: Omit<Policy, "payoutAccounts"> = {
    documents: below(10) < 7 ? "auto" : "manual",
    fourEyes: below(10) < 2,
    staleDrafts: below(10) < 8 ? "allow" : "refuse",
    payouts: below(10) < 9 || files,
    files,
  };
  const hasAccounts = seed % ACCOUNTS_OF === 4 || (files && seed % (2 * FILES_OF) === 6);
  const confirmation = CONFIRMATIONS[hasAccounts ? below(CONFIRMATIONS.length) : 0] ?? "at_once";
  return { ...policy, payoutAccounts: hasAccounts ? confirmation : null };
};

/** One session in this many has a customer who requires e-invoices, so that many approvals are refused. */
const E_INVOICES_OF = 16;

/** One session in this many has a team, whose manager earns a part of what the sellers earn. */
const TEAMS_OF = 4;

/** One session in this many keeps books; none of these has a team, or requires e-invoices, or pays by files. */
const BOOKS_OF = 4;

/** One session in this many has a team in which the amount of a seller cannot be computed at first. */
const UNCOMPUTABLE_OF = 4 * TEAMS_OF;

/** How to open a session. */
export interface Options extends Pick<HarnessOptions, "wrap"> {
  readonly ports: Context.Context<Ports>;
  /** Determines the policy. */
  readonly seed: number;
  /** Determines every id; differs from the seed when the store has been used with the seed before. */
  readonly identity: number;
  readonly statistics: Statistics;
  /** True if some sessions pay by files; false by default. */
  readonly withFiles?: boolean;
  /** Receives every performed command. */
  readonly performed: Array<Command>;
}

/** Opens a session, performs the setup commands and the body, and closes the session. */
export const withSession = async <A>(
  { ports, seed, identity, statistics, performed, wrap, withFiles = false }: Options,
  body: (session: ModelSession) => Promise<A>,
): Promise<A> => {
  const scope = Effect.runSync(Scope.make());
  const policy = choosePolicy(seed, withFiles);
  const options = { seed: identity, start: START, policy, ...(wrap === undefined ? {} : { wrap }) };
  const harness = await Runtime.runPromise(Runtime.defaultRuntime)(
    Effect.provideService(open(ports, options), Scope.Scope, scope),
  );
  const session = createSession(harness, { seed: identity, policy, statistics, performed });
  try {
    for (const command of createPartnersAndSchemas(session.principals)) await step(session, command);
    if (seed % E_INVOICES_OF === 2)
      for (const command of requireEInvoices(session.principals)) await step(session, command);
    if (policy.files) for (const command of payByFiles(session.principals)) await step(session, command);
    if (seed % BOOKS_OF === 3)
      for (const command of keepBooks(session.principals, session.world)) await step(session, command);
    for (const command of createEarnings(session.world)) await step(session, command);
    if (policy.files) await awaitPayments(session);
    if (seed % TEAMS_OF === 1) {
      await step(session, createManager(session.principals));
      for (const command of createTeam(session.world)) await step(session, command);
    }
    if (seed % UNCOMPUTABLE_OF === 1)
      for (const command of createUncomputable(session.world)) await step(session, command);
    return await body(session);
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void));
  }
};
