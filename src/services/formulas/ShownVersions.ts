/** Formulas and plans as they are shown: which version holds, and which are ahead, follows from the clock and is never stored. */
import { Clock, Effect } from "effect";
import { type Shown, show, type Terms } from "../../domain/Formula.ts";
import type { Listing } from "../commands/Listing.ts";

/** The page with every formula or plan as it is shown now. */
export const listAsShown = <Listed extends Terms, E>(
  page: Effect.Effect<Listing<Listed>, E>,
): Effect.Effect<Listing<Shown<Listed>>, E> =>
  Effect.zipWith(page, Clock.currentTimeMillis, (found, now) => ({
    ...found,
    items: found.items.map((item) => show(item, now)),
  }));
