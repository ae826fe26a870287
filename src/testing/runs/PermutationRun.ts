/**
 * S7: the amounts do not depend on the order of commands on different records, as long as each command keeps its moment.
 * Every scenario of dated commands is performed twice, the second time shuffled.
 */

import { Currency } from "../../domain/Currency.ts";
import { HOUR } from "../../domain/Timestamp.ts";
import { choose } from "../generation/ChoiceContext.ts";
import type { Command } from "../model/Command.ts";
import type { World } from "../model/world/World.ts";
import { listAll } from "../StateDump.ts";
import {
  describeCommand,
  FindingsError,
  type ModelSession,
  noStatistics,
  runOrThrow,
  START,
  step,
} from "../session/ModelSession.ts";
import { owner } from "../session/Principals.ts";
import { type SeededRandom, seededRandom } from "../session/SeededRandom.ts";
import { openStores } from "../session/SessionScope.ts";
import {
  createIdentities,
  type Options as ModelOptions,
  RunFailed,
  runOnNextStore,
  runSeedOf,
} from "./ModelRun.ts";

/** Options of a permutation run. */
export interface Options<E = never> extends Pick<ModelOptions<E>, "layer" | "seed" | "shared"> {
  /** The number of scenarios. */
  readonly permutations: number;
}

const RECORDS = 6;

/** The name of a record in a scenario; its id differs between the two performances. */
type Name = string;

/** A command on one record at a moment, created once the ids of the records are known. */
interface DatedCommand {
  readonly record: Name;
  readonly at: number;
  readonly command: (session: ModelSession, ids: ReadonlyMap<Name, string>) => Command | null;
}

const ownerRequest = (session: ModelSession) => ({
  principal: owner(session.principals.customers[0]),
  idempotency: null,
});

const findSubject = ({ partners, schemas }: World) => {
  const [partner] = partners;
  const [schema] = schemas;
  return partner === undefined || schema === undefined
    ? null
    : { partnerId: partner.id, schemaId: schema.id, workspaceId: partner.workspaceId };
};

const chooseMoments = ({ below }: SeededRandom, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, () => START + below(48) * HOUR).toSorted((a, b) => a - b);

/** Creates an attribution, and perhaps cancels it. */
const attributionCommands = (record: Name, order: SeededRandom): ReadonlyArray<DatedCommand> => {
  const [createdAt = START, cancelledAt = START] = chooseMoments(order, 2);
  const value = choose([5, 15, 1005, 12.35, 999.995, -0.5], order.below(6));
  const earlier = Math.min(createdAt, START + order.below(48) * HOUR);
  const dates = order.below(2) === 0 ? {} : { occurredAt: earlier };
  const creation: DatedCommand = {
    record,
    at: createdAt,
    command: (session) => {
      const where = findSubject(session.world);
      const input = where === null ? null : { ...where, properties: { order_value: value }, ...dates };
      return input === null ? null : { type: "create_attribution", ...ownerRequest(session), input };
    },
  };
  const cancellation: DatedCommand = {
    record,
    at: cancelledAt,
    command: (session, ids) => {
      const found = session.world.attributions.find(({ id }) => id === ids.get(record));
      return found === undefined
        ? null
        : { type: "cancel_attribution", ...ownerRequest(session), id: found.id, reason: "refunded" };
    },
  };
  return order.below(3) === 0 ? [creation, cancellation] : [creation];
};

