/** The pages of the team but the overview, and what opens on them: loaded together, because together they are smaller than apart. */
import { teamActions } from "../actions/TeamActions.tsx";
import type { Route } from "../data/Route.ts";
import { Heading } from "../parts/Basics.tsx";
import { SaleActions } from "../sales/SaleActions.tsx";
import { Events } from "./Events.tsx";
import { ImportPartners } from "./ImportPartners.tsx";
import { Keys } from "./Keys.tsx";
import { NewRun } from "./NewRun.tsx";
import { Partner } from "./Partner.tsx";
import { PartnerStatement } from "./PartnerStatement.tsx";
import { Partners } from "./Partners.tsx";
import { Payments } from "./Payments.tsx";
import { Plan } from "./Plan.tsx";
import { Plans } from "./Plans.tsx";
import { RecreditRun } from "./RecreditRun.tsx";
import { Run } from "./Run.tsx";
import { Runs } from "./Runs.tsx";
import { Sale } from "./Sale.tsx";
import { Sales } from "./Sales.tsx";
import { Settlement } from "./Settlement.tsx";
import { Settlements } from "./Settlements.tsx";
import { Trial } from "./Trial.tsx";
import { Webhook } from "./Webhook.tsx";
import { Webhooks } from "./Webhooks.tsx";

export { FindDialog } from "../parts/FindDialog.tsx";
export { FirstRun } from "../start/FirstRun.tsx";

const NoPage = () => (
  <>
    <Heading title="There is no such page" />
    <p>
      <a href="#/">To the overview</a>
    </p>
  </>
);

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
    case "plans":
      return <Plans route={route} />;
    case "events":
      return <Events route={route} />;
    case "webhooks":
      return <Webhooks route={route} />;
    case "keys":
      return <Keys route={route} />;
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
      return id === "import" ? <ImportPartners /> : <Partner key={id} id={id} />;
    case "sales":
      return <Sale key={id} id={id} actions={SaleActions} />;
    case "plans":
      return <Plan key={id} id={id} />;
    case "trials":
      return <Trial key={id} id={id} />;
    case "recredits":
      return <RecreditRun key={id} id={id} />;
    case "webhooks":
      return <Webhook key={id} id={id} route={route} />;
    case "runs":
      return id === "new" ? <NewRun route={route} /> : <Run key={id} id={id} />;
    default:
      return <ListPage route={route} />;
  }
};
