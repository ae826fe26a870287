/** The console for a customer's finance team. */
import { render } from "preact";
import { isExample, offersSignIn, usesBrowserSession } from "./api/BrowserSession.ts";
import type { Principal, Scope } from "./api/Records.ts";
import { type Route, useRoute } from "./data/Route.ts";
import { Overview } from "./pages/Overview.tsx";
import { Empty, Heading } from "./parts/Basics.tsx";
import { Find } from "./parts/Find.tsx";
import { Frame } from "./parts/Frame.tsx";
import { Later } from "./parts/Later.tsx";
import { RequireSignIn } from "./parts/SignIn.tsx";
import { WordsContext } from "./words/Reader.ts";
import { TEAM } from "./words/TeamWords.ts";

/** The pages, each with the scope that it requires. */
const PAGES: ReadonlyArray<readonly [path: string, words: string, scope: Scope | ""]> = [
  ["", "Overview", "commissions:read"],
  ["settlements", "Settlements", "settlements:read"],
  ["runs", "Runs", "settlements:read"],
  ["payments", "Payments", "settlements:read"],
  ["books", "Books", "settlements:read"],
  ["partners", "Partners", "partners:read"],
  ["sales", "Sales", "attributions:read"],
  ["plans", "Plans", "formulas:read"],
  ["builder", "Plan builder", ""],
  ["company", "Company", "settlements:read"],
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
    <Heading title="You may not see that" />
    <Empty title={`You lack ${scope}`}>Ask an administrator for that right, then sign in again.</Empty>
  </>
);

const loadRecords = () => import("./pages/Records.tsx");
const loadSetup = () => import("./pages/Setup.tsx");

/** The first words of the addresses whose pages are not those of each month. */
const OF_SETUP: ReadonlySet<string> = new Set([
  "books",
  "plans",
  "trials",
  "recredits",
  "company",
  "events",
  "webhooks",
  "keys",
]);

const Page = ({ route, principal }: { readonly route: Route; readonly principal: Principal }) => {
  const [name = ""] = route.path;
  const scope = PAGES.find(([path]) => path === name)?.[2] ?? "";
  if (scope !== "" && !principal.scopes.includes(scope)) return <Missing scope={scope} />;
  switch (name) {
    case "":
      return <Overview />;
    case "builder":
      return (
        <Later what="Reading the plan builder" load={() => import("./builder/Builder.tsx")}>
          {({ Builder }) => <Builder route={route} />}
        </Later>
      );
    default:
      if (OF_SETUP.has(name) || route.path[1] === "import")
        return (
          <Later key="setup" what="Reading the page" load={loadSetup}>
            {({ SetupPage }) => <SetupPage route={route} />}
          </Later>
        );
      return (
        <Later key="records" what="Reading the page" load={loadRecords}>
          {({ RecordPage }) => <RecordPage route={route} />}
        </Later>
      );
  }
};

const ForPartners = () => (
  <>
    <Heading title={usesBrowserSession() ? "You are signed in as a partner" : "This is a partner's key"} />
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
    <strong>You may not see the overview</strong>
    <p>
      You lack commissions:read. Ask an administrator for that right, then sign in again. The navigation lists
      what you may see.
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
      purpose={`Commissions and settlements.${offersSignIn() ? "" : " Sign in with an API key of your team."}`}
      hint={
        isExample() ? (
          "The first page of your own console opens it again, without a key."
        ) : (
          <>
            Ask an administrator for a key. A server that was started for the first time has printed one, and
            keeps it in the file <code>.quittance/dev-key</code>.
          </>
        )
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
if (target !== null)
  render(
    <WordsContext.Provider value={TEAM}>
      <Console />
    </WordsContext.Provider>,
    target,
  );
