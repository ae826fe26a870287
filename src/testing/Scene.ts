/** Scenes: records that most laws and tests start from, stored through the port. */
import { Clock, Effect } from "effect";
import type { Attribution } from "../domain/Attribution.ts";
import type { AttributionSchema } from "../domain/AttributionSchema.ts";
import type { Commission } from "../domain/Commission.ts";
import type { Formula } from "../domain/Formula.ts";
import type { Partner } from "../domain/Partner.ts";
import type { Settlement, SettlementEvent } from "../domain/Settlement.ts";
import { type Change, type ChangeSet, type Kind, Storage, type Versioned } from "../ports/Storage.ts";
import * as Build from "./Build.ts";

/** A stored partner, the schema of its attributions and the formula it earns under. */
export interface Scene extends Build.FormulaSetKey {
  readonly partner: Versioned<Partner>;
  readonly schema: Versioned<AttributionSchema>;
  readonly formula: Versioned<Formula>;
}

/** A stored attribution and its commission. */
export interface Earned {
  readonly attribution: Versioned<Attribution>;
  readonly commission: Versioned<Commission>;
}

/** Commits changes as one command. */
export const commit = (
  customerId: Build.Owner["customerId"],
  changes: ReadonlyArray<Change>,
  overrides: Partial<ChangeSet> = {},
) =>
  Effect.flatMap(Storage, (storage) =>
    storage.commit(customerId, Build.changeSet({ changes, ...overrides })),
  );

/** A command whose moment is `agoMilliseconds` before now. */
export const createCommand = (agoMilliseconds = 0) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    id: Build.fresh.command(),
    actor: Build.ACTOR,
    at: now - agoMilliseconds,
  }));

/** Stores a partner, a schema and a formula; customer and workspace are new unless given. */
export const create = ({
  customerId = Build.fresh.customer(),
  workspaceId = Build.fresh.workspace(),
  at = Build.EPOCH,
}: Partial<Build.Owner> & { readonly at?: number } = {}) =>
  Effect.gen(function* () {
    const owner = { customerId, workspaceId };
    const partner = Build.partner(owner, { createdAt: at });
    const schema = Build.schema(owner, { createdAt: at });
    const formulaSet = { ...owner, partnerId: partner.row.id, schemaId: schema.row.id };
    const formula = Build.formula(formulaSet, { createdAt: at });
    const { partnerId, schemaId } = formulaSet;
    yield* commit(customerId, [partner, schema, formula, { type: "bump_formula_set", partnerId, schemaId }]);
    return { ...formulaSet, partner: partner.row, schema: schema.row, formula: formula.row } satisfies Scene;
  });

const EARNED_PER_COMMIT = 500;

type Amounts = ReadonlyArray<number | null>;
type ForEach<Given extends Amounts, Result> = { readonly [Index in keyof Given]: Result };

/** Stores an attribution with a commission for each amount; null stores a commission whose computation failed. */
export const earn = <const Given extends Amounts>(
  scene: Scene,
  amounts: Given,
  createdAt: (index: number) => number = () => Build.EPOCH,
  occurredAt: (index: number) => number | null = () => null,
) =>
  Effect.gen(function* () {
    const earned = amounts.map((amount, index) => {
      const attribution = Build.attribution(scene, {
        createdAt: createdAt(index),
        occurredAt: occurredAt(index),
      });
      return { attribution, commission: Build.commission(attribution.row, scene.formula, amount) };
    });
    for (let index = 0; index < earned.length; index += EARNED_PER_COMMIT) {
      const part = earned.slice(index, index + EARNED_PER_COMMIT);
      yield* commit(
        scene.customerId,
        part.flatMap(({ attribution, commission }) => [attribution, commission]),
      );
    }
    return earned.map(
      ({ attribution, commission }): Earned => ({ attribution: attribution.row, commission: commission.row }),
    ) as ReadonlyArray<Earned> as ForEach<Given, Earned>;
  });

