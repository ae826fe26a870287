/** Turns intents into sales that were settled elsewhere; in some runs, history is moved in. */
import type { Create } from "../../domain/Attribution.ts";
import { DAY } from "../model/world/Time.ts";
import type { Attribution } from "../model/world/World.ts";
import { type ChoiceContext, choose } from "./ChoiceContext.ts";

/** The last digits of the customers of such runs: in those of 4, buyers pay later as well. The other runs stay as they are. */
const DIGITS: ReadonlyArray<string> = ["1", "4", "9", "d"];

const movesIn = ({ principals }: Pick<ChoiceContext, "principals">): boolean =>
  DIGITS.includes(principals.customers[0].slice(-1));

type Chosen = Pick<Create, "occurredAt" | "settledElsewhere">;

/** When a sale of a date was settled elsewhere, for some: the same moment, a day later, now; refused moments where it may be. One without a date gets that of now. */
export const chooseElsewhere = (context: ChoiceContext, occurredAt: number | undefined): Chosen => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  if (!movesIn(context) || picks[0] % 3 === 0) return {};
  const { now } = world;
  if (occurredAt === undefined)
    return {
      ...(eligible || picks[2] % 2 === 0 ? { occurredAt: now } : {}),
      settledElsewhere: { at: now },
    };
  const refused = [occurredAt - 1, now + 1, now + DAY] as const;
  const at =
    !eligible && picks[1] % 4 === 0
      ? choose(refused, picks[2])
      : choose([occurredAt, Math.min(occurredAt + DAY, now), now], picks[2]);
  if (at < 0 || (eligible && occurredAt > now)) return {};
  return { settledElsewhere: { at, ...(picks[2] % 5 < 2 ? { reference: `payout ${picks[2] % 5}` } : {}) } };
};

/** The same as it was recorded, for most; of another moment or none for some. */
export const repeatElsewhere = ({ settledElsewhere }: Attribution, pick: number): Chosen => {
  if (settledElsewhere === null || pick % 4 === 0) return {};
  const { at, reference } = settledElsewhere;
  return {
    settledElsewhere: { at: pick % 4 === 1 ? at - 1 : at, ...(reference === null ? {} : { reference }) },
  };
};
