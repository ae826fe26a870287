/** The pages of each month, and what opens on them: loaded together, because together they are smaller than apart. */
import { teamActions } from "../actions/TeamActions.tsx";
import type { Route } from "../data/Route.ts";
import { NoPage } from "../parts/NoPage.tsx";
import { SaleActions } from "../sales/SaleActions.tsx";
import { NewRun } from "./NewRun.tsx";
import { Partner } from "./Partner.tsx";
import { PartnerStatement } from "./PartnerStatement.tsx";
import { Partners } from "./Partners.tsx";
import { Payments } from "./Payments.tsx";
import { Run } from "./Run.tsx";
import { Runs } from "./Runs.tsx";
import { Sale } from "./Sale.tsx";
import { Sales } from "./Sales.tsx";
import { Settlement } from "./Settlement.tsx";
import { Settlements } from "./Settlements.tsx";

export { FindDialog } from "../parts/FindDialog.tsx";

/** The page of a list. */
const ListPage = ({ route }: { readonly route: Route }) => {
  switch (route.path[0]) {
    case "settlements":
      return <Settlements route={route} />;
    case "runs":
      return <Runs route={route} />;
    case "payments":
      return <Payments route={route} />;
    case "partners":
      return <Partners route={route} />;
    case "sales":
      return <Sales route={route} />;
    default:
      return <NoPage />;
  }
};

/** The page of an address: of one record, or of a list. */
export const RecordPage = ({ route }: { readonly route: Route }) => {
  const [name, id, part] = route.path;
  if (id === undefined) return <ListPage route={route} />;
  switch (name) {
    case "settlements":
      return <Settlement key={id} id={id} actionsOf={teamActions} />;
    case "partners":
      if (part === "statement") return <PartnerStatement key={id} id={id} route={route} />;
      return <Partner key={id} id={id} />;
    case "sales":
      return <Sale key={id} id={id} actions={SaleActions} />;
    case "runs":
      return id === "new" ? <NewRun route={route} /> : <Run key={id} id={id} />;
    default:
      return <ListPage route={route} />;
  }
};