/** Stores what {@link earn} stores; returns the commissions. */
export const commissions = <const Given extends Amounts>(
  scene: Scene,
  amounts: Given,
  createdAt?: (index: number) => number,
) =>
  Effect.map(
    earn(scene, amounts, createdAt),
    (earned) =>
      earned.map(({ commission }) => commission) as ReadonlyArray<Versioned<Commission>> as ForEach<
        Given,
        Versioned<Commission>
      >,
  );

/** The stored row of a record that exists. */
export const reload = <Name extends Kind>(
  kind: Name,
  { customerId, id }: { readonly customerId: Build.Owner["customerId"]; readonly id: string },
) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.flatMap(storage.find(customerId, kind, [id]), ([row]) =>
      row === undefined ? Effect.dieMessage(`the ${kind} is not stored`) : Effect.succeed(row),
    ),
  );

/** The stored rows of commissions of one customer, in the given order. */
export const reloadCommissions = (commissions: ReadonlyArray<Versioned<Commission>>) =>
  Effect.gen(function* () {
    const [first] = commissions;
    if (first === undefined) return [];
    const ids = commissions.map(({ id }) => id);
    const found = yield* (yield* Storage).find(first.customerId, "commission", ids);
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  });

/** Stores a draft whose lines are the due amounts of the given commissions. */
export const draft = (
  scene: Build.FormulaSetKey,
  commissions: ReadonlyArray<Versioned<Commission>>,
  createdAt = Build.EPOCH,
) =>
  Effect.gen(function* () {
    const lines = Build.linesOf(commissions);
    const saved = Build.settlement(scene, lines, { createdAt });
    const command = { id: Build.fresh.command(), actor: Build.ACTOR, at: createdAt };
    yield* commit(scene.customerId, [saved, { type: "reserve", settlementId: saved.row.id, lines }], {
      command,
    });
    return saved.row;
  });

/** Stores the next events of a settlement, with changes of its lines if given; returns the new row. */
export const advance = (
  settlement: Versioned<Settlement>,
  events: ReadonlyArray<SettlementEvent>,
  ...lines: ReadonlyArray<Change>
) =>
  Effect.gen(function* () {
    const saved = Build.next("settlement", settlement, events);
    yield* commit(settlement.customerId, [saved, ...lines]);
    return saved.row;
  });

/** Stores the approval of a draft and every step up to its manual payment; its lines are settled as paid. */
export const pay = (draft: Versioned<Settlement>) =>
  advance(
    draft,
    [...Build.approvalEvents(draft), ...(draft.total === 0 ? [] : [{ type: "mark_as_paid" as const }])],
    {
      type: "settle",
      settlementId: draft.id,
      as: "paid",
    },
  );

/** Stores the approval of a draft and its write-off. */
export const writeOff = (draft: Versioned<Settlement>) =>
  advance(draft, [...Build.approvalEvents(draft).slice(0, 1), { type: "write_off_settlement" }], {
    type: "settle",
    settlementId: draft.id,
    as: "written_off",
  });

/** Stores the cancellation of a draft. */
export const cancel = (draft: Versioned<Settlement>) =>
  advance(draft, [{ type: "cancel_settlement" }], {
    type: "release",
    settlementId: draft.id,
    cause: "draft_cancelled",
  });

/** The change that sets a new amount of a commission. */
export const revisionOf = (
  commission: Versioned<Commission>,
  amount: number,
): Change & { readonly type: "revise" } => ({
  type: "revise",
  revisions: [
    {
      commissionId: commission.id,
      expected: commission.version,
      ...{ computedAmount: amount, waitingAmount: null, receipt: null },
      formulaVersion: 1,
      parametersVersion: null,
      computationError: null,
      entry: {
        at: Math.max(Build.EPOCH + Build.DAY, commission.lastAt),
        actor: Build.ACTOR,
        event: { type: "update_commission", amount, formula_version: 1, cause: "formula_updated" },
      },
    },
  ],
});

/** Stores a new amount of a commission, as of one day after {@link Build.EPOCH}. */
export const revise = (commission: Versioned<Commission>, amount: number) =>
  commit(commission.customerId, [revisionOf(commission, amount)]);
