/** What the races of chosen commands have in common: the commands on the records that the set-up creates, and how a race is run. */
import { type Command, type ModelSession, runPreemptions } from "quittance/testing";
import { layer } from "./memoryStore.ts";
import { first } from "./raceRegressions.ts";

/** Creates a command from the session at its turn. */
export type Create = (session: ModelSession) => Command;
export type CommandOf<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;

export const DAY = 86_400_000;

/** The owner of the records. */
export const caller = (session: ModelSession) => {
  const { principal, idempotency } = first(session);
  return { principal, idempotency };
};

/** The partner, schema and workspace of the first formula. */
export const placeOf = (session: ModelSession) => {
  const { partnerId, schemaId, workspaceId } = first(session).formula;
  return { partnerId, schemaId, workspaceId };
};

/** A sale of a value, which the other commands name it by. */
export const sell =
  (orderValue: number): Create =>
  (session) => ({
    type: "create_attribution",
    ...caller(session),
    input: { ...placeOf(session), properties: { order_value: orderValue } },
  });

/** Cancels the sale of a value. */
export const refund =
  (orderValue: number): Create =>
  (session) => {
    const { partnerId } = placeOf(session);
    const sold = session.world.attributions.find(
      (attribution) =>
        attribution.partnerId === partnerId && attribution.properties.order_value === orderValue,
    );
    if (sold === undefined) throw new Error(`nothing was sold for ${orderValue}`);
    return { type: "cancel_attribution", ...caller(session), id: sold.id, reason: "refunded" };
  };

/** Replaces a sale by one of another value. */
export const replace =
  (orderValue: number, by: number): Create =>
  (session) => {
    const { id } = refund(orderValue)(session) as CommandOf<"cancel_attribution">;
    const input = { properties: { order_value: by }, reason: "corrected" };
    return { type: "replace_attribution", ...caller(session), id, input };
  };

/** A plan of a fifth of every sale. */
export const createPlan: Create = (session) => {
  const { schemaId, workspaceId } = placeOf(session);
  return {
    type: "create_plan",
    ...caller(session),
    input: {
      schemaId,
      workspaceId,
      name: "Shared",
      currency: first(session).formula.currency,
      startDatetime: session.world.now - DAY,
      endDatetime: null,
      plan: { type: "percent", rate: 20 },
    },
  };
};

/** The plan of {@link createPlan}. */
export const planOf = ({ world }: ModelSession) => {
  const [plan] = world.plans;
  if (plan === undefined) throw new Error("the plan was created");
  return plan;
};

/** Assigns the partner to the plan. */
export const assign =
  (input: Partial<CommandOf<"assign">["input"]> = {}): Create =>
  (session) => ({
    type: "assign",
    ...caller(session),
    id: planOf(session).id,
    input: { partnerIds: [placeOf(session).partnerId], ...input },
  });

const OTHER_NAME = "Mira";

/** Creates another partner of the workspace. */
export const recruit: Create = (session) => ({
  type: "create_partner",
  ...caller(session),
  input: { name: OTHER_NAME, workspaceId: placeOf(session).workspaceId },
});

/** The partners that {@link recruit} created: one, or none. */
const recruited = ({ world }: ModelSession) => world.partners.filter(({ name }) => name === OTHER_NAME);

/** The partner that {@link recruit} created. */
export const otherPartner = (session: ModelSession) => {
  const [other] = recruited(session);
  if (other === undefined) throw new Error("there is no other partner");
  return other;
};

/** Commands that run concurrently, and those before them. */
export interface Race {
  readonly name: string;
  readonly before: ReadonlyArray<Create>;
  readonly commands: ReadonlyArray<Create>;
}

/** Runs the commands of a race in every order with one preemption, or in every `stride`th; returns the number of orders. */
export const run = ({ before, commands }: Race, stride = 1): Promise<number> =>
  runPreemptions(
    {
      layer,
      isSynchronous: true,
      seed: 1,
      before,
      group: (session) => {
        const { customerId, partnerId } = first(session).formula;
        return {
          customerId,
          partnerIds: [partnerId, ...recruited(session).map(({ id }) => id)],
          commands: commands.map((create) => create(session)),
        };
      },
    },
    stride,
  );
