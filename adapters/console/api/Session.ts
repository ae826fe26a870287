/** Who is signed in: an API key in this browser tab, or a person whose session is in a cookie of the browser. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { storedName } from "./BrowserSession.ts";
import type { Client } from "./Client.ts";
import type { Principal, Scope } from "./Records.ts";

const STORED = "quittance.key";

/** The key entered in this tab; the browser deletes it when the tab is closed. */
export const storedKey = (): string | null => sessionStorage.getItem(storedName(STORED));

export const storeKey = (key: string, tab: Window = window): void =>
  tab.sessionStorage.setItem(storedName(STORED), key);

export const forgetKey = (): void => sessionStorage.removeItem(storedName(STORED));

export interface Session {
  readonly client: Client;
  readonly principal: Principal;
  readonly signOut: () => void;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of the pages inside the frame. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("there is no session");
  return session;
};

/** True if the key has a scope. */
export const useMay = (): ((scope: Scope) => boolean) => {
  const { principal } = useSession();
  return (scope) => principal.scopes.includes(scope);
};
