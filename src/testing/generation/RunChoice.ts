/** Turns intents about settlement policies and runs into commands. */
import { Currency } from "../../domain/Currency.ts";
import { PartnerId, type WorkspaceId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import type { OwnTerms, Terms } from "../../domain/SettlementPolicy.ts";
import type { Command, RunRequest } from "../model/Command.ts";
import { termsOf } from "../model/settlements/Policies.ts";
import { quantities } from "../model/world/Earnings.ts";
import { DAY } from "../model/world/Time.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";
import { EUR, USD } from "./FormulaChoice.ts";

const AMOUNTS: ReadonlyArray<Terms["minimum"]> = [
  {},
  { EUR: 0 },
  { EUR: 100 },
  { EUR: 1_000, USD: 1_000 },
  { EUR: 100_000, USD: 0 },
  { EUR: Number.MAX_SAFE_INTEGER },
];

const amountsAt = (pick: number): Terms["minimum"] => chooseIfAny(AMOUNTS, pick) ?? {};

/** A cadence; more often none, since time passes slowly in a run of commands. */
const cadenceAt = (pick: number): Terms["cadence"] => {
  const timeZone = choose(["UTC", "Europe/Copenhagen", "Asia/Kolkata"], pick >> 3);
  return choose<Terms["cadence"]>(
    [
      { type: "weekly", day: 1 + ((pick >> 5) % 7), timeZone },
      { type: "monthly", day: choose([1, 31, 15, 28], pick >> 5), timeZone },
      { type: "quarterly", day: choose([1, 31, 2], pick >> 5), timeZone },
      "manual",
    ],
    pick,
  );
};

const INVALID: readonly [Partial<OwnTerms>, ...ReadonlyArray<Partial<OwnTerms>>] = [
  { holdDays: -1 },
  { minimum: { EUR: -1 } },
  { minimum: { eur: 1 } },
  { autoApprove: { EUR: 0.5 } },
  { invoiceTaxBps: 10_001 },
  { cadence: { type: "weekly", day: 8, timeZone: "UTC" } },
  { cadence: { type: "monthly", day: 0, timeZone: "UTC" } },
  { cadence: { type: "monthly", day: 1, timeZone: "Mars/Olympus" } },
];

/** The terms of a policy, some of them left out. */
const termsAt = (a: number, b: number): Partial<OwnTerms> => ({
  ...(a % 2 === 0 ? { holdDays: choose([0, 0, 1, 30, 3_650], a >> 4) } : {}),
  ...(a % 3 === 0 ? { minimum: amountsAt(a >> 6) } : {}),
  ...(b % 2 === 0 ? { cadence: cadenceAt(b >> 3) } : {}),
  ...(b % 3 > 0 ? { autoApprove: (b >> 4) % 4 === 0 ? "never" : amountsAt(1 + (b >> 5)) } : {}),
  ...(b % 5 < 1 ? { fourEyesAbove: amountsAt(b >> 6) } : {}),
  ...(a % 7 < 3 ? { invoiceTaxBps: choose([2_500, "unknown", 0, 10_000, 775], a >> 5) } : {}),
  ...(b % 7 < 3 ? { requireAcceptance: true } : {}),
  ...(a % 5 < 2 ? { negative: (a >> 3) % 2 === 0 ? "carry_forward" : "review" } : {}),
});

/** A partner; when the intent is eligible, rather one with something that a run may settle. */
const choosePartner = ({ world, intent }: ChoiceContext): Partner | undefined => {
  const { eligible, picks } = intent;
  const isDue = (partner: Partner): boolean =>
    world.commissions.some((commission) => {
      const attribution = world.attributions.find(({ id }) => id === commission.attributionId);
      if (attribution?.partnerId !== partner.id || commission.failing !== null) return false;
      const { due, holder } = quantities(world, commission);
      return due !== 0 && holder === null;
    });
  const start = world.partners.length === 0 ? 0 : picks[0] % world.partners.length;
  const partners = [...world.partners.slice(start), ...world.partners.slice(0, start)];
  return (eligible ? partners.find(isDue) : undefined) ?? partners[0];
};

/** A place of a policy: the partner's workspace, or another one when the intent is not eligible. */
const workspaceFor = ({ principals, intent }: ChoiceContext, partner: Partner): WorkspaceId =>
  !intent.eligible && intent.picks[3] % 3 === 0
    ? choose(principals.workspaces, intent.picks[2])
    : partner.workspaceId;

export const chooseWritePolicy = (context: ChoiceContext): Command | null => {
  const { principals, intent } = context;
  const { eligible, picks } = intent;
  const partner = choosePartner(context);
  if (partner === undefined) return null;
  const isOverride = picks[1] % 3 === 0;
  const unknown = !eligible && picks[3] % 5 === 0 ? PartnerId.make(principals.unknown) : partner.id;
  const isInvalid = !eligible && picks[3] % 2 === 0;
  return {
    type: "write_policy",
    ...callerFor(context, { ...partner, partnerId: null }),
    // The comparison finds the policies of workspaces that have a partner.
    workspaceId: isOverride ? workspaceFor(context, partner) : partner.workspaceId,
    partnerId: isOverride ? unknown : null,
    terms: isInvalid ? choose(INVALID, picks[2]) : termsAt(picks[2], picks[3]),
  };
};

export const chooseReadPolicy = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const partner = chooseIfAny(world.partners, intent.picks[0]);
  if (partner === undefined) return null;
  return {
    type: "read_policy",
    ...callerFor(context, { ...partner, partnerId: null }),
    idempotency: null,
    workspaceId: workspaceFor(context, partner),
    partnerId: intent.picks[1] % 2 === 0 ? null : partner.id,
  };
};