/** Creates a formula, with up to three changes: expressions with dates, values with dates, windows, its cancellation. */
const formulaCommands = (record: Name, order: SeededRandom): ReadonlyArray<DatedCommand> => {
  const [createdAt = START, ...changed] = chooseMoments(order, 1 + order.below(4));
  const rate = () => choose([10, 7.5, 33.33, -10], order.below(4));
  const [first, start] = [rate(), START + order.below(24) * HOUR];
  const creation: DatedCommand = {
    record,
    at: createdAt,
    command: (session) => {
      const where = findSubject(session.world);
      const rest = {
        name: record,
        currency: Currency.make("EUR"),
        startDatetime: start,
        endDatetime: null,
        plan: { type: "by_values", reads: ["rate"] } as const,
        parameters: [{ name: "rate", type: "number" }] as const,
        values: { rate: first / 100 },
      };
      return where === null
        ? null
        : { type: "create_formula", ...ownerRequest(session), input: { ...where, ...rest } };
    },
  };
  const change = (at: number): DatedCommand => {
    const [what, next, date] = [order.below(10), rate(), START + order.below(48) * HOUR];
    const plan = { type: "percent" as const, rate: next };
    return {
      record,
      at,
      command: (session, ids) => {
        const found = session.world.formulas.find(({ id }) => id === ids.get(record));
        if (found === undefined) return null;
        const by = { ...ownerRequest(session), id: found.id };
        if (what === 0) return { type: "cancel_formula", ...by, reason: "never agreed" };
        if (what < 3) return { type: "update_formula", ...by, input: { endDatetime: date } };
        // Stated, because the default follows the newest attribution that there is.
        const effectiveDatetime = what % 2 === 0 ? at : date;
        const versionsAhead = what === 3 ? "keep" : "withdraw";
        return what < 6
          ? { type: "update_formula", ...by, input: { plan, effectiveDatetime, versionsAhead } }
          : {
              type: "set_formula_values",
              ...by,
              input: { values: { rate: next / 100 }, effectiveDatetime },
            };
      },
    };
  };
  return [creation, ...changed.map(change)];
};

/** Another order that keeps the order of each record's own commands. */
const shuffle = (scenario: ReadonlyArray<DatedCommand>, order: SeededRandom): ReadonlyArray<DatedCommand> => {
  const rest = [...scenario];
  const result: Array<DatedCommand> = [];
  while (rest.length > 0) {
    const firsts = rest.filter(
      (datedCommand, index) => rest.findIndex(({ record }) => record === datedCommand.record) === index,
    );
    const next = firsts[order.below(firsts.length)];
    if (next === undefined) break;
    rest.splice(rest.indexOf(next), 1);
    result.push(next);
  }
  return result;
};

/** Performs a scenario; returns the amount of every commission other than 0, by the names of its two records. */
const runScenario = async (
  session: ModelSession,
  scenario: ReadonlyArray<DatedCommand>,
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<Name, string>();
  for (const { record, at, command } of scenario) {
    await step(session, { type: "move_clock", by: at - session.world.now });
    const next = command(session, ids);
    if (next === null) continue;
    const outcome = await step(session, next);
    if (outcome.type === "succeeded" && outcome.id !== null) ids.set(record, outcome.id);
  }
  const rows = await runOrThrow(session, listAll(session.principals.customers[0], "commission"));
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  return new Map(
    rows.flatMap(({ attributionId, formulaId, computedAmount: amount }) => {
      const [one, other] = [names.get(attributionId), names.get(formulaId)];
      return one === undefined || other === undefined || amount === null || amount === 0
        ? []
        : [[`${one} ${other}`, amount] as const];
    }),
  );
};

const toText = (found: ReadonlyMap<string, number>): string => JSON.stringify([...found].toSorted());

/** Performs each scenario twice; throws {@link RunFailed} when the order changes an amount. */
export const runPermutations = async <E>({
  layer,
  seed,
  permutations,
  shared = false,
}: Options<E>): Promise<number> => {
  const open = openStores(layer, shared);
  const identityOf = createIdentities(shared);
  try {
    for (let number = 0; number < permutations; number++) {
      const runSeed = runSeedOf(seed, number);
      const order = seededRandom(runSeed);
      const scenario = Array.from({ length: RECORDS }, (_, index) =>
        index % 3 === 0
          ? formulaCommands(`formula ${index}`, order)
          : attributionCommands(`attribution ${index}`, order),
      ).flat();
      const found: Array<string> = [];
      for (const dated of [scenario.toSorted((a, b) => a.at - b.at), shuffle(scenario, order)]) {
        const options = { seed: runSeed, identity: identityOf(runSeed), statistics: noStatistics() };
        const { error, performed: done } = await runOnNextStore(open, options, async (session) => {
          found.push(toText(await runScenario(session, dated)));
          if (found.length < 2 || found[0] === found[1]) return;
          throw new FindingsError([
            { name: "S7", detail: `in one order ${found[0]}, in another ${found[1]}` },
          ]);
        });
        if (error !== null) throw new RunFailed(error, runSeed, done.map(describeCommand));
      }
    }
    return permutations;
  } finally {
    await open.close();
  }
};
