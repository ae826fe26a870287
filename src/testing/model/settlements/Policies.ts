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
};

const DEFAULT: Terms = {
  holdDays: 0,
  minimum: {},
  cadence: "manual",
  autoApprove: "never",
  fourEyesAbove: {},
  negative: "review",
};

/** The policy of a workspace, or of a partner of it, where one was written. */
export const findPolicy = (
  world: World,
  customerId: CustomerId,
  workspaceId: WorkspaceId,
  partnerId: PartnerId | null,
): SettlementPolicy | undefined =>
  world.settlementPolicies.find(
    (one) => one.customerId === customerId && one.workspaceId === workspaceId && one.partnerId === partnerId,
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
  };
};

/** Whether some other principal than its creator has to approve a settlement, by the policy of its partner. */
export const needsFourEyes = (
  world: World,
  { customerId, workspaceId, partnerId, currency }: Omit<Settlement, "lines">,
  total: number,
): boolean => {
  const limit = termsOf(world, customerId, workspaceId, partnerId).fourEyesAbove[currency];
  return limit !== undefined && Math.abs(total) > limit;
};

const areAmounts = (amounts: Readonly<Record<string, number>>): boolean =>
  Object.entries(amounts).every(
    ([currency, amount]) => /^[A-Z]{3}$/.test(currency) && Number.isSafeInteger(amount) && amount >= 0,
  );

const isCadence = (cadence: Terms["cadence"]): boolean =>
  cadence === "manual" ||
  (cadence.day >= 1 && cadence.day <= (cadence.type === "weekly" ? 7 : 31) && isZone(cadence.timeZone));

const areTerms = ({ holdDays, minimum, cadence, autoApprove, fourEyesAbove }: Partial<OwnTerms>): boolean =>
  (holdDays == null || (Number.isInteger(holdDays) && holdDays >= 0 && holdDays <= 3_650)) &&
  [minimum, autoApprove, fourEyesAbove].every(
    (amounts) => amounts == null || amounts === "never" || areAmounts(amounts),
  ) &&
  (cadence == null || isCadence(cadence));

/** Whether two values are the same as JSON, whatever the order of their fields. */
export const isSame = (one: unknown, other: unknown): boolean => {
  const sortFields = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.entries(value)
          .map(([name, part]) => [name, sortFields(part)])
          .toSorted(([first], [second]) => (String(first) < String(second) ? -1 : 1))
      : value;
  return JSON.stringify(sortFields(one)) === JSON.stringify(sortFields(other));
};

/** Whether a principal sees the workspace or partner of a policy. A workspace has no record. */
const seesSubject = (
  world: World,
  { principal, workspaceId, partnerId }: CommandOf<"write_policy" | "read_policy">,
): boolean =>
  partnerId === null
    ? principal.workspaceIds === "*" || principal.workspaceIds.includes(workspaceId)
    : world.partners.some(
        (one) =>
          one.id === partnerId && one.workspaceId === workspaceId && canSee(principal, { ...one, partnerId }),
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
      const written: SettlementPolicy = {
        ...{ customerId, workspaceId, partnerId, terms },
        ...schedule(world, before, terms, personOf(principal)),
        updatedAt: Math.max(world.now, before?.updatedAt ?? world.now),
      };
      const others = world.settlementPolicies.filter((one) => one !== before);
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
