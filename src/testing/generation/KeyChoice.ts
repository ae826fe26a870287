/** Turns intents about API keys and billing profiles into commands. */

import type { Create } from "../../domain/ApiKey.ts";
import type { Write } from "../../domain/BillingProfile.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Command } from "../model/Command.ts";
import { HOUR } from "../model/world/Time.ts";
import type { Key } from "../model/world/World.ts";
import { PRINCIPAL_COUNT } from "../session/Principals.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny, chooseWorkspace } from "./ChoiceContext.ts";

/** The legal data of a customer. */
export const LEGAL_DATA: Write = {
  legalName: "Fjord A/S",
  address: { street: "Bredgade 1", city: "København", region: "", postalCode: "1260", country: "DK" },
  vatNumber: "DK87654321",
};

/** The account from which a customer pays. */
export const OWN_ACCOUNT = {
  ...{ beneficiaryName: "Fjord A/S", iban: "DK5000400440116243", bic: "DABADKKK" },
};

const LEGAL_NAMES = ["Fjord A/S", "Æble & Søn", " "] as const;

type EInvoicing = Pick<Write, "eInvoice" | "electronicAddress" | "vatNumberType">;

/** How e-invoices are required; the last two are not valid, or for a buyer without an address. */
const E_INVOICES: readonly [EInvoicing, ...ReadonlyArray<EInvoicing>] = [
  {},
  { eInvoice: "required" },
  { eInvoice: "optional" },
  { electronicAddress: "0184:DK87654321" },
  { eInvoice: "optional", electronicAddress: "invoices@fjord.example", vatNumberType: "tax" },
  { electronicAddress: "invoices@fjord.example" },
  { eInvoice: "required", electronicAddress: "invoices@fjord.example" },
];

/** Legal notes; all but the first are not valid. */
const LEGAL_NOTES = ["SIREN 732 829 320", "one\ttwo", " "] as const;

type Numbering = Pick<Write, "invoicePrefix" | "documentNumbers">;

/** How documents are numbered; the last two are not valid. */
const NUMBERINGS: readonly [Numbering, ...ReadonlyArray<Numbering>] = [
  { invoicePrefix: "F-" },
  {},
  { documentNumbers: { prefix: "HM", year: true } },
  { documentNumbers: { prefix: "HM", separator: "/", series: "partner" } },
  {
    documentNumbers: {
      prefix: "F.1",
      correctionPrefix: "R.1",
      separator: ".",
      year: false,
      series: "customer",
    },
  },
  { documentNumbers: { prefix: "F-" } },
  { invoicePrefix: "F-", documentNumbers: { prefix: "F" } },
];

/** Read or write a billing profile. */
export const chooseReadOrWriteProfile = (context: ChoiceContext): Command => {
  const { eligible, picks } = context.intent;
  const by = callerFor(context, { ...chooseWorkspace(context), partnerId: null });
  if (picks[1] % 3 === 0) return { type: "read_profile", ...by, idempotency: null };
  const input: Write = {
    ...LEGAL_DATA,
    legalName: choose(LEGAL_NAMES, eligible ? picks[2] % 2 : picks[2]),
    ...(context.world.policy.files && (eligible || picks[2] % 2 === 0) ? { bankAccount: OWN_ACCOUNT } : {}),
    ...choose(NUMBERINGS, eligible ? picks[3] % 5 : picks[3]),
    ...choose(E_INVOICES, eligible ? (picks[1] >> 2) % 6 : picks[1] >> 2),
    ...(picks[2] % 4 === 1 ? { registrationNumber: "0002:732829320" } : {}),
    ...(picks[3] % 3 === 0 ? { language: "de" as const } : {}),
    ...(picks[2] % 4 === 3 ? { buyerReference: eligible ? "04011000-1234512345-06" : " " } : {}),
    ...(picks[3] % 4 === 1 ? { legalNote: eligible ? "HRB 1\nBerlin" : choose(LEGAL_NOTES, picks[2]) } : {}),
  };
  return { type: "write_profile", ...by, input };
};

/** The principal itself, or one with few scopes or soon at its end, so that its keys can have no more. */
const choosePrincipalForKeys = (principal: Principal, pick: number, now: number): Principal =>
  pick % 4 === 0
    ? { ...principal, principalId: `${principal.principalId} clerk`, scopes: ["keys:admin", "partners:read"] }
    : pick % 4 === 1
      ? {
          ...principal,
          principalId: `${principal.principalId} guest`,
          expiresAt: now + (pick % 8 === 1 ? 1 : 2) * HOUR,
        }
      : principal;

