/** Signing in: at the identity provider of the team where there is one, or with a key. */

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { UnauthorizedError } from "quittance/client";
import {
  apiBase,
  BROWSER_SESSION,
  endBrowserSession,
  offersSignIn,
  publicUrl,
  setCredential,
  signInLink,
} from "../api/BrowserSession.ts";
import { makeClient } from "../api/Client.ts";
import type { Principal } from "../api/Records.ts";
import { forgetKey, type Session, SessionContext, storedKey, storeKey } from "../api/Session.ts";
import { readAgain } from "../data/Load.ts";
import { type Text, t } from "../words/Language.ts";
import { Failure, Field, Skeleton, type Submit } from "./Basics.tsx";
import { ChooseLanguage } from "./ChooseLanguage.tsx";
import { ExampleNotice } from "./ExampleNotice.tsx";
import { Mark } from "./Frame.tsx";

/** What the page for signing in says. */
interface Application {
  readonly name: string;
  readonly purpose: string;
  /** How somebody gets a key. */
  readonly hint: ComponentChildren;
}

/** Why nobody is signed in: what the server adds to the address, and one of the page's own. */
const PROBLEMS: Readonly<Record<string, Text>> = {
  expired:
    "It took longer than ten minutes, or you came from another address of this server. Sign in again from here.",
  failed:
    "The identity provider or the server refused. Try again; if it stays so, an administrator finds the reason in the server's log.",
  no_role: "You have no role here. Ask an administrator for one, and sign in again.",
  unavailable: "The identity provider cannot be reached. Try again in a moment.",
  not_confirmed:
    "The server has not confirmed that you are signed out. Load this page again, and sign out once more.",
};

/** The problem that the address states; the address is then without it. */
const takeProblem = (): string | null => {
  const stated = new URLSearchParams(location.search).get("sign-in");
  if (stated !== null) history.replaceState(null, "", `${location.pathname}${location.hash}`);
  return stated;
};

/** What the tabs of a browser tell each other. */
type News = "in" | "out";

/** The button that leads to the identity provider, and why it did not work before. */
const AtProvider = ({ problem }: { readonly problem: string | null }) => (
  <>
    {problem !== null && (
      <div class="notice stop" role="alert">
        <strong>
          {problem === "not_confirmed" ? t("You may still be signed in") : t("You are not signed in")}
        </strong>
        <p>
          {t(
            (Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : PROBLEMS.failed) ??
              "You are not signed in",
          )}
        </p>
      </div>
    )}
    <a class="button primary" href={signInLink()}>
      {t("Sign in with your team's account")}
    </a>
  </>
);

const isWellFormed = (key: string): boolean => /^[\x21-\x7e]{8,}$/.test(key);

const SignIn = ({
  name,
  purpose,
  hint,
  failure,
  stated,
  enter,
}: Application & {
  readonly failure: unknown;
  /** Why signing in at the identity provider did not work. */
  readonly stated: string | null;
  readonly enter: (key: string) => void;
}) => {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isOffered = offersSignIn();
  useEffect(() => {
    if (!isOffered || problem !== null) field.current?.focus();
  }, [isOffered, problem]);
  const submit: Submit = (event) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get("key") ?? "").trim();
    if (!isWellFormed(key))
      setProblem(
        key === "" ? t("Paste a key.") : t("This is not a key: a key begins with qk_ and has no spaces."),
      );
    else enter(key);
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit} autocomplete="off">
        <h1>
          <Mark />
          {name}
        </h1>
        <p>{purpose}</p>
        <ExampleNotice />
        {isOffered && <AtProvider problem={stated} />}
        {failure !== null && <Failure failure={failure} />}
        <Field
          label="API key"
          problem={problem}
          hint="It stays in this browser tab and is forgotten when you close it."
        >
          <input
            ref={field}
            name="key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            aria-invalid={problem !== null}
          />
        </Field>
        <button type="submit" class={isOffered ? "" : "primary"}>
          {isOffered ? t("Use the key") : t("Sign in")}
        </button>
        <p class="note">{hint}</p>
        <ChooseLanguage />
      </form>
    </main>
  );
};

