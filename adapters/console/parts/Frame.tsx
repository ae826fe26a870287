/** The frame around the pages: title, navigation, the signed-in key, and the panel that explains amounts. */

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import type { Route } from "../data/Route.ts";
import { KINDS } from "../words/Kinds.ts";
import { t, translated } from "../words/Language.ts";
import { Boundary } from "./Boundary.tsx";
import { ChooseLanguage } from "./ChooseLanguage.tsx";
import { Dialog } from "./Dialog.tsx";
import { ExampleNotice } from "./ExampleNotice.tsx";
import { useAnnouncement, useFocusManagement } from "./Focus.ts";
import { Later } from "./Later.tsx";
import { WhyContext } from "./Why.tsx";

/** A page of the application, in the navigation and in the search. */
export interface NavigationItem {
  readonly path: string;
  readonly words: string;
}

/** Scrolls the navigation to the present page: on a narrow screen it does not fit. */
const useScrollToCurrentPage = (path: string): void =>
  useEffect(() => {
    document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);

const useOnline = (): boolean => {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = (): void => setOnline(navigator.onLine);
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return isOnline;
};

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path class="paper" d="M6 3h20v26l-3.3-2.4-3.4 2.4-3.300-2.400-3.300 2.400-3.400-2.400L6 29z" />
    <path class="tick" d="M11 13.500l3.500 3.500 7-7.500" />
  </svg>
);

export const Frame = ({
  name,
  navigation,
  route,
  find,
  who,
  company = null,
  children,
}: {
  readonly name: string;
  readonly navigation: ReadonlyArray<NavigationItem>;
  readonly route: Route;
  /** The button that opens the search. */
  readonly find?: ComponentChildren;
  /** Whose pages these are; null where nobody has stated it. */
  readonly company?: string | null;
  /** Who is signed in, where the page says more than the name of the key. */
  readonly who?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  const { principal, signOut } = useSession();
  const [why, setWhy] = useState<string | null>(null);
  const isOnline = useOnline();
  const current = route.path[0] ?? "";
  const announcement = useAnnouncement();
  useFocusManagement(route.path.join("/"));
  useScrollToCurrentPage(route.path.join("/"));
  const openWhy = useCallback((commissionId: string) => setWhy(commissionId), []);
  // A panel belongs to the page on which it was opened.
  useEffect(() => setWhy(null), [route.path.join("/")]);
  return (
    <WhyContext.Provider value={openWhy}>
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}
      >
        {t("Skip to the content")}
      </button>
      <div class="frame">
        <header class="bar">
          <a class="brand" href="#/">
            <Mark />
            <span>
              {name}
              {company !== null && (
                <span class="company" title={company}>
                  {company}
                </span>
              )}
            </span>
          </a>
          <div class="who">
            {who ?? (
              <span title={principal.name === null ? principal.principalId : principal.person}>
                {principal.name ?? `${KINDS[principal.kind] ?? principal.kind} key`}
              </span>
            )}
            <ChooseLanguage />
            <button type="button" class="link" onClick={signOut}>
              {t("Sign out")}
            </button>
          </div>
          {find}
          {navigation.length > 0 && (
            <nav aria-label={t("Pages of the application")}>
              <ul>
                {navigation.map(({ path, words }) => (
                  <li key={path}>
                    <a href={`#/${path}`} aria-current={current === path ? "page" : undefined}>
                      {translated(words)}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </header>
        <main id="main">
          <ExampleNotice />
          {!isOnline && (
            <div class="notice wait" role="status">
              {t("You are offline. Nothing can be read or changed until the connection is back.")}
            </div>
          )}
          <Boundary path={route.path.join("/")}>{children}</Boundary>
        </main>
      </div>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      {why !== null && (
        <Dialog title={t("Why this amount")} side close={() => setWhy(null)}>
          <Later what="Reading the explanation" load={() => import("./Reasons.tsx")}>
            {({ ReasonsOf }) => <ReasonsOf commissionId={why} />}
          </Later>
        </Dialog>
      )}
    </WhyContext.Provider>
  );
};
