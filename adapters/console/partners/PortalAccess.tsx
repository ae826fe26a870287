/** Who sees the portal of a partner: its invitations, the sessions that they opened, and the keys of programs. */
import { useState } from "preact/hooks";
import { apiBase, isExample, publicUrl, sendsMail } from "../api/BrowserSession.ts";
import type { ApiKey, Partner, Principal, Scope } from "../api/Records.ts";
import { storeKey, useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { Badge, Empty, Failure, LoadResult, When } from "../parts/Basics.tsx";
import { ActionButton, Secret } from "../parts/Forms.tsx";
import { Table } from "../parts/Table.tsx";
import type { State } from "../words/Words.ts";

const SHOWN = 20;

const SCOPES: ReadonlyArray<Scope> = [
  "attributions:read",
  "partners:read",
  "partners:write",
  "formulas:read",
  "commissions:read",
  "settlements:read",
  "settlements:write",
];

/** What a key for the portal of partners may do: everything there that the caller may give. */
export const portalKey = ({ scopes }: Principal, partnerIds: ReadonlyArray<string>) => ({
  kind: "partner" as const,
  partnerIds,
  scopes: SCOPES.filter((scope) => scopes.includes(scope)),
});

const KINDS: Readonly<Record<ApiKey["use"], string>> = {
  invitation: "Invitation",
  session: "Signed in",
  program: "Key of a program",
};

const hasEnded = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** The state of what lets somebody in. */
const stateOf = (key: ApiKey): State => {
  const isInvitation = key.use === "invitation";
  if (key.sessionId !== null) return { family: "done", words: "Accepted" };
  if (key.revokedAt !== null) return { family: "stopped", words: isInvitation ? "Withdrawn" : "Ended" };
  if (hasEnded(key)) return { family: "stopped", words: "Expired" };
  return isInvitation ? { family: "waiting", words: "Sent" } : { family: "done", words: "Valid" };
};

const isGood = (key: ApiKey): boolean => key.revokedAt === null && !hasEnded(key);

/** An invitation that was just made. */
interface Made {
  readonly key: string;
  readonly mailedTo?: string | undefined;
}

/** The link that the partner opens. The key is behind the `#`, which browsers send to nobody. */
const linkOf = (url: string, key: string): string => `${url}/portal/#/welcome/${key}`;

const Invite = ({
  partner,
  url,
  isAgain,
  done,
}: {
  readonly partner: Partner;
  readonly url: string;
  readonly isAgain: boolean;
  readonly done: () => void;
}) => {
  const { principal } = useSession();
  const [made, setMade] = useState<Made | null>(null);
  const mail = sendsMail() && partner.email !== undefined;
  return (
    <>
      <ActionButton
        words={isAgain ? "Invite again" : "Invite to portal"}
        title={`Invite ${partner.name} to the portal`}
        consequence={[
          mail
            ? `A link is mailed to ${partner.email}, and shown to you once.`
            : `A link is shown once, for you to send to the partner.${sendsMail() ? " The record has no e-mail address." : ""}`,
          "Whoever opens it first sees what the partner earns, and may send its invoices, accept its plans and propose the account that it is paid to. It can be used once, within 7 days.",
          ...(isAgain
            ? ["Earlier invitations that are not accepted stay good until you withdraw them."]
            : []),
        ]}
        run={(commands) =>
          commands.apiKeys.create({
            use: "invitation",
            name: partner.name,
            ...portalKey(principal, [partner.id]),
            ...(mail ? { mail } : {}),
          })
        }
        done={(created) => {
          setMade(created);
          done();
        }}
      />
      {made !== null && (
        <Secret
          title={`The link for ${partner.name}`}
          secret={linkOf(url, made.key)}
          close={() => setMade(null)}
        >
          {made.mailedTo === undefined ? (
            <p>
              {mail ? "It could not be mailed: send it to the partner yourself." : "Send it to the partner."}
            </p>
          ) : (
            <p>It was mailed to {made.mailedTo}. You need not send it yourself.</p>
          )}
        </Secret>
      )}
    </>
  );
};

const End = ({ ended, done }: { readonly ended: ApiKey; readonly done: () => void }) => {
  const isInvitation = ended.use === "invitation";
  return (
    <ActionButton
      words={isInvitation ? "Withdraw" : "End"}
      danger
      title={isInvitation ? "Withdraw the invitation" : "End this access"}
      consequence={[
        isInvitation
          ? "Its link opens nothing from now on. Sessions that other invitations have opened stay."
          : "Whoever uses it is signed out at once, and needs another invitation.",
      ]}
      run={(commands) => commands.apiKeys.revoke(ended.id)}
      done={done}
    />
  );
};

const AccessTable = ({ keys, done }: { readonly keys: ReadonlyArray<ApiKey>; readonly done: () => void }) => (
  <Table
    caption="Who may open the portal, newest first"
    rows={keys}
    rowKey={({ id }) => id}
    columns={[
      { name: "Access", show: ({ use }) => KINDS[use] },
      {
        name: "State",
        show: (key) => {
          const { family, words } = stateOf(key);
          return <Badge family={family}>{words}</Badge>;
        },
      },
      { name: "Since", isMinor: true, show: ({ createdAt }) => <When at={createdAt} exact /> },
      {
        name: "Until",
        show: ({ expiresAt, revokedAt }) => {
          const end = revokedAt ?? expiresAt;
          return end === null ? "no end" : <When at={end} exact />;
        },
      },
      {
        name: "Last used",
        isMinor: true,
        show: ({ use, lastUsedAt }) =>
          use === "invitation" ? "" : lastUsedAt === null ? "never" : <When at={lastUsedAt} exact />,
      },
      { name: "Action", show: (key) => (isGood(key) ? <End ended={key} done={done} /> : "") },
    ]}
  />
);

/** Opens the portal of a partner of the example company in a tab of its own. */
const SeePortal = ({ partner, done }: { readonly partner: Partner; readonly done: () => void }) => {
  const { client, principal } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  const see = async (): Promise<void> => {
    // Browsers let a page open a tab only at once. The new tab has storage of its own.
    const tab = open("", "_blank");
    if (tab === null) return;
    try {
      const { key } = await client.commands().apiKeys.create(portalKey(principal, [partner.id]));
      storeKey(key, tab);
      tab.location.assign(new URL("portal/", apiBase()).href);
      done();
    } catch (problem) {
      tab.close();
      setFailure(problem);
    }
  };
  return (
    <>
      {failure !== null && <Failure failure={failure} />}
      <div class="row">
        <button type="button" onClick={see}>
          See it as the partner does
        </button>
      </div>
    </>
  );
};

/** Invites a partner to the portal, and shows who has accepted; only to whoever may manage keys. */
export const PortalAccess = ({ partner }: { readonly partner: Partner }) => {
  const { client } = useSession();
  const mayInvite = useMay()("keys:admin");
  const url = publicUrl();
  const loaded = useLoad(
    `portal-access/${partner.id}/${mayInvite}`,
    async (signal) =>
      mayInvite
        ? client.list("apiKeys", { partnerIds: [partner.id], order: "desc", perPage: SHOWN }, signal)
        : null,
    true,
  );
  if (!mayInvite) return null;
  return (
    <section class="panel">
      <h2>Portal</h2>
      <LoadResult loaded={loaded} lines={2}>
        {(found) => (
          <>
            {found === null || found.total === 0 ? (
              <Empty title="Nobody is invited">
                The partner sees in the portal what it earns and why, uploads invoices and asks questions.
              </Empty>
            ) : (
              <AccessTable keys={found.items} done={loaded.reload} />
            )}
            {isExample() ? (
              <SeePortal partner={partner} done={loaded.reload} />
            ) : url === null ? (
              <p class="note">
                This server does not know its own address, which the link of an invitation needs: an operator
                sets QUITTANCE_PUBLIC_URL. Until then, <a href={linkTo("keys")}>create a key</a> for the
                partner.
              </p>
            ) : (
              <div class="row">
                <Invite
                  partner={partner}
                  url={url}
                  isAgain={found?.items.some(({ use }) => use === "invitation") ?? false}
                  done={loaded.reload}
                />
              </div>
            )}
          </>
        )}
      </LoadResult>
    </section>
  );
};
