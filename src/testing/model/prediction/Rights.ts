/** What principals may do and see, written from the rules of principals and independent of the engine's tables. */
import type { Principal } from "../../../domain/Principal.ts";
import type { Command } from "../Command.ts";

/** The person that acts with a principal. */
export const personOf = ({ person, principalId }: Principal): string => person ?? principalId;

/** A permission that a command needs. */
export type Permission =
  | `read ${"attributions" | "schemas" | "partners" | "formulas" | "commissions" | "settlements"}`
  | `write ${"attributions" | "schemas" | "partners" | "formulas" | "settlements"}`
  | "write plans"
  | "write workspace"
  | "accept plan terms"
  | "propose account"
  | "read settlement policy"
  | "write settlement policy"
  | "start settlement run"
  | "start recredit run"
  | "read recredit runs"
  | "approve settlements"
  | "pay settlements"
  | "pay by files"
  | "preview settlements"
  | "simulate formulas"
  | "read profile"
  | "write profile"
  | "write books"
  | "manage keys"
  | "create settlement"
  | "upload document"
  | "dispute settlement";

/** The scope that a permission requires. */
const requiredScope = (permission: Permission): string => {
  switch (permission) {
    case "create settlement":
    case "upload document":
    case "dispute settlement":
    case "accept plan terms":
      return "settlements:write";
    case "propose account":
      return "partners:write";
    case "pay by files":
      return "settlements:pay";
    case "write plans":
      return "formulas:write";
    case "start settlement run":
      return "settlements:write";
    case "start recredit run":
      return "attributions:write";
    case "read recredit runs":
      return "commissions:read";
    case "write workspace":
      return "partners:write";
    case "write settlement policy":
    case "write books":
      return "settlements:approve";
    case "read settlement policy":
    case "preview settlements":
    case "read profile":
      return "settlements:read";
    case "simulate formulas":
      return "formulas:read";
    case "write profile":
    case "manage keys":
      return "keys:admin";
    default: {
      const [verb, noun] = permission.split(" ");
      return `${noun}:${verb}`;
    }
  }
};

const isKindPermitted = ({ kind }: Principal, permission: Permission): boolean => {
  const reads =
    permission.startsWith("read ") &&
    permission !== "read profile" &&
    permission !== "read settlement policy";
  switch (kind) {
    case "customer":
    case "agent":
      return true;
    case "partner":
      return (
        (reads && permission !== "read schemas") ||
        permission === "upload document" ||
        permission === "accept plan terms" ||
        permission === "propose account" ||
        permission === "dispute settlement"
      );
    case "platform":
      return (
        reads ||
        permission === "preview settlements" ||
        permission === "simulate formulas" ||
        permission === "create settlement" ||
        permission === "manage keys"
      );
    case "system":
      return false;
  }
};

/** What concerns every partner, so that a grant of some partners is not enough. */
const OF_EVERY_PARTNER: ReadonlySet<Permission> = new Set<Permission>([
  "write plans",
  "write workspace",
  "write settlement policy",
  "start settlement run",
  "start recredit run",
  "read recredit runs",
]);

/** What concerns the whole customer, so that a grant of some workspaces or partners is not enough. */
const isOfWholeCustomer = (permission: Permission): boolean =>
  permission.endsWith(" profile") || permission === "write books" || permission === "pay by files";

/** True if a principal's kind and scopes include a permission. */
export const isPermitted = (principal: Principal, permission: Permission): boolean =>
  isKindPermitted(principal, permission) &&
  (!OF_EVERY_PARTNER.has(permission) || principal.partnerIds === "*") &&
  (!isOfWholeCustomer(permission) || (principal.partnerIds === "*" && principal.workspaceIds === "*")) &&
  principal.scopes.some((scope) => scope === requiredScope(permission));

const grants = (grant: "*" | ReadonlyArray<string>, id: string): boolean =>
  grant === "*" || grant.some((candidate) => candidate === id);

/** The owner of a record; `partnerId` is null when it belongs to no partner. */
export interface Owner {
  readonly customerId: string;
  readonly workspaceId: string;
  readonly partnerId: string | null;
}

