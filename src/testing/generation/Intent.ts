/** Arbitraries of intents: a class of command, whether the record is eligible, and a few free choices. */
import { FastCheck } from "effect";

/** How often each class of command is tried, by weight. */
export const WEIGHTS = {
  create_attribution: 12,
  create_batch: 3,
  cancel_attribution: 5,
  replace_attribution: 4,
  create_formula: 5,
  update_formula: 10,
  cancel_formula: 1,
  create_plan: 1,
  update_plan: 4,
  cancel_plan: 1,
  assign: 5,
  unassign: 3,
  set_values: 8,
  create_settlement: 14,
  preview_settlement: 1,
  /** The next step of an open settlement towards its end. */
  advance: 12,
  approve: 4,
  cancel: 2,
  review: 7,
  write_off: 3,
  mark_as_paid: 3,
  initiate_payment: 5,
  return_payment: 3,
  dispute: 6,
  resolve_dispute: 6,
  reconcile: 3,
  upload: 5,
  write_policy: 2,
  read_policy: 1,
  start_run: 5,
  dry_run: 1,
  start_due_runs: 3,
  work: 4,
  report_payment: 7,
  create_partner: 1,
  update_partner: 3,
  create_schema: 1,
  list: 6,
  statistics: 2,
  simulate: 2,
  explain: 4,
  profile: 2,
  write_workspace: 2,
  accept_terms: 6,
  link: 4,
  create_key: 2,
  revoke_key: 2,
  list_keys: 1,
  verify: 3,
  /** An earlier command again, under the same idempotency key or event id. */
  repeat: 4,
  move_clock: 5,
} as const;

/**
 * A class of command; those after `recredit` and it are chosen for concurrent groups: `recredit` also in place of some links,
 * `state_received` in place of any command of runs in which buyers pay later, `withdraw_dispute` in place of some resolutions,
 * and `comment` in place of some disputes and, like `attach`, some lists. `choose_payout_account` is one of the commands on payout accounts,
 * and `fail_payment` of those on payment files.
 */
export type Class =
  | keyof typeof WEIGHTS
  | "settle_by_run"
  | "recredit"
  | "state_received"
  | "withdraw_dispute"
  | "comment"
  | "choose_payout_account"
  | "fail_payment";

/** An intent. It is resolved against the model's world at its turn, so that it stays meaningful when a run is shrunk. */
export interface Intent {
  readonly class: Class;
  /** True if records are chosen for which the command should succeed. */
  readonly eligible: boolean;
  /** Which principal. */
  readonly who: number;
  /** True if it has an idempotency key. */
  readonly keyed: boolean;
  /** Free choices, each taken modulo what there is to choose from. */
  readonly picks: readonly [number, number, number, number];
}

/** How often an eligible record is chosen, in percent. */
const ELIGIBLE = 85;

const classes = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as Class),
);

const PICK_MAX = 10_000;
const pick = FastCheck.nat(PICK_MAX);

const intent: FastCheck.Arbitrary<Intent> = FastCheck.record({
  class: FastCheck.constantFrom(...classes),
  eligible: FastCheck.nat(99).map((percent) => percent < ELIGIBLE),
  who: FastCheck.nat(99),
  keyed: FastCheck.nat(3).map((item) => item === 3),
  picks: FastCheck.tuple(pick, pick, pick, pick),
});

/** Lists of exactly `length` intents. */
export const intents = (length: number): FastCheck.Arbitrary<ReadonlyArray<Intent>> =>
  FastCheck.array(intent, { minLength: length, maxLength: length, size: "max" });
