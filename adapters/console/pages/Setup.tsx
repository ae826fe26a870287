/** The pages that a team needs when it sets something up or looks something up: loaded apart from those of each month. */
import type { Route } from "../data/Route.ts";
import { NoPage } from "../parts/NoPage.tsx";
import { Books } from "./Books.tsx";
import { CompanyPage } from "./Company.tsx";
import { Events } from "./Events.tsx";
import { ImportPartners } from "./ImportPartners.tsx";
import { ImportSales } from "./ImportSales.tsx";
import { Keys } from "./Keys.tsx";
import { Month } from "./Month.tsx";
import { isMonth, Months } from "./Months.tsx";
import { Plan } from "./Plan.tsx";
import { Plans } from "./Plans.tsx";
import { PostingRules } from "./PostingRules.tsx";
import { RecreditRun } from "./RecreditRun.tsx";
import { Trial } from "./Trial.tsx";
import { Webhook } from "./Webhook.tsx";
import { Webhooks } from "./Webhooks.tsx";

export { FirstRun } from "../start/FirstRun.tsx";

/** The page of an address, by its first word; an import has an address below that of its list. */
export const SetupPage = ({ route }: { readonly route: Route }) => {
  const [name, id, label = ""] = route.path;
  switch (name) {
    case "partners":
      return <ImportPartners />;
    case "sales":
      return <ImportSales />;
    case "books":
      if (id === "rules") return <PostingRules />;
      if (id !== "months") return <Books route={route} />;
      return isMonth(label) ? <Month key={label} label={label} /> : label === "" ? <Months /> : <NoPage />;
    case "plans":
      return id === undefined ? <Plans route={route} /> : <Plan key={id} id={id} />;
    case "company":
      return <CompanyPage />;
    case "events":
      return <Events route={route} />;
    case "webhooks":
      return id === undefined ? <Webhooks route={route} /> : <Webhook key={id} id={id} route={route} />;
    case "keys":
      return <Keys route={route} />;
    case "trials":
      return id === undefined ? <NoPage /> : <Trial key={id} id={id} />;
    case "recredits":
      return id === undefined ? <NoPage /> : <RecreditRun key={id} id={id} />;
    default:
      return <NoPage />;
  }
};
