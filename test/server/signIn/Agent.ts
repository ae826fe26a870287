/** A browser without pages: it keeps cookies, follows redirects, and fills in the forms of the identity provider. */

/** A response and where it came from. */
export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly setCookies: ReadonlyArray<string>;
}

export interface Agent {
  /** The cookies by name, without their attributes. Hosts are not told apart, because all are this machine. */
  readonly cookies: Map<string, string>;
  /** Sends one request; follows no redirect. */
  readonly send: (url: string, request?: RequestInit) => Promise<Visited>;
  /** Follows redirects and signs in at the provider as `sub`, up to the first address for which `stopAt` is true, which is not visited. */
  readonly signIn: (url: string, sub: string, stopAt: (url: string) => boolean) => Promise<string>;
}

const formOf = (text: string, sub: string): { readonly action: string; readonly body: string } | null => {
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
  return action === undefined || prompt === undefined
    ? null
    : { action, body: new URLSearchParams({ prompt, login: sub, password: "any" }).toString() };
};

export const newAgent = (): Agent => {
  const cookies = new Map<string, string>();
  const send = async (url: string, request: RequestInit = {}): Promise<Visited> => {
    const headers = new Headers(request.headers);
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...request, headers, redirect: "manual" });
    const setCookies = response.headers.getSetCookie();
    for (const cookie of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const isGone = /max-age=0(;|$)/i.test(cookie) || /expires=Thu, 01 Jan 1970/i.test(cookie);
      if (isGone) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      url,
      status: response.status,
      location: location === null ? null : new URL(location, url).href,
      text: await response.text(),
      setCookies,
    };
  };
  const signIn: Agent["signIn"] = async (start, sub, stopAt) => {
    let next = start;
    let request: RequestInit = {};
    for (let step = 0; step < 20; step += 1) {
      if (stopAt(next)) return next;
      const visited = await send(next, request);
      const form = formOf(visited.text, sub);
      if (visited.location !== null) {
        next = visited.location;
        request = {};
      } else if (form !== null) {
        next = new URL(form.action, next).href;
        request = {
          method: "POST",
          body: form.body,
          headers: { "content-type": "application/x-www-form-urlencoded" },
        };
      } else throw new Error(`no way on from ${next}: ${visited.status} ${visited.text.slice(0, 500)}`);
    }
    throw new Error("too many redirects");
  };
  return { cookies, send, signIn };
};
