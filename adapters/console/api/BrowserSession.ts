/** The session of a person who has signed in: it is in a cookie of the browser, which no script can read. */

/** Stands for the session of the browser, whose key no script can read. */
export const BROWSER_SESSION = "session";

/** What the server says of itself in the head of the page. */
export const told = (name: string): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name=quittance-${name}]`)?.content ?? null;

/** True if the server lets people sign in at an identity provider. */
export const offersSignIn = (): boolean => told("sign-in") !== null;

/** Where browsers reach the server; null where nobody has stated it, so that no browser has a session. */
export const publicUrl = (): string | null => told("public-url");

/** True if the server sends mail. */
export const sendsMail = (): boolean => told("mail") !== null;

/** True if these are the pages of the example company, which share the tab with those of the real one. */
export const isExample = (): boolean => told("example") === "here";

/** The name under which this tab stores what belongs to the company of these pages. */
export const storedName = (name: string): string => (isExample() ? `${name}.example` : name);

let isBrowserSession = false;

/** Says what the requests of this page use from now on. */
export const setCredential = (credential: string | null): void => {
  isBrowserSession = credential === BROWSER_SESSION;
};

/** True if the requests of this page use the session of the browser. */
export const usesBrowserSession = (): boolean => isBrowserSession;

/** The address at which a person signs in, and comes back to the present page. */
export const signInLink = (): string =>
  `${apiBase()}auth/sign-in?${new URLSearchParams({ return_to: location.hash.slice(1) || "/" })}`;

/** Ends the session of the browser, in every tab. Resolves to false where the server has not confirmed it. */
export const endBrowserSession = (): Promise<boolean> =>
  fetch(`${apiBase()}auth/sign-out`, { method: "POST" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The URL of the page's server, also when a host mounts it below a path. */
export const apiBase = (): string => new URL("..", document.baseURI).href;
