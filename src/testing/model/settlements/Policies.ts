/** The model of settlement policies: which of what is due runs settle, and who approves it. */
import type { CustomerId, PartnerId, WorkspaceId } from "../../../domain/Ids.ts";
import type { OwnTerms, Terms } from "../../../domain/SettlementPolicy.ts";
import type { CommandOf } from "../Command.ts";
import {
  accept,
  applyRules,
  baseRules,
  type Prediction,
  queryResult,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee, personOf } from "../prediction/Rights.ts";
import { actorOf, logControl } from "../records/ControlLogs.ts";
import { total } from "../world/Lines.ts";
import { isZone, nextPeriod } from "../world/Periods.ts";
import type { Settlement, SettlementPolicy } from "../world/Settlements.ts";
import type { World } from "../world/World.ts";

const NOTHING: OwnTerms = {
  holdDays: null,
  minimum: null,
  cadence: null,
  autoApprove: null,
  fourEyesAbove: null,
  negative: null,
  invoiceTaxBps: null,
  requireAcceptance: null,
};

const DEFAULT: Terms = {
  holdDays: 0,
  minimum: {},
  cadence: "manual",
  autoApprove: "never",
  fourEyesAbove: {},
  negative: "review",
  invoiceTaxBps: "unknown",
  requireAcceptance: false,
};

/** The policy of a workspace, or of a partner of it, where one was written. */
export const findPolicy = (
  world: World,
  customerId: CustomerId,
  workspaceId: WorkspaceId,
  partnerId: PartnerId | null,
): SettlementPolicy | undefined =>
  world.settlementPolicies.find(
    (policy) =>
      policy.customerId === customerId &&
      policy.workspaceId === workspaceId &&
      policy.partnerId === partnerId,
  );

/** The terms of a partner, or of a workspace. */
export const termsOf = (
  world: World,
  customerId: CustomerId,
  workspaceId: WorkspaceId,
  partnerId: PartnerId | null,
): Terms => {
  const own = findPolicy(world, customerId, workspaceId, partnerId)?.terms ?? NOTHING;
  const general = findPolicy(world, customerId, workspaceId, null)?.terms ?? NOTHING;
  return {
    holdDays: own.holdDays ?? general.holdDays ?? DEFAULT.holdDays,
    minimum: own.minimum ?? general.minimum ?? DEFAULT.minimum,
    cadence: own.cadence ?? general.cadence ?? DEFAULT.cadence,
    autoApprove: own.autoApprove ?? general.autoApprove ?? DEFAULT.autoApprove,
    fourEyesAbove: own.fourEyesAbove ?? general.fourEyesAbove ?? DEFAULT.fourEyesAbove,
    negative: own.negative ?? general.negative ?? DEFAULT.negative,
    invoiceTaxBps: own.invoiceTaxBps ?? general.invoiceTaxBps ?? DEFAULT.invoiceTaxBps,
    requireAcceptance: own.requireAcceptance ?? general.requireAcceptance ?? DEFAULT.requireAcceptance,
  };
};

/** What decides whether a settlement needs a second person. */
type Approved = Pick<
  Settlement,
  "customerId" | "workspaceId" | "partnerId" | "currency" | "createdAt" | "createdBy"
>;

interface Limit {
  readonly at: number;
  readonly person: string;
  readonly amount: number | null;
}

/** The limits of a partner one after the other, each with who made it so. Of one moment, the workspace comes first. */
const limitsOf = (
  world: World,
  { customerId, workspaceId, partnerId, currency }: Approved,
): ReadonlyArray<Limit> => {
  const [general, own] = [null, partnerId].map(
    (item) => findPolicy(world, customerId, workspaceId, item)?.limits ?? [],
  );
  const writes = [
    ...(general ?? []).map((item) => ({ ...item, isOwn: false })),
    ...(own ?? []).map((item) => ({ ...item, isOwn: true })),
  ].toSorted((a, b) => a.at - b.at);
  return writes
    .map(({ at, person }, index) => {
      const latest = (isOwn: boolean) =>
        writes.slice(0, index + 1).findLast((write) => write.isOwn === isOwn)?.amounts;
      return { at, person, amount: (latest(true) ?? latest(false))?.[currency] ?? null };
    })
    .filter(({ amount }, index, all) => amount !== (all[index - 1]?.amount ?? null));
};

/** The limits that a draft is measured by: those since its creation, and before it those that its creator changed. */
const relevantLimits = (world: World, draft: Approved): ReadonlyArray<number> => {
  const limits = limitsOf(world, draft);
  const isAfter = ({ at }: Limit) => at > draft.createdAt;
  const [before, after] = [limits.filter((limit) => !isAfter(limit)), limits.filter(isAfter)];
  const byAnother = before.findLastIndex(({ person }) => person !== draft.createdBy);
  return [...before.slice(Math.max(byAnother, 0)), ...after].flatMap(({ amount }) => amount ?? []);
};

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** What a settlement pays: with the tax of its document, where there is one. */
export const withTax = (settlement: Settlement): number => settlement.payableAmount ?? total(settlement);

/** True if some other person than its creator has to approve a settlement, by the policy of its partner. */
export const needsFourEyes = (world: World, draft: Approved, amountOf = total): boolean => {
  const ofDay = world.settlements.filter(
    ({ partnerId, currency, createdAt, status }) =>
      partnerId === draft.partnerId &&
      currency === draft.currency &&
      dayOf(createdAt) === dayOf(draft.createdAt) &&
      status.type !== "cancelled",
  );
  const sum = ofDay.reduce((before, settlement) => before + BigInt(Math.abs(amountOf(settlement))), 0n);
  return relevantLimits(world, draft).some((limit) => sum > BigInt(limit));
};

