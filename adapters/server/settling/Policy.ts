/** The work of `quittance policy`. */
import type { Command } from "commander";
import { Effect } from "effect";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { print, printTable } from "../Output.ts";
import type { Shell, Task } from "../Shell.ts";
import { expectStatus, onTarget, type Target } from "../Target.ts";

/** The workspace, or the partner in it, that a policy belongs to. */
export interface PolicyOwner {
  readonly workspace: string;
  readonly partner?: string;
}

/** The fields that the command line names. */
export interface Change {
  readonly holdDays?: string;
  readonly minimum?: string;
  readonly cadence?: string;
  readonly autoApprove?: string;
  readonly fourEyesAbove?: string;
  readonly negative?: string;
  readonly invoiceTaxBps?: string;
  readonly requireAcceptance?: string;
}

type Body = Readonly<Record<string, unknown>>;

/** The fields that a write takes. */
const FIELDS = [
  "hold_days",
  "minimum",
  "cadence",
  "auto_approve",
  "four_eyes_above",
  "negative",
  "invoice_tax_bps",
  "require_acceptance",
] as const;

/** In place of a value: the field of a partner follows its workspace. */
const FOLLOWS = "workspace";

const pathOf = ({ workspace, partner }: PolicyOwner): string =>
  `settlement-policies/${encodeURIComponent(workspace)}${
    partner === undefined ? "" : `/partners/${encodeURIComponent(partner)}`
  }`;

const readPolicy = (target: Target, owner: PolicyOwner) =>
  Effect.flatMap(target.request("GET", pathOf(owner)), (reply) =>
    expectStatus<Body>(reply, 200, "the policy cannot be shown"),
  );

const formatValue = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** `quittance policy show`. */
export const show = (command: Command, shell: Shell, owner: PolicyOwner, json: boolean): Task =>
  onTarget(command, shell, (target) =>
    Effect.flatMap(readPolicy(target, owner), (policy) =>
      json
        ? print(JSON.stringify(policy))
        : printTable(
            ["field", "value"],
            Object.entries(policy).map(([name, value]) => [name, formatValue(value)]),
          ),
    ),
  );

/** Amounts by currency: `EUR=5000,USD=5000`. */
const amounts = (option: string, text: string): Effect.Effect<Body, CommandFailed> => {
  const pairs = text.split(",").map((pair) => /^\s*([A-Z]{3})=([0-9]{1,16})\s*$/.exec(pair));
  if (pairs.includes(null))
    return usageError(
      `${option} must be amounts by currency in smallest units, such as EUR=5000, not "${text}"`,
    );
  const amountByCurrency = new Map(pairs.map((pair) => [pair?.[1] ?? "", Number(pair?.[2])]));
  return amountByCurrency.size < pairs.length
    ? usageError(`${option} must name a currency once, not "${text}"`)
    : Effect.succeed(Object.fromEntries(amountByCurrency));
};

const cadenceOf = (text: string): unknown => {
  const [type, day, zone] = text.split(",").map((part) => part.trim());
  return day === undefined ? type : { type, day: Number(day), time_zone: zone ?? "" };
};

/** `yes` and `no`; the interface refuses anything else. */
const yesOrNo = (text: string | undefined): unknown => (text === "yes" ? true : text === "no" ? false : text);

/** The fields of the command line as the interface takes them. */
const changesOf = (change: Change): Effect.Effect<Body, CommandFailed> =>
  Effect.gen(function* () {
    const { holdDays, minimum, cadence, autoApprove, fourEyesAbove, negative, invoiceTaxBps } = change;
    const { requireAcceptance } = change;
    const fields: Record<string, unknown> = {};
    const set = (name: string, text: string | undefined, value: unknown): void => {
      if (text !== undefined) fields[name] = text === FOLLOWS ? null : value;
    };
    const byCurrency = (option: string, text: string | undefined, word: string, none: unknown) =>
      text === undefined || text === FOLLOWS || text === word ? Effect.succeed(none) : amounts(option, text);
    set("hold_days", holdDays, Number(holdDays));
    set("minimum", minimum, yield* byCurrency("--minimum", minimum, "none", {}));
    set("cadence", cadence, cadenceOf(cadence ?? ""));
    set("auto_approve", autoApprove, yield* byCurrency("--auto-approve", autoApprove, "never", "never"));
    set("four_eyes_above", fourEyesAbove, yield* byCurrency("--four-eyes-above", fourEyesAbove, "none", {}));
    set("negative", negative, negative);
    set("invoice_tax_bps", invoiceTaxBps, invoiceTaxBps === "unknown" ? "unknown" : Number(invoiceTaxBps));
    set("require_acceptance", requireAcceptance, yesOrNo(requireAcceptance));
    return fields;
  });

/** `quittance policy set`. */
export const set = (command: Command, shell: Shell, owner: PolicyOwner, change: Change): Task =>
  onTarget(command, shell, (target) =>
    Effect.gen(function* () {
      const changes = yield* changesOf(change);
      if (Object.keys(changes).length === 0)
        return yield* usageError("policy set takes at least one field, such as --hold-days; see --help");
      const before = yield* readPolicy(target, owner);
      const current = Object.fromEntries(FIELDS.map((name) => [name, before[name]]));
      const reply = yield* target.request("PUT", pathOf(owner), { ...current, ...changes });
      yield* expectStatus(reply, 200, "nothing was changed");
      yield* print("changed");
    }),
  );
