/** What a change of a sale would change of what its partners earn. */
import type { Attribution } from "../../domain/Attribution.ts";
import type * as Commission from "../../domain/Commission.ts";
import { WHOLE } from "../../domain/Credit.ts";
import type { EarningChange } from "../../domain/EarningChange.ts";
import * as Ledger from "../../domain/Ledger.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import type { Change } from "../../ports/Storage.ts";

type Earned = Commission.Commission | undefined;

/** A commission, with the role and the level of its credit. A sale has one of each formula for these. */
interface Placed extends Pick<EarningChange, "role" | "depth"> {
  readonly commission: Commission.Commission;
}

const placeText = ({ commission: { formulaId }, role, depth }: Placed): string =>
  JSON.stringify([formulaId, role, depth]);

const dueOf = (commission: Earned): number => (commission === undefined ? 0 : Ledger.due(commission));

/** What is due of a commission that is taken back: what was settled of it comes back. */
const dueOfTaken = (commission: Earned): number =>
  commission === undefined ? 0 : Ledger.due({ ...commission, computedAmount: 0, waitingAmount: null });

/** What a commission becomes: one that is taken back, and one that is created. Without changes it stays as it is. */
const changeOf = (
  { commission: { partnerId, formulaId, currency }, role, depth }: Placed,
  before: Earned,
  after: Earned,
): EarningChange => ({
  ...{ partnerId, role, depth, formulaId, currency },
  amountBefore: before?.computedAmount ?? null,
  amountAfter: after?.computedAmount ?? null,
  dueBefore: dueOf(before),
  dueAfter: dueOf(after) + (after === before ? 0 : dueOfTaken(before)),
  computationError: after?.computationError ?? null,
});

/** The commissions that the principal sees, by what they are for. */
const placed = (
  principal: Principal,
  attributions: ReadonlyArray<Attribution>,
  commissions: ReadonlyArray<Commission.Commission>,
): ReadonlyMap<string, Placed> => {
  const credits = new Map(attributions.map(({ id, credit }) => [id, credit ?? WHOLE]));
  return new Map(
    commissions.flatMap((commission) => {
      if (!canSee(principal, commission)) return [];
      const { role, depth } = credits.get(commission.attributionId) ?? WHOLE;
      const one = { commission, role, depth };
      return [[placeText(one), one] as const];
    }),
  );
};

/**
 * What the commissions that the principal sees change where those of attributions of a sale are taken back and a decision creates
 * others; nothing where it is null.
 */
export const earningChanges = (
  principal: Principal,
  attributions: ReadonlyArray<Attribution>,
  taken: ReadonlyArray<Commission.Commission>,
  changes: ReadonlyArray<Change> | null,
): ReadonlyArray<EarningChange> => {
  const saved = changes?.flatMap((change) => (change.type === "save" ? [change] : [])) ?? [];
  const before = placed(principal, attributions, taken);
  const after =
    changes === null
      ? before
      : placed(
          principal,
          saved.flatMap((save) => (save.kind === "attribution" ? [save.row] : [])),
          saved.flatMap((save) => (save.kind === "commission" ? [save.row] : [])),
        );
  return [...new Map([...before, ...after])].map(([place, one]) =>
    changeOf(one, before.get(place)?.commission, after.get(place)?.commission),
  );
};
