/** The partners to which a list is restricted, by the links of other pages; a click on a name removes it. */
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import type { Route } from "../data/Route.ts";
import { shortId } from "../format/Ids.ts";
import { Chips } from "./Filters.tsx";

export const PartnerFilter = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const ids = route.query.getAll("partnerIds");
  const { value } = useLoad(`partners/${ids}`, (signal) => client.byIds("partners", ids, signal));
  return ids.length === 0 ? null : (
    <Chips
      route={route}
      name="partnerIds"
      label="Partner"
      options={ids.map((id) => [id, value?.get(id)?.name ?? shortId(id)] as const)}
    />
  );
};
