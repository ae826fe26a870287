/** The partner portal: a partner's earnings, their explanations, and the partner's tasks. */

import { render } from "preact";
import { payeeActions } from "./actions/PayeeActions.tsx";
import { publicUrl, usesBrowserSession } from "./api/BrowserSession.ts";
import { useSession } from "./api/Session.ts";
import { useLoad } from "./data/Load.ts";
import { type Route, useRoute } from "./data/Route.ts";
import { Settlement } from "./pages/Settlement.tsx";
import { Clip, Empty, Heading } from "./parts/Basics.tsx";
import { ChooseLanguage } from "./parts/ChooseLanguage.tsx";
import { Frame, Mark } from "./parts/Frame.tsx";
import { Later } from "./parts/Later.tsx";
import { NoPage } from "./parts/NoPage.tsx";
import { RequireSignIn } from "./parts/SignIn.tsx";
import { Summary } from "./portal/Summary.tsx";
import { loadLanguage, sentenceOf, t } from "./words/Language.ts";
import { PAYEE } from "./words/PayeeWords.ts";
import { WordsContext } from "./words/Reader.ts";

const NAVIGATION = [
  { path: "", words: "Overview" },
  { path: "coming", words: "What comes when" },
  { path: "commissions", words: "My commissions" },
  { path: "plans", words: "My plan" },
  { path: "settlements", words: "My settlements" },
  { path: "statement", words: "My statement" },
  { path: "account", words: "My account" },
];

const Page = ({ route }: { readonly route: Route }) => {
  const [name = "", id] = route.path;
  switch (name) {
    case "":
      return <Summary />;
    case "commissions":
      return (
        <Later what="Reading commissions" load={() => import("./portal/MyCommissions.tsx")}>
          {({ MyCommissions }) => <MyCommissions route={route} />}
        </Later>
      );
    case "settlements":
      return id === undefined ? (
        <Later what="Reading settlements" load={() => import("./portal/MySettlements.tsx")}>
          {({ MySettlements }) => <MySettlements route={route} />}
        </Later>
      ) : (
        <Settlement key={id} id={id} actionsOf={payeeActions} />
      );
    case "plans":
      return (
        <Later what="Reading your plan" load={() => import("./portal/MyPlans.tsx")}>
          {({ MyPlans }) => <MyPlans />}
        </Later>
      );
    case "coming":
      return (
        <Later what="Reading what comes when" load={() => import("./portal/Coming.tsx")}>
          {({ Coming }) => <Coming />}
        </Later>
      );
    case "statement":
      return (
        <Later what="Reading the statement" load={() => import("./portal/MyStatement.tsx")}>
          {({ MyStatement }) => <MyStatement route={route} />}
        </Later>
      );
    case "account":
      return (
        <Later what="Reading your accounts" load={() => import("./portal/MyAccounts.tsx")}>
          {({ MyAccounts }) => <MyAccounts />}
        </Later>
      );
    case "sales":
      return (
        <Later what="Reading the sale" load={() => import("./pages/Sale.tsx")}>
          {({ Sale }) => <Sale key={id} id={id ?? ""} />}
        </Later>
      );
    default:
      return <NoPage />;
  }
};

/** The partner that is signed in, by its name, with the number of others of the same key. */
const Who = () => {
  const { client, principal } = useSession();
  const { value } = useLoad("who", (signal) => client.list("partners", { perPage: 1 }, signal));
  const others = (value?.total ?? 1) - 1;
  const name = value?.items[0]?.name ?? principal.name ?? t("Partner key");
  return <Clip>{others > 0 ? `${name} +${others}` : name}</Clip>;
};

const ForTeam = () => (
  <>
    <Heading
      title={usesBrowserSession() ? t("You are signed in as the team") : t("This is a key of the team")}
    />
    <Empty title="Use the console">
      {sentenceOf("{console}. You stay signed in. The portal shows each partner what it has earned.", {
        console: <a href="../console/">{t("Open the console")}</a>,
      })}
    </Empty>
  </>
);

const Portal = () => {
  const route = useRoute();
  const [name, token] = route.path;
  const isInvitedTo = publicUrl() !== null;
  if (name === "welcome" && token !== undefined)
    return (
      <WordsContext.Provider value={PAYEE}>
        <main class="sign-in">
          <section>
            <h1>
              <Mark />
              {t("Partner portal")}
            </h1>
            <Later key={token} what="Reading your invitation" load={() => import("./portal/Welcome.tsx")}>
              {({ Welcome }) => <Welcome token={token} />}
            </Later>
            <ChooseLanguage />
          </section>
        </main>
      </WordsContext.Provider>
    );
  return (
    <WordsContext.Provider value={PAYEE}>
      <RequireSignIn
        name={t("Partner portal")}
        purpose={
          isInvitedTo
            ? t(
                "Your commissions, settlements and documents. You were invited? Open the link of the invitation. Otherwise sign in with your key.",
              )
            : t("Your commissions, settlements and documents. Sign in with the key that you were sent.")
        }
        hint={
          isInvitedTo
            ? t("You have no invitation and no key, or lost it? Ask the company that pays you.")
            : t("You have no key, or lost it? Ask the company that pays you.")
        }
      >
        {({ kind, customerName }) =>
          kind === "partner" ? (
            <Frame
              name={t("Partner portal")}
              navigation={NAVIGATION}
              route={route}
              company={customerName}
              who={<Who />}
            >
              <Page route={route} />
            </Frame>
          ) : (
            <Frame name={t("Partner portal")} navigation={[]} route={route}>
              <ForTeam />
            </Frame>
          )
        }
      </RequireSignIn>
    </WordsContext.Provider>
  );
};

const target = document.getElementById("app");
if (target !== null) loadLanguage().then(() => render(<Portal />, target));