/**
 * Keeps the tabs of the browser in step: signing out in one ends the others, and signing in brings those back that ask for it,
 * and calls `meet` in those that have a session, which may be another person's now.
 * Returns what tells the others.
 */
const useTabs = (
  key: string | null,
  setKey: (key: string) => void,
  leave: () => void,
  meet: () => void,
): ((news: News) => void) => {
  const channel = useMemo(
    () => (publicUrl() === null ? null : new BroadcastChannel("quittance-session")),
    [],
  );
  useEffect(() => {
    if (channel === null) return;
    channel.onmessage = ({ data }: MessageEvent<News>) => {
      if (data === "out" && key === BROWSER_SESSION) leave();
      if (data === "in" && key === null) setKey(BROWSER_SESSION);
      if (data === "in" && key === BROWSER_SESSION) meet();
    };
  }, [channel, key, setKey, leave, meet]);
  return useCallback((news) => channel?.postMessage(news), [channel]);
};

/** Asks for a key until one is accepted, then shows the application. */
export const RequireSignIn = ({
  name,
  purpose,
  hint,
  children,
}: Application & {
  readonly children: (principal: Principal) => ComponentChildren;
}) => {
  const [stated, setStated] = useState(takeProblem);
  const [key, setKey] = useState(
    () => storedKey() ?? (stated === null && publicUrl() !== null ? BROWSER_SESSION : null),
  );
  const [principal, setPrincipal] = useState<Principal | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const leave = useCallback(() => {
    forgetKey();
    setKey(null);
    setPrincipal(null);
    setFailure(null);
  }, []);
  const client = useMemo(() => {
    setCredential(key);
    return key === null ? null : makeClient(apiBase(), key);
  }, [key]);
  const person = principal?.person;
  const meet = useCallback(() => {
    client?.remote.apiKeys.current().then((current) => {
      if (current.person !== person) return location.reload();
      setPrincipal(current);
      readAgain();
    }, readAgain);
  }, [client, person]);
  const tell = useTabs(key, setKey, leave, meet);
  const signOut = useCallback(() => {
    if (key !== BROWSER_SESSION) return leave();
    void endBrowserSession().then((isConfirmed) => {
      setStated(isConfirmed ? null : "not_confirmed");
      if (isConfirmed) tell("out");
      leave();
    });
  }, [key, leave, tell]);
  useEffect(() => {
    if (client === null || key === null) return;
    const abort = new AbortController();
    setFailure(null);
    client.remote.apiKeys
      .current({ signal: abort.signal })
      .then((current) => {
        if (key === BROWSER_SESSION) tell("in");
        else storeKey(key);
        setPrincipal(current);
      })
      .catch((problem: unknown) => {
        if (abort.signal.aborted) return;
        const isRefused = problem instanceof UnauthorizedError;
        // After any other failure the key is kept, because the server may only be unreachable.
        if (isRefused) forgetKey();
        // Without a session nobody has signed in yet, which is no failure.
        setFailure(isRefused && key === BROWSER_SESSION ? null : problem);
        setKey(null);
      });
    return () => abort.abort();
  }, [client, key, tell]);
  const session = useMemo<Session | null>(
    () => (client === null || principal === null ? null : { client, principal, signOut }),
    [client, principal, signOut],
  );
  if (key === null)
    return (
      <SignIn name={name} purpose={purpose} hint={hint} failure={failure} stated={stated} enter={setKey} />
    );
  if (session === null)
    return (
      <main class="sign-in">
        <Skeleton what="Signing in" />
      </main>
    );
  return <SessionContext.Provider value={session}>{children(session.principal)}</SessionContext.Provider>;
};