/** True if a person has changed the limit that a settlement is measured by since it was drafted. */
export const hasChangedLimit = (world: World, draft: Approved, person: string): boolean =>
  limitsOf(world, draft).some((limit) => limit.at > draft.createdAt && limit.person === person);

const areAmounts = (amounts: Readonly<Record<string, number>>): boolean =>
  Object.entries(amounts).every(
    ([currency, amount]) => /^[A-Z]{3}$/.test(currency) && Number.isSafeInteger(amount) && amount >= 0,
  );

const isCadence = (cadence: Terms["cadence"]): boolean =>
  cadence === "manual" ||
  (cadence.day >= 1 && cadence.day <= (cadence.type === "weekly" ? 7 : 31) && isZone(cadence.timeZone));

const areTerms = ({
  holdDays,
  minimum,
  cadence,
  autoApprove,
  fourEyesAbove,
  invoiceTaxBps,
}: Partial<OwnTerms>): boolean =>
  (invoiceTaxBps == null || invoiceTaxBps === "unknown" || (invoiceTaxBps >= 0 && invoiceTaxBps <= 10_000)) &&
  (holdDays == null || (Number.isInteger(holdDays) && holdDays >= 0 && holdDays <= 3_650)) &&
  [minimum, autoApprove, fourEyesAbove].every(
    (amounts) => amounts == null || amounts === "never" || areAmounts(amounts),
  ) &&
  (cadence == null || isCadence(cadence));

/** True if two values are the same as JSON, whatever the order of their fields. */
export const isSame = (a: unknown, b: unknown): boolean => {
  const sortFields = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(([name, part]) => [name, sortFields(part)])
          .toSorted(([first], [second]) => (String(first) < String(second) ? -1 : 1))
      : value;
  return JSON.stringify(sortFields(a)) === JSON.stringify(sortFields(b));
};

/** True if a principal sees the workspace or partner of a policy. A workspace has no record. */
const seesSubject = (
  world: World,
  { principal, workspaceId, partnerId }: CommandOf<"write_policy" | "read_policy">,
): boolean =>
  partnerId === null
    ? principal.workspaceIds === "*" || principal.workspaceIds.includes(workspaceId)
    : world.partners.some(
        (partner) =>
          partner.id === partnerId &&
          partner.workspaceId === workspaceId &&
          canSee(principal, { ...partner, partnerId }),
      );

/** A cadence that stays the same keeps its next period and its writer. */
const schedule = (world: World, before: SettlementPolicy | undefined, terms: OwnTerms, person: string) => {
  if (before !== undefined && isSame(before.terms.cadence, terms.cadence)) {
    const { scheduledByPerson, next, lastPeriod } = before;
    return { scheduledByPerson, next, lastPeriod };
  }
  const lastPeriod = before?.lastPeriod ?? null;
  const next = nextPeriod(terms.cadence, world.now, lastPeriod);
  return { scheduledByPerson: person, next, lastPeriod };
};

/** Writes a policy: it replaces what was written before as a whole. */
export const writePolicy = (world: World, command: CommandOf<"write_policy">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: areTerms(command.terms),
    decide: () => {
      const { principal, workspaceId, partnerId } = command;
      const { customerId } = principal;
      if (customerId === null || !seesSubject(world, command)) return refuse("Missing");
      const before = findPolicy(world, customerId, workspaceId, partnerId);
      const terms = { ...(partnerId === null ? DEFAULT : NOTHING), ...command.terms };
      if (isSame(before?.terms ?? (partnerId === null ? null : NOTHING), terms)) return accept(null);
      const updatedAt = Math.max(world.now, before?.updatedAt ?? world.now);
      const written: SettlementPolicy = {
        ...{ customerId, workspaceId, partnerId, terms },
        ...schedule(world, before, terms, personOf(principal)),
        limits: [
          ...(before?.limits ?? []),
          { at: updatedAt, person: personOf(principal), amounts: terms.fourEyesAbove },
        ],
        updatedAt,
      };
      const others = world.settlementPolicies.filter((policy) => policy !== before);
      const record = `policy ${workspaceId} ${partnerId}`;
      const entry = { ...actorOf(principal), hold_days: terms.holdDays, auto_approve: terms.autoApprove };
      return accept(() =>
        logControl(
          { ...world, settlementPolicies: [...others, written] },
          customerId,
          record,
          "write_settlement_policy",
          entry,
        ),
      );
    },
  });

/** The terms of a policy, and when its cadence starts the next run. */
export const readPolicy = (world: World, command: CommandOf<"read_policy">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: true,
    decide: () => {
      const { principal, workspaceId, partnerId } = command;
      const { customerId } = principal;
      if (customerId === null || !seesSubject(world, command)) return refuse("Missing");
      const stored = findPolicy(world, customerId, workspaceId, partnerId);
      const inForce = termsOf(world, customerId, workspaceId, partnerId);
      const shown = { workspaceId, nextRun: stored?.next ?? null, updatedAt: stored?.updatedAt ?? null };
      return queryResult(
        partnerId === null
          ? { ...shown, ...inForce }
          : { ...shown, partnerId, ...(stored?.terms ?? NOTHING), inForce },
      );
    },
  });
