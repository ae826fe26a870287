/** What every choice depends on, and the choices that all commands share: an item, a caller, a workspace. */
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { CustomerId, PartnerId, WorkspaceId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Command } from "../model/Command.ts";
import type { World } from "../model/world/World.ts";
import { CAPABLE_COUNT, choosePrincipal, PRINCIPAL_COUNT, type Principals } from "../session/Principals.ts";
import type { Intent } from "./Intent.ts";

/** The earlier commands of a run. */
export interface CommandHistory {
  /** The latest commands with an idempotency key or an event id. */
  readonly keyed: ReadonlyArray<Command>;
  /** The number of commands so far; makes keys and event ids unique. */
  readonly count: number;
}

/** Everything a choice depends on. */
export interface ChoiceContext {
  readonly principals: Principals;
  readonly world: World;
  readonly history: CommandHistory;
  readonly intent: Intent;
  /** The partners that credits may name; those of the world where it is absent. */
  readonly creditPartners?: ReadonlyArray<Partner>;
}

/** The item at a pick modulo the length; undefined for an empty list. */
export const chooseIfAny = <Item>(items: ReadonlyArray<Item>, pick: number): Item | undefined =>
  items.length === 0 ? undefined : items[pick % items.length];

/** The item at a pick modulo the length of a non-empty list. */
export const choose = <Item>(items: readonly [Item, ...ReadonlyArray<Item>], pick: number): Item =>
  items[pick % items.length] ?? items[0];

/** The principal of a command, with an idempotency key when the intent has one. */
export const callerFor = (
  { principals, world, history, intent }: ChoiceContext,
  owner: {
    readonly customerId: CustomerId;
    readonly workspaceId: WorkspaceId;
    readonly partnerId: PartnerId | null;
  },
  among = intent.eligible || intent.picks[1] % 3 > 0 ? CAPABLE_COUNT : PRINCIPAL_COUNT,
): {
  readonly principal: Principal;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
} => ({
  principal: choosePrincipal(principals, world, intent.who % among, owner),
  idempotency: intent.keyed
    ? { key: `key-${history.count}`, requestSha256: `request-${history.count}` }
    : null,
});

/** Names of records, with characters that a search may treat as special. */
export const NAMES = ["Nordlys", "Æbleskiver 100 %", "a_b", "ÉCLAIR", "snake\\"] as const;

/** Chooses a customer and one of its workspaces. */
export const chooseWorkspace = ({
  principals,
  intent,
}: ChoiceContext): { readonly customerId: CustomerId; readonly workspaceId: WorkspaceId } =>
  choose(
    [
      { customerId: principals.customers[0], workspaceId: principals.workspaces[0] },
      { customerId: principals.customers[0], workspaceId: principals.workspaces[1] },
      { customerId: principals.customers[1], workspaceId: principals.workspaces[0] },
    ],
    intent.picks[0],
  );

/** Chooses a partner and a schema of the same workspace; of any workspaces when the intent is not eligible. */
export const choosePartnerAndSchema = (
  { world, intent }: ChoiceContext,
  pick: number,
): { readonly partner: Partner; readonly schema: AttributionSchema } | null => {
  const partner = chooseIfAny(world.partners, pick);
  const schema = chooseIfAny(
    world.schemas.filter(
      ({ customerId, workspaceId }) =>
        !intent.eligible || (customerId === partner?.customerId && workspaceId === partner.workspaceId),
    ),
    pick >> 4,
  );
  return partner === undefined || schema === undefined ? null : { partner, schema };
};