/** The request for a new key; valid when the intent is eligible. */
const chooseKeyRequest = ({ principals, world, intent }: ChoiceContext, principal: Principal): Create => {
  const { eligible, picks } = intent;
  const [, kind, reach, end] = picks;
  const partnerIds = world.partners
    .filter(({ customerId }) => customerId === principal.customerId)
    .map(({ id }) => id)
    .slice(reach % 3, (reach % 3) + 2);
  const { agentId } = principals;
  const request: Create = eligible
    ? choose<Create>(
        [{}, { kind: "partner", partnerIds }, { kind: "agent", agentId }, { name: "till" }],
        kind,
      )
    : choose<Create>(
        [
          { kind: "partner", partnerIds: [] },
          { kind: "agent" },
          { agentId },
          { kind: "partner", partnerIds: "*", customerId: principals.customers[1] },
          { customerId: choose(principals.customers, reach) },
          { name: " " },
          { workspaceIds: "*", partnerIds: "*" },
          { scopes: ["keys:admin", "settlements:pay"] },
        ],
        kind,
      );
  return {
    ...request,
    ...(principal.kind === "platform" ? { customerId: choose(principals.customers, reach) } : {}),
    ...(reach % 4 === 1 ? { workspaceIds: [choose(principals.workspaces, end)] } : {}),
    ...(reach % 5 === 2 ? { scopes: ["partners:read", "commissions:read"] } : {}),
    ...(end % 5 === 0 ? { person: eligible ? (principal.person ?? principal.principalId) : "mallory" } : {}),
    ...(end % 3 === 0 ? { expiresAt: world.now + (eligible ? HOUR : end % 2 === 0 ? 2 * HOUR : -1) } : {}),
  };
};

export const chooseCreateKey = (context: ChoiceContext): Command => {
  const { intent } = context;
  // Replays of create_key differ from those of other commands, so idempotency keys are more frequent here.
  const keyed = { ...context, intent: { ...intent, keyed: intent.keyed || intent.picks[2] % 2 === 0 } };
  const by = callerFor(keyed, { ...chooseWorkspace(context), partnerId: null });
  const principal = choosePrincipalForKeys(by.principal, context.intent.picks[3], context.world.now);
  return { type: "create_key", ...by, principal, input: chooseKeyRequest(context, principal) };
};

/** Chooses one of the latest keys; one that is not revoked when the intent is eligible and there is one. */
const chooseKey = ({ world, intent }: ChoiceContext): Key | undefined => {
  const [pick] = intent.picks;
  const usable = world.keys.filter(({ revokedAt }) => revokedAt === null);
  return chooseIfAny((intent.eligible && usable.length > 0 ? usable : world.keys).slice(-6), pick);
};

export const chooseRevokeKey = (context: ChoiceContext): Command | null => {
  const { principals, intent } = context;
  const key = chooseKey(context);
  if (key === undefined) return null;
  const workspaceId = principals.workspaces[0];
  const by = callerFor(context, { customerId: key.customerId, workspaceId, partnerId: null });
  const id = !intent.eligible && intent.picks[2] % 3 === 0 ? principals.unknown : key.id;
  return { type: "revoke_key", ...by, id };
};

/** List keys; not as the platform, which would see the keys of other runs. */
export const chooseListKeys = (context: ChoiceContext): Command | null => {
  const { eligible, picks } = context.intent;
  const by = callerFor(context, { ...chooseWorkspace(context), partnerId: null }, PRINCIPAL_COUNT);
  if (by.principal.kind === "platform") return null;
  const perPage = eligible ? choose([10, 2, 100], picks[1]) : choose([0, 101, 2], picks[1]);
  return { type: "list_keys", ...by, idempotency: null, page: 1 + (picks[2] % 3), perPage };
};

/** Verify a token: a key's own, or a forged one. */
export const chooseVerify = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const key = eligible && picks[1] % 4 > 0 ? chooseKey(context) : chooseIfAny(world.keys, picks[0]);
  const other = chooseIfAny(world.keys, picks[2]);
  if (key === undefined || other === undefined) return null;
  const { token } = key;
  const forgeries = [
    `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
    `${token.slice(0, 20)}${other.token.slice(20)}`,
    `qk_${"0".repeat(16)}${token.slice(19)}`,
    token.toUpperCase(),
    `${token} `,
    "",
  ] as const;
  return { type: "verify", token: eligible ? token : choose(forgeries, picks[3]) };
};
