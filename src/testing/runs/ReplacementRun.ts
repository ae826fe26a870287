/**
 * Replacing a sale leaves what cancelling it and recording the new one leaves: every amount, total, statistic and balance. The
 * same random commands are performed on two stores; then some sales are replaced on one, and cancelled and recorded on the other.
 */
import { Effect, FastCheck } from "effect";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import * as Ledger from "../../domain/Ledger.ts";
import { DAY } from "../../domain/Timestamp.ts";
import { chooseReplaceAttribution } from "../generation/AttributionChoice.ts";
import { type Intent, intents } from "../generation/Intent.ts";
import { resolve } from "../generation/Resolve.ts";
import { readSnapshot } from "../LedgerSnapshot.ts";
import type { Command, CommandOf } from "../model/Command.ts";
import { givenParts } from "../model/world/Credits.ts";
import { dateOf } from "../model/world/Time.ts";
import type { Attribution } from "../model/world/World.ts";
import { FindingsError, type ModelSession, noStatistics, runOrThrow, step } from "../session/ModelSession.ts";
import { owner } from "../session/Principals.ts";
import { openStores } from "../session/SessionScope.ts";
import { valueDifference } from "../session/ValueDifference.ts";
import { type Options as ModelOptions, runOnNextStore, runSeedOf } from "./ModelRun.ts";

/** Options of the comparison of replaced sales. */
export interface Options<E = never> extends Pick<ModelOptions<E>, "layer" | "seed"> {
  /** The number of pairs of stores. */
  readonly comparisons: number;
}

const COMMANDS = 50;
const REPLACEMENTS = 4;

/** Later than every entry of a run whose clock moved, so that both ways record at the same moment. */
const LATER = 400 * DAY;

/** Performs the command of an intent, and compares it with the model. */
const performIntent = async (session: ModelSession, intent: Intent): Promise<void> => {
  const { principals, world, history } = session;
  const command = resolve({ principals, world, history, intent });
  if (command !== null) await step(session, command);
};

const byOwner = (customerId: CustomerId) => ({ principal: owner(customerId), idempotency: null });

/** The sale that an intent replaces, and what it changes; null where there is none. */
const chooseReplacement = (
  session: ModelSession,
  intent: Intent,
): { readonly known: Attribution; readonly input: CommandOf<"replace_attribution">["input"] } | null => {
  const { principals, world, history } = session;
  const attributions = world.attributions.filter(({ originId }) => originId === null);
  const context = {
    ...{ principals, history, world: { ...world, attributions } },
    intent: { ...intent, eligible: true },
  };
  const command = chooseReplaceAttribution(context);
  if (command?.type !== "replace_attribution") return null;
  const known = attributions.find(({ id, cancelReason }) => id === command.id && cancelReason === null);
  return known === undefined ? null : { known, input: command.input };
};

/** Replaces sales; returns what records each new one by itself, in order. */
const replaceAll = async (
  session: ModelSession,
  tries: ReadonlyArray<Intent>,
): Promise<ReadonlyMap<AttributionId, Extract<Command, { type: "create_attribution" }>>> => {
  const recorded = new Map<AttributionId, Extract<Command, { type: "create_attribution" }>>();
  for (const intent of tries) {
    const chosen = chooseReplacement(session, intent);
    if (chosen === null || chosen.known.replaces !== null) continue;
    const { known, input } = chosen;
    const by = byOwner(known.customerId);
    await step(session, { type: "replace_attribution", ...by, id: known.id, input });
    const newer = session.world.attributions.find(({ replaces }) => replaces === known.id);
    if (newer === undefined) continue;
    const { partnerId, schemaId, workspaceId, properties, occurredAt } = newer;
    const credits = givenParts(session.world.attributions, newer.id).map(({ depth: _, ...part }) => part);
    recorded.set(known.id, {
      ...{ type: "create_attribution", ...by },
      input: {
        ...{ partnerId, schemaId, workspaceId, properties, occurredAt, credits },
        occurredOn: newer.occurredOn ?? dateOf(occurredAt),
      },
    });
  }
  return recorded;
};

/** What must not depend on the way: by text, so that the ids of new records do not matter. */
const leftBy = async (session: ModelSession, customerId: CustomerId) => {
  const { commissions, accumulated } = await runOrThrow(session, readSnapshot(customerId));
  const { statements, attributions, commissions: earned } = session.harness.services;
  const partners = session.world.partners.filter((partner) => partner.customerId === customerId);
  const span = {
    from: session.world.now - 900 * DAY,
    to: session.world.now + 1,
    granularity: "month" as const,
  };
  const caller = owner(customerId);
  return {
    amounts: commissions
      .map(({ row }) => [
        ...[row.partnerId, row.formulaId, row.occurredAt, row.computedAmount, row.computationError?.code],
        ...[Ledger.due(row), Ledger.settledAmount(row), row.pendingAmount],
      ])
      .map((amount) => JSON.stringify(amount))
      .toSorted(),
    totals: accumulated.totals
      .map(({ formulaId, formulaVersion, aggregate, group, bucket, rows, numerator }) =>
        JSON.stringify([formulaId, formulaVersion, aggregate, group, bucket, rows, numerator]),
      )
      .toSorted(),
    sales: await runOrThrow(session, attributions.statistics(caller, span)),
    ofPartners: await runOrThrow(
      session,
      attributions.statistics(caller, { ...span, partnerIds: partners.map(({ id }) => id) }),
    ),
    earned: await runOrThrow(session, earned.statistics(caller, span)),
    balances: await runOrThrow(
      session,
      Effect.forEach(partners, ({ id }) =>
        Effect.map(statements.balance(caller, id), ({ balances }) => balances),
      ),
    ),
  };
};

/** Compares the two ways with a pair of stores for each comparison; throws {@link FindingsError} where they differ. */
export const runReplacements = async <E>({ layer, seed, comparisons }: Options<E>): Promise<number> => {
  const open = openStores<E>(layer, false);
  let replaced = 0;
  try {
    for (let number = 0; number < comparisons; number++) {
      const runSeed = runSeedOf(seed, number);
      const [all = []] = FastCheck.sample(intents(COMMANDS + REPLACEMENTS), { seed: runSeed, numRuns: 1 });
      let sales: Awaited<ReturnType<typeof replaceAll>> = new Map();
      const left: Array<Awaited<ReturnType<typeof leftBy>>> = [];
      const options = { seed: runSeed, identity: runSeed, statistics: noStatistics() };
      for (const way of ["replace", "cancel and record"]) {
        const { error } = await runOnNextStore(open, options, async (session) => {
          for (const intent of all.slice(REPLACEMENTS)) await performIntent(session, intent);
          await step(session, { type: "move_clock", by: LATER });
          if (way === "replace") sales = await replaceAll(session, all.slice(0, REPLACEMENTS));
          else
            for (const [id, recording] of sales) {
              const { principal } = recording;
              await step(session, {
                ...{ type: "cancel_attribution", principal, idempotency: null, id, reason: "replaced" },
              });
              await step(session, recording);
            }
          await step(session, { type: "work" });
          left.push(await leftBy(session, session.principals.customers[0]));
        });
        if (error !== null) throw error;
      }
      replaced += sales.size;
      const difference = valueDifference(left[1], left[0]);
      if (difference !== null)
        throw new FindingsError([
          { name: "R1", detail: `seed ${runSeed}: a replacement leaves another state: ${difference}` },
        ]);
    }
    return replaced;
  } finally {
    await open.close();
  }
};
