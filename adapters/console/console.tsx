/** The console for a customer's finance team. */
import { render } from "preact";
import { teamActions } from "./actions/TeamActions.tsx";
import type { Principal, Scope } from "./api/Records.ts";
import { type Route, useRoute } from "./data/Route.ts";
import { Events } from "./pages/Events.tsx";
import { Keys } from "./pages/Keys.tsx";
import { NewRun } from "./pages/NewRun.tsx";
import { Overview } from "./pages/Overview.tsx";
import { PartnerStatement } from "./pages/PartnerStatement.tsx";
import { Partners } from "./pages/Partners.tsx";
import { Plans } from "./pages/Plans.tsx";
import { Run } from "./pages/Run.tsx";
import { Runs } from "./pages/Runs.tsx";
import { Settlement } from "./pages/Settlement.tsx";
import { Settlements } from "./pages/Settlements.tsx";
import { Webhooks } from "./pages/Webhooks.tsx";
import { Empty, Heading } from "./parts/Basics.tsx";
import { Find } from "./parts/Find.tsx";
import { Frame } from "./parts/Frame.tsx";
import { Later } from "./parts/Later.tsx";
import { RequireSignIn } from "./parts/SignIn.tsx";

/** The pages, each with the scope that it requires. */
const PAGES: ReadonlyArray<readonly [path: string, words: string, scope: Scope | ""]> = [
  ["", "Overview", "commissions:read"],
  ["settlements", "Settlements", "settlements:read"],
  ["runs", "Runs", "settlements:read"],
  ["payments", "Payments", "settlements:read"],
  ["partners", "Partners", "partners:read"],
  ["sales", "Sales", "attributions:read"],
  ["plans", "Plans", "formulas:read"],
  ["builder", "Plan builder", ""],
  ["events", "Events", "events:read"],
  ["webhooks", "Webhooks", "events:read"],
  ["keys", "Keys", "keys:admin"],
];

const navigationOf = ({ scopes }: Principal) =>
  PAGES.filter(([, , scope]) => scope === "" || scopes.includes(scope)).map(([path, words]) => ({
    path,
    words,
  }));

const Missing = ({ scope }: { readonly scope: string }) => (
  <>
    <Heading title="This key may not see that" />
    <Empty title={`It lacks ${scope}`}>
      Ask an administrator for a key with that right, or sign in with another key.
    </Empty>
  </>
);

const loadRecords = () => import("./pages/Records.tsx");

const Page = ({ route, principal }: { readonly route: Route; readonly principal: Principal }) => {
  const [name = "", id, part] = route.path;
  const scope = PAGES.find(([path]) => path === name)?.[2] ?? "";
  if (scope !== "" && !principal.scopes.includes(scope)) return <Missing scope={scope} />;
  switch (name) {
    case "":
      return <Overview />;
    case "settlements":
      return id === undefined ? (
        <Settlements route={route} />
      ) : (
        <Settlement key={id} id={id} actionsOf={teamActions} />
      );
    case "partners":
      if (id === undefined) return <Partners route={route} />;
      return part === "statement" ? (
        <PartnerStatement key={id} id={id} route={route} />
      ) : (
        <Later what="the partner" load={loadRecords}>
          {({ Partner }) => <Partner key={id} id={id} />}
        </Later>
      );
    case "sales":
      return (
        <Later what="the sales" load={loadRecords}>
          {({ Sales, TeamSale }) =>
            id === undefined ? <Sales route={route} /> : <TeamSale key={id} id={id} />
          }
        </Later>
      );
    case "payments":
      return (
        <Later what="the payments" load={loadRecords}>
          {({ Payments }) => <Payments route={route} />}
        </Later>
      );
    case "plans":
      if (id === undefined) return <Plans route={route} />;
      return (
        <Later what="the plan" load={loadRecords}>
          {({ Plan }) => <Plan key={id} id={id} />}
        </Later>
      );
    case "trials":
      if (id === undefined) return <NoPage />;
      return (
        <Later what="the trial" load={loadRecords}>
          {({ Trial }) => <Trial key={id} id={id} />}
        </Later>
      );
    case "recredits":
      if (id === undefined) return <NoPage />;
      return (
        <Later what="the run" load={loadRecords}>
          {({ RecreditRun }) => <RecreditRun key={id} id={id} />}
        </Later>
      );
    case "builder":
      return (
        <Later what="the plan builder" load={() => import("./builder/Builder.tsx")}>
          {({ Builder }) => <Builder route={route} />}
        </Later>
      );
    case "webhooks":
      if (id === undefined) return <Webhooks route={route} />;
      return (
        <Later what="the endpoint" load={loadRecords}>
          {({ Webhook }) => <Webhook key={id} id={id} route={route} />}
        </Later>
      );
    case "runs":
      if (id === undefined) return <Runs route={route} />;
      return id === "new" ? <NewRun route={route} /> : <Run key={id} id={id} />;
    case "events":
      return <Events route={route} />;
    case "keys":
      return <Keys route={route} />;
    default:
      return <NoPage />;
  }
};

const NoPage = () => (
  <>
    <Heading title="There is no such page" />
    <p>
      <a href="#/">To the overview</a>
    </p>
  </>
);

const ForPartners = () => (
  <>
    <Heading title="This is a partner's key" />
    <Empty title="Use the partner portal">
      <a href="../portal/">Open the partner portal</a>. You stay signed in.
    </Empty>
  </>
);

/** The page that a key sees first: the overview, or else the first page that it may see. */
const landing = (route: Route, principal: Principal): Route => {
  const pages = navigationOf(principal);
  const [first] = pages;
  return route.path.length > 0 || first === undefined || first.path === ""
    ? route
    : { ...route, path: [first.path] };
};

const WithoutOverview = () => (
  <div class="notice wait">
    <strong>This key does not show the overview</strong>
    <p>
      It lacks commissions:read. Ask an administrator for a key with that right, or sign out and use another
      key. The navigation lists what this key may see.
    </p>
  </div>
);

const ForTeam = ({ route, principal }: { readonly route: Route; readonly principal: Principal }) => {
  const shown = landing(route, principal);
  return (
    <Frame
      name="Quittance"
      navigation={navigationOf(principal)}
      route={shown}
      find={<Find pages={navigationOf(principal)} />}
    >
      {shown !== route && <WithoutOverview />}
      <Page route={shown} principal={principal} />
    </Frame>
  );
};

const Console = () => {
  const route = useRoute();
  return (
    <RequireSignIn
      name="Quittance"
      purpose="Commissions and settlements. Sign in with an API key of your team."
      hint={
        <>
          A server that was started for the first time has printed a development key and keeps it in the file
          <code> .quittance/dev-key</code>. Otherwise ask an administrator for a key.
        </>
      }
    >
      {(principal) =>
        principal.kind === "partner" ? (
          <Frame name="Quittance" navigation={[]} route={route}>
            <ForPartners />
          </Frame>
        ) : (
          <ForTeam route={route} principal={principal} />
        )
      }
    </RequireSignIn>
  );
};

const target = document.getElementById("app");
if (target !== null) render(<Console />, target);
