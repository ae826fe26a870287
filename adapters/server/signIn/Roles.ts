/** The roles of people who sign in, each with the scopes of its sessions. */
import { Principal } from "quittance";
import type { Role } from "../settings/SignIn.ts";

/** Reads everything except the whole details of payout accounts. */
const VIEWER: ReadonlyArray<Principal.Scope> = Principal.ALL_SCOPES.filter(
  (scope) => scope.endsWith(":read") && scope !== "payouts:read",
);

/**
 * What each role may do. Whoever drafts and pays does not approve, and whoever approves does neither; a person may have several
 * roles.
 */
export const ROLES = {
  viewer: VIEWER,
  operator: [
    ...VIEWER,
    "attributions:write",
    "schemas:write",
    "partners:write",
    "formulas:write",
    "settlements:write",
    "settlements:pay",
    "payouts:read",
  ],
  approver: [...VIEWER, "settlements:approve", "payouts:read"],
  admin: Principal.ALL_SCOPES,
} as const satisfies Readonly<Record<Role, ReadonlyArray<Principal.Scope>>>;

/** The scopes of several roles, in their usual order. */
export const scopesOf = (roles: ReadonlyArray<Role>): ReadonlyArray<Principal.Scope> => {
  const granted = new Set<Principal.Scope>(roles.flatMap((role) => ROLES[role]));
  return Principal.ALL_SCOPES.filter((scope) => granted.has(scope));
};
