/** Signing in with a key. */
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { UnauthorizedError } from "quittance/client";
import { makeClient } from "../api/Client.ts";
import type { Principal } from "../api/Records.ts";
import { apiBase, forgetKey, type Session, SessionContext, storedKey, storeKey } from "../api/Session.ts";
import { Failure, Field, Skeleton, type Submit } from "./Basics.tsx";
import { Mark } from "./Frame.tsx";

/** What the page for signing in says. */
interface Application {
  readonly name: string;
  readonly purpose: string;
  /** How somebody gets a key. */
  readonly hint: ComponentChildren;
}

const isWellFormed = (key: string): boolean => /^[\x21-\x7e]{8,}$/.test(key);

const SignIn = ({
  name,
  purpose,
  hint,
  failure,
  enter,
}: Application & {
  readonly failure: unknown;
  readonly enter: (key: string) => void;
}) => {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [problem]);
  const submit: Submit = (event) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get("key") ?? "").trim();
    if (!isWellFormed(key))
      setProblem(key === "" ? "Paste a key." : "This is not a key: a key begins with qk_ and has no spaces.");
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
        <button type="submit" class="primary">
          Sign in
        </button>
        <p class="note">{hint}</p>
      </form>
    </main>
  );
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
  const [key, setKey] = useState(storedKey);
  const [principal, setPrincipal] = useState<Principal | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const signOut = useCallback(() => {
    forgetKey();
    setKey(null);
    setPrincipal(null);
    setFailure(null);
  }, []);
  const client = useMemo(() => (key === null ? null : makeClient(apiBase(), key)), [key]);
  useEffect(() => {
    if (client === null || key === null) return;
    const abort = new AbortController();
    setFailure(null);
    client.remote.apiKeys
      .current({ signal: abort.signal })
      .then((current) => {
        storeKey(key);
        setPrincipal(current);
      })
      .catch((problem: unknown) => {
        if (abort.signal.aborted) return;
        // After any other failure the key is kept, because the server may only be unreachable.
        if (problem instanceof UnauthorizedError) forgetKey();
        setFailure(problem);
        setKey(null);
      });
    return () => abort.abort();
  }, [client, key]);
  const session = useMemo<Session | null>(
    () => (client === null || principal === null ? null : { client, principal, signOut }),
    [client, principal, signOut],
  );
  if (key === null)
    return <SignIn name={name} purpose={purpose} hint={hint} failure={failure} enter={setKey} />;
  if (session === null)
    return (
      <main class="sign-in">
        <Skeleton what="Signing in" />
      </main>
    );
  return <SessionContext.Provider value={session}>{children(session.principal)}</SessionContext.Provider>;
};