/** The start of the runs that are due; otherwise the time moves to the next period, and without a cadence one is written. */
export const chooseStartDueRuns = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const moments = world.settlementPolicies.flatMap(({ next }) => (next === null ? [] : [next.at]));
  if (moments.some((at) => at <= world.now) || !intent.eligible) return { type: "start_due_runs" };
  const at = chooseIfAny(moments, intent.picks[1]);
  if (at !== undefined) return { type: "move_clock", by: at - world.now };
  const written = chooseWritePolicy(context);
  if (written?.type !== "write_policy") return null;
  return { ...written, terms: { ...written.terms, cadence: cadenceAt(intent.picks[2]) } };
};

/** A request that names no partner, one twice, one of another workspace, or a moment in the future. */
const makeInvalid = (context: ChoiceContext, request: RunRequest, partner: Partner): RunRequest => {
  const { principals, world, intent } = context;
  const stranger = world.partners.find(({ workspaceId }) => workspaceId !== partner.workspaceId);
  return choose<RunRequest>(
    [
      { ...request, partnerIds: [] },
      { ...request, partnerIds: [partner.id, partner.id] },
      { ...request, partnerIds: [partner.id, PartnerId.make(principals.unknown)] },
      { ...request, partnerIds: [stranger?.id ?? partner.id] },
      { ...request, until: world.now + DAY },
      { ...request, currencies: [EUR, EUR] },
    ],
    intent.picks[3],
  );
};

/** The policy of a workspace whose runs approve what they settle, and a few limits of its partner. */
const approvingPolicy = (context: ChoiceContext, { customerId, workspaceId }: Partner): Command => {
  const { picks } = context.intent;
  return {
    type: "write_policy",
    ...callerFor(context, { customerId, workspaceId, partnerId: null }),
    workspaceId,
    partnerId: null,
    terms: {
      autoApprove: { EUR: choose([Number.MAX_SAFE_INTEGER, 1_000, 100_000], picks[1]), USD: 100_000 },
      ...(picks[2] % 3 === 0 ? { fourEyesAbove: amountsAt(picks[2] >> 3) } : {}),
      ...(picks[2] % 4 === 0 ? { minimum: amountsAt(picks[2] >> 4) } : {}),
      ...(picks[1] % 5 === 0 ? { holdDays: 30 } : {}),
      ...(picks[1] % 7 === 0 ? { negative: "carry_forward" } : {}),
      ...(picks[2] % 3 === 1 ? { requireAcceptance: true } : {}),
    },
  };
};

/** A run of a workspace, or of one partner of it; a dry run of the same. */
export const chooseRun = (
  context: ChoiceContext,
  type: "start_run" | "settle_by_run" | "dry_run",
): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const partner = choosePartner(context);
  if (partner === undefined) return null;
  const { autoApprove } = termsOf(world, partner.customerId, partner.workspaceId, partner.id);
  // Runs that approve their drafts would be rare among random policies.
  if (type === "start_run" && eligible && autoApprove === "never" && picks[3] % 2 === 0)
    return approvingPolicy(context, partner);
  const isSingle = type === "settle_by_run" || picks[1] % 3 === 0;
  const request: RunRequest = {
    workspaceId: workspaceFor(context, partner),
    ...(isSingle ? { partnerIds: [partner.id] } : {}),
    ...(picks[2] % 5 === 0
      ? { currencies: choose([[EUR], [USD, EUR], [Currency.make("DKK")]], picks[2] >> 3) }
      : {}),
    ...(picks[2] % 4 === 0 ? { until: world.now - choose([0, 1, DAY, 40 * DAY], picks[2] >> 4) } : {}),
  };
  const input = eligible || picks[3] % 4 === 0 ? request : makeInvalid(context, request, partner);
  const caller = callerFor(context, { ...partner, partnerId: null });
  if (type === "dry_run") return { type, ...caller, idempotency: null, input };
  return { type, ...caller, input };
};
