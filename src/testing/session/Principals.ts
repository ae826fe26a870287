/** The customers and principals of a run: two customers that share a workspace id, and principals of every kind. */
import { AgentId, CustomerId, type PartnerId, uuidV7, WorkspaceId } from "../../domain/Ids.ts";
import { ALL_SCOPES, type Principal } from "../../domain/Principal.ts";
import type { World } from "../model/world/World.ts";
import type { SeededRandom } from "./SeededRandom.ts";

/** The customers and workspaces of a run. */
export interface Principals {
  readonly customers: readonly [CustomerId, CustomerId];
  /** Both belong to the first customer; the second uses the first of them as its own. */
  readonly workspaces: readonly [WorkspaceId, WorkspaceId];
  readonly agentId: AgentId;
  /** An id that no record has. */
  readonly unknown: string;
}

/** Creates the customers and workspaces of a run from seeded ids. */
export const createPrincipals = ({ bytes }: SeededRandom): Principals => {
  const uuid = () => uuidV7(0, bytes(10));
  return {
    customers: [CustomerId.make(uuid()), CustomerId.make(uuid())],
    workspaces: [WorkspaceId.make(uuid()), WorkspaceId.make(uuid())],
    agentId: AgentId.make(uuid()),
    unknown: uuid(),
  };
};

/** A customer's principal with every scope and no restriction. */
export const owner = (customerId: CustomerId, name = "owner"): Principal => ({
  principalId: `${name}:${customerId}`,
  kind: "customer",
  customerId,
  workspaceIds: "*",
  partnerIds: "*",
  agentId: null,
  scopes: ALL_SCOPES,
});

/** How many principals {@link choosePrincipal} chooses from. */
export const PRINCIPAL_COUNT = 12;
/** How many of the first {@link PRINCIPAL_COUNT} principals may do everything with the record. */
export const CAPABLE_COUNT = 6;

/** Chooses one of several principals in relation to a record of a customer, workspace and perhaps partner. */
export const choosePrincipal = (
  { customers, workspaces, agentId }: Principals,
  world: World,
  who: number,
  of: {
    readonly customerId: CustomerId;
    readonly workspaceId: WorkspaceId;
    readonly partnerId: PartnerId | null;
  },
): Principal => {
  const { customerId, workspaceId, partnerId } = of;
  const whole = owner(customerId);
  const otherWorkspace = workspaces[workspaceId === workspaces[0] ? 1 : 0];
  const others = world.partners.filter((partner) => partner.id !== partnerId).map(({ id }) => id);
  switch (who % PRINCIPAL_COUNT) {
    case 2:
      return { ...whole, principalId: `${whole.principalId} other key`, person: whole.principalId };
    case 3:
      return owner(customerId, "second");
    case 4:
      return { ...whole, principalId: "agent", kind: "agent", agentId };
    case 5:
      return {
        ...whole,
        principalId: "within",
        workspaceIds: [workspaceId],
        partnerIds: partnerId === null ? "*" : [partnerId],
      };
    case 6:
      return { ...whole, principalId: "elsewhere", workspaceIds: [otherWorkspace] };
    case 7:
      return { ...whole, principalId: "other partner", partnerIds: others.slice(0, 1) };
    case 8: {
      const partnerIds = partnerId === null ? others.slice(0, 1) : [partnerId];
      return { ...whole, principalId: "partner", kind: "partner", partnerIds };
    }
    case 9:
      return {
        ...whole,
        principalId: "reader",
        scopes: ALL_SCOPES.filter((scope) => scope.endsWith(":read")),
      };
    case 10:
      return owner(customers[customerId === customers[0] ? 1 : 0]);
    case 11:
      return { ...whole, principalId: "platform", kind: "platform", customerId: null };
    default:
      return whole;
  }
};
