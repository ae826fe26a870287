/** The tax side of a settlement: fixed when it is approved, returned to its origins when it ends without payment. */
import { Effect } from "effect";
import type { SettlementId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import type { LineEffect } from "../../domain/SettlementMachine.ts";
import * as Tax from "../../domain/Tax.ts";
import type { Change, Records, StorageError, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";

const NONE: Effect.Effect<ReadonlyArray<Change>> = Effect.succeed([]);

/** How an approval taxes a settlement, and what it stores in addition to the settlement. */
interface Taxed {
  readonly assessment: Tax.Assessment;
  readonly changes: ReadonlyArray<Change>;
}

const saveOrigins = (execution: Execution, origins: ReadonlyArray<Tax.TaxOrigin>): ReadonlyArray<Change> =>
  // Origins that were read keep their version; a new one has none.
  origins.map((origin) => Save.flat("taxOrigin", execution, origin));

/** The settlement's own origin, before anything is billed. */
const unbilledOrigin = (
  { id, customerId, workspaceId, partnerId }: Settlement,
  { at }: Execution,
  terms: NonNullable<Partner["selfBillingData"]>["taxConfig"],
  shares: ReadonlyArray<Tax.Share>,
): Tax.TaxOrigin => ({
  ...{ id, customerId, workspaceId, partnerId },
  terms,
  base: "0",
  tax: "0",
  shares,
  createdAt: at,
});

const originsOf = (
  storage: Records,
  { customerId }: Settlement,
  ids: ReadonlyArray<SettlementId>,
): Effect.Effect<ReadonlyArray<Versioned<Tax.TaxOrigin>>, StorageError> =>
  ids.length === 0 ? Effect.succeed([]) : storage.find(customerId, "taxOrigin", ids);

/**
 * Assesses a draft by the partner's terms and by the billed amounts of its commissions, as the store read them. The changes
 * expect the origins at the versions that were read, so that of two approvals that move one origin only one is stored.
 */
export const assess = (
  storage: Records,
  execution: Execution,
  settlement: Versioned<Settlement>,
  {
    partner: { billingMode, selfBillingData },
    lines,
  }: { readonly partner: Partner; readonly lines: ReadonlyArray<Tax.LineWithBilledParts> },
): Effect.Effect<Taxed, StorageError> =>
  Effect.gen(function* () {
    const { id: settlementId, total } = settlement;
    const terms = billingMode === "self_billing" ? (selfBillingData?.taxConfig ?? null) : null;
    const ids = new Set(lines.flatMap(({ billed }) => billed.map(({ originId }) => originId)));
    const origins = terms === null ? [] : yield* originsOf(storage, settlement, [...ids]);
    const assessment = Tax.assess({ settlementId, total, lines, terms, origins });
    const { reversals } = assessment;
    const reversal: ReadonlyArray<Change> =
      reversals.length === 0 ? [] : [{ type: "reverse", settlementId, parts: reversals }];
    if (terms === null) return { assessment, changes: reversal };
    const shares = assessment.shares.map(({ originId, base, tax }) => ({
      originId,
      base: Number(base),
      tax: Number(tax),
    }));
    const own = unbilledOrigin(settlement, execution, terms, shares);
    const moved = Tax.moveShares([...origins, own], shares, "apply");
    const all = moved.some(({ id }) => id === own.id) ? moved : [...moved, own];
    return { assessment, changes: [...reversal, ...saveOrigins(execution, all)] };
  });

/** The changes that return the tax of a settlement to its origins, when its lines end without payment. */
export const returnTax = (
  storage: Records,
  execution: Execution,
  settlement: Versioned<Settlement>,
  lines: LineEffect,
): Effect.Effect<ReadonlyArray<Change>, StorageError> => {
  const ends = lines.type === "release" || (lines.type === "settle" && lines.as === "written_off");
  if (!ends || settlement.approval?.billingMode !== "self_billing") return NONE;
  return Effect.gen(function* () {
    const [own] = yield* originsOf(storage, settlement, [settlement.id]);
    if (own === undefined) return [];
    const others = own.shares.flatMap(({ originId }) => (originId === own.id ? [] : [originId]));
    const origins = [own, ...(yield* originsOf(storage, settlement, others))];
    return saveOrigins(execution, Tax.moveShares(origins, own.shares, "revert"));
  });
};
