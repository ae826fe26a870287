/** The partner portal: a partner's earnings, their explanations, and the partner's tasks. */
import { render } from "preact";
import { type Route, useRoute } from "./data/Route.ts";
import { Sale } from "./pages/Sale.tsx";
import { Settlement } from "./pages/Settlement.tsx";
import { Heading } from "./parts/Basics.tsx";
import { Frame } from "./parts/Frame.tsx";
import { RequireSignIn } from "./parts/SignIn.tsx";
import { MyCommissions } from "./portal/MyCommissions.tsx";
import { MySettlements } from "./portal/MySettlements.tsx";
import { MyStatement } from "./portal/MyStatement.tsx";
import { Summary } from "./portal/Summary.tsx";

const NAVIGATION = [
  { path: "", words: "Overview" },
  { path: "commissions", words: "My commissions" },
  { path: "settlements", words: "My settlements" },
  { path: "statement", words: "My statement" },
];

const Page = ({ route }: { readonly route: Route }) => {
  const [name = "", id] = route.path;
  switch (name) {
    case "":
      return <Summary />;
    case "commissions":
      return <MyCommissions route={route} />;
    case "settlements":
      return id === undefined ? <MySettlements route={route} /> : <Settlement key={id} id={id} />;
    case "statement":
      return <MyStatement route={route} />;
    case "sales":
      return <Sale key={id} id={id ?? ""} />;
    default:
      return (
        <>
          <Heading title="There is no such page" />
          <p>
            <a href="#/">To the overview</a>
          </p>
        </>
      );
  }
};

const Portal = () => {
  const route = useRoute();
  return (
    <RequireSignIn
      name="Partner portal"
      purpose="Your commissions, settlements and documents. Sign in with the key that you were sent."
    >
      {() => (
        <Frame name="Partner portal" navigation={NAVIGATION} route={route}>
          <Page route={route} />
        </Frame>
      )}
    </RequireSignIn>
  );
};

const target = document.getElementById("app");
if (target !== null) render(<Portal />, target);