/** True if a principal sees a record. */
export const canSee = (principal: Principal, owner: Owner): boolean =>
  (principal.kind === "platform" || principal.customerId === owner.customerId) &&
  grants(principal.workspaceIds, owner.workspaceId) &&
  (owner.partnerId === null || grants(principal.partnerIds, owner.partnerId));

/** True if a request names a workspace or partner outside the principal's grant. */
export const namesOutsideGrant = (
  principal: Principal,
  workspaceIds: ReadonlyArray<string>,
  partnerIds: ReadonlyArray<string>,
): boolean =>
  workspaceIds.some((id) => !grants(principal.workspaceIds, id)) ||
  partnerIds.some((id) => !grants(principal.partnerIds, id));

/** The commands of a principal; the others come from the worker, the payment provider or the bearer of a token. */
type AuthorizedCommand = Exclude<
  Command,
  {
    type:
      | "move_clock"
      | "work"
      | "report_payment"
      | "recompute"
      | "recompute_after"
      | "roll_out"
      | "read_due"
      | "store_draft"
      | "approve_draft"
      | "start_due_runs"
      | "verify";
  }
>;

const OF_THE_NAME = {
  simulate: "simulate formulas",
  accept_terms: "accept plan terms",
  explain: "read commissions",
  propose_account: "propose account",
  retire_account: "write partners",
  confirm_account: "approve settlements",
  write_workspace: "write workspace",
  create_payment_file: "pay by files",
  hand_over_payment_file: "pay by files",
  discard_payment_file: "pay by files",
  read_statement: "pay by files",
  read_profile: "read profile",
  write_profile: "write profile",
  write_posting_rules: "write books",
} as const;

type NamedCommand = Extract<AuthorizedCommand, { type: keyof typeof OF_THE_NAME }>;

const isNamed = (command: AuthorizedCommand): command is NamedCommand =>
  Object.hasOwn(OF_THE_NAME, command.type);

/** The permission that a command needs. */
export const permissionOf = (command: AuthorizedCommand): Permission => {
  if (isNamed(command)) return OF_THE_NAME[command.type];
  switch (command.type) {
    case "create_partner":
    case "update_partner":
    case "create_link":
    case "update_link":
      return "write partners";
    case "create_schema":
      return "write schemas";
    case "create_attribution":
    case "create_batch":
    case "cancel_attribution":
    case "replace_attribution":
    case "recredit_attribution":
    case "state_received":
      return "write attributions";
    case "create_formula":
    case "update_formula":
    case "withdraw_formula_version":
    case "cancel_formula":
    case "set_formula_values":
      return "write formulas";
    case "create_plan":
    case "update_plan":
    case "withdraw_plan_version":
    case "cancel_plan":
    case "assign":
    case "unassign":
    case "set_plan_values":
      return "write plans";
    case "write_policy":
      return "write settlement policy";
    case "read_policy":
      return "read settlement policy";
    case "recredit_run":
      return "start recredit run";
    case "start_run":
    case "settle_by_run":
    case "dry_run":
      return "start settlement run";
    case "create_settlement":
      return "create settlement";
    case "preview_settlement":
      return "preview settlements";
    case "upload":
      return command.kind === "report" ? "write settlements" : "upload document";
    case "attach":
      return "upload document";
    case "create_key":
    case "revoke_key":
    case "list_keys":
      return "manage keys";
    case "list":
      return `read ${command.kind}s`;
    case "statistics":
      return `read ${command.of}s`;
    case "act":
      return actionDeed(command.action.type);
  }
};

const actionDeed = (type: Extract<Command, { type: "act" }>["action"]["type"]): Permission => {
  switch (type) {
    case "cancel":
      return "write settlements";
    case "dispute":
    case "withdraw_dispute":
    case "comment":
      return "dispute settlement";
    case "approve":
    case "review":
    case "write_off":
    case "resolve_dispute":
    case "choose_payout_account":
      return "approve settlements";
    case "mark_as_paid":
    case "initiate_payment":
    case "return_payment":
    case "fail_payment":
    case "reconcile":
      return "pay settlements";
  }
};
