/** What the link of an invitation opens: for whom it is, and the button that accepts it. Opening the link alone uses nothing up. */

import { useState } from "preact/hooks";
import { QuittanceError } from "quittance/client";
import { apiBase } from "../api/BrowserSession.ts";
import { forgetKey } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { Failure, LoadResult, When } from "../parts/Basics.tsx";
import { sentenceOf, type Text, t } from "../words/Language.ts";

interface Invitation {
  readonly state: "open" | "accepted" | "withdrawn" | "expired" | "unknown";
  readonly expires_at: string | null;
  readonly partner_names: ReadonlyArray<string>;
  readonly customer_name: string | null;
}

const UNKNOWN: Invitation = { state: "unknown", expires_at: null, partner_names: [], customer_name: null };

/** Why a link opens nothing, and what helps. */
const CLOSED: Readonly<Record<Exclude<Invitation["state"], "open">, readonly [title: Text, text: Text]>> = {
  accepted: [
    "This invitation was used",
    "It opens the portal once. If you opened it in this browser, go to the portal. If it was not you, tell the company that invited you at once.",
  ],
  withdrawn: ["This invitation was withdrawn", "Ask the company that invited you for a new one."],
  expired: ["This invitation has expired", "Ask the company that invited you for a new one."],
  unknown: [
    "This link is not valid",
    "It may not have been copied in full. Open it from the message again, or ask the company that invited you for a new one.",
  ],
};

const ask = (token: string, request: RequestInit): Promise<Response> =>
  fetch(`${apiBase()}auth/invitation`, {
    ...request,
    headers: { authorization: `Bearer ${token}` },
  }).then(
    (response) => {
      if (response.status < 500 && response.status !== 429) return response;
      const requestId = response.headers.get("x-request-id");
      throw new QuittanceError("INTERNAL_ERROR", response.status, "The server failed", { requestId });
    },
    (cause: unknown) => {
      throw new QuittanceError("INTERNAL_ERROR", 0, "There was no response", { cause });
    },
  );

const read = async (token: string, signal: AbortSignal): Promise<Invitation> => {
  const response = await ask(token, { signal });
  return response.ok ? ((await response.json()) as Invitation) : UNKNOWN;
};

/** Opens the portal in the session that the browser has now, at an address without the invitation. */
const enter = (): void => {
  forgetKey();
  history.replaceState(null, "", "#/");
  location.reload();
};

const Open = ({
  token,
  invitation,
  readAgain,
}: {
  readonly token: string;
  readonly invitation: Invitation;
  readonly readAgain: () => void;
}) => {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { partner_names: names, customer_name: customer, expires_at: end } = invitation;
  const accept = (): void => {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    ask(token, { method: "POST" })
      .then(({ ok }) => (ok ? enter() : readAgain()), setFailure)
      .finally(() => setSending(false));
  };
  return (
    <>
      <p>
        {sentenceOf(
          "{customer} invites {partners} to its partner portal: what you have earned and why, what is paid when, and your documents.",
          {
            customer: customer ?? t("The company that pays you"),
            partners: <strong>{names.join(", ")}</strong>,
          },
        )}
      </p>
      {failure !== null && <Failure failure={failure} />}
      <button type="button" class="primary" onClick={accept} aria-disabled={isSending}>
        {isSending ? t("Opening…") : t("Open my portal")}
      </button>
      <p class="note">
        {t(
          "You stay signed in in this browser for 30 days, or until you sign out. On a computer that others use, sign out when you leave.",
        )}{" "}
        {end === null
          ? t("The invitation can be used once.")
          : sentenceOf("The invitation can be used once, until {moment}.", {
              moment: <When at={end} exact />,
            })}
      </p>
    </>
  );
};

const Closed = ({ state }: { readonly state: Exclude<Invitation["state"], "open"> }) => {
  const [title, text] = CLOSED[state];
  return (
    <>
      <div class="notice wait" role="status">
        <strong>{t(title)}</strong>
        <p>{t(text)}</p>
      </div>
      <a class="button" href="#/">
        {t("Go to the portal")}
      </a>
    </>
  );
};

export const Welcome = ({ token }: { readonly token: string }) => {
  const loaded = useLoad("invitation", (signal) => read(token, signal));
  return (
    <LoadResult loaded={loaded} lines={3} what="Reading your invitation">
      {(invitation) =>
        invitation.state === "open" ? (
          <Open token={token} invitation={invitation} readAgain={loaded.reload} />
        ) : (
          <Closed state={invitation.state} />
        )
      }
    </LoadResult>
  );
};
