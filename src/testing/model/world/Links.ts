/** Links of partners in the model: their places, checked by following every chain at every instant at which one changes. */
import type { Link, World } from "./World.ts";

/** Most links of a chain. */
const DEPTH_MAX = 16;

/** A link, perhaps a new one. */
type Placed = Omit<Link, "id">;

/** True if a link holds at a moment. */
export const holdsAt = (
  { startDatetime, endDatetime }: Pick<Placed, "startDatetime" | "endDatetime">,
  moment: number,
): boolean => startDatetime <= moment && (endDatetime === null || moment < endDatetime);

/** What is wrong with links of one role at an instant; null if nothing. */
const wrongAt = (links: ReadonlyArray<Placed>, moment: number) => {
  const above = new Map<string, string>();
  for (const link of links) {
    if (!holdsAt(link, moment)) continue;
    if (above.has(link.partnerId)) return "link_overlap";
    above.set(link.partnerId, link.uplinePartnerId);
  }
  for (const start of above.keys()) {
    let length = 0;
    for (let at = above.get(start); at !== undefined && length <= above.size; at = above.get(at)) length++;
    if (length > above.size) return "link_loop";
    if (length > DEPTH_MAX) return "link_depth";
  }
  return null;
};

/** Why a link cannot be among the others; null when it can. What the links change to at a moment begins with one of them. */
export const misplacement = (world: World, link: Placed & { readonly id: string | null }) => {
  const links = [
    ...world.links.filter(
      ({ id, customerId, role }) => id !== link.id && customerId === link.customerId && role === link.role,
    ),
    link,
  ];
  const found = links.map(({ startDatetime }) => wrongAt(links, startDatetime));
  return (
    (["link_overlap", "link_loop", "link_depth"] as const).find((token) => found.includes(token)) ?? null
  );
};
