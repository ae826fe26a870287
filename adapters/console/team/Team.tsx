/** Who is above and below a partner: its uplines of each role as chains, and the partners below as a tree that opens step by step. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Partner, PartnerLink } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { Clip, Empty, LoadResult, When } from "../parts/Basics.tsx";
import { AddUpline, EndLink } from "./LinkActions.tsx";
import { RecreditSales } from "./RecreditSales.tsx";

/** Partners of a level that are shown. */
const SHOWN = 100;

/** A link with the name of the partner at its other end. */
interface Named {
  readonly link: PartnerLink;
  readonly name: string;
}

const nameThem = async (
  client: Client,
  links: ReadonlyArray<PartnerLink>,
  end: "partnerId" | "uplinePartnerId",
  signal: AbortSignal,
): Promise<ReadonlyArray<Named>> => {
  const partners = await client.byIds(
    "partners",
    links.map((link) => link[end]),
    signal,
  );
  return links.map((link) => ({ link, name: partners.get(link[end])?.name ?? "Another partner" }));
};

const holdsAt = ({ startDatetime, endDatetime }: PartnerLink, moment: string): boolean =>
  startDatetime <= moment && (endDatetime === null || moment < endDatetime);

/** A partner's own links that have not ended, each with the chain above it as it is now, nearest first. */
const readAbove = async (client: Client, id: string, signal: AbortSignal) => {
  const now = new Date().toISOString();
  const { items } = await client.list("partnerLinks", { partnerIds: [id], perPage: SHOWN }, signal);
  const own = items.filter(({ endDatetime }) => endDatetime === null || endDatetime > now);
  const chains = own.map((link) => [link]);
  for (;;) {
    const tops = chains.flatMap((chain) => chain.slice(-1)).filter((link) => holdsAt(link, now));
    const partnerIds = [...new Set(tops.map((link) => link.uplinePartnerId))];
    if (partnerIds.length === 0) break;
    const { items: next } = await client.list(
      "partnerLinks",
      { partnerIds, activeAt: now, perPage: SHOWN },
      signal,
    );
    let isLonger = false;
    for (const chain of chains) {
      const top = chain[chain.length - 1];
      if (top === undefined || !holdsAt(top, now)) continue;
      const above = next.find((link) => link.partnerId === top.uplinePartnerId && link.role === top.role);
      if (above === undefined || chain.includes(above)) continue;
      chain.push(above);
      isLonger = true;
    }
    if (!isLonger) break;
  }
  return Promise.all(chains.map((chain) => nameThem(client, chain, "uplinePartnerId", signal)));
};

interface Level {
  readonly total: number;
  readonly below: ReadonlyArray<Named & { readonly hasTeam: boolean }>;
}

/** The partners directly below another one now, and which of them have somebody below. */
const readBelow = async (client: Client, id: string, signal: AbortSignal): Promise<Level> => {
  const query = { activeAt: new Date().toISOString(), perPage: SHOWN };
  const { items, total } = await client.list("partnerLinks", { ...query, uplinePartnerIds: [id] }, signal);
  if (items.length === 0) return { total, below: [] };
  const uplinePartnerIds = [...new Set(items.map(({ partnerId }) => partnerId))];
  const next = await client.list("partnerLinks", { ...query, uplinePartnerIds }, signal);
  const teams = new Set(next.items.map((link) => link.uplinePartnerId));
  const named = await nameThem(client, items, "partnerId", signal);
  // With more links than were read, any of them may have somebody below.
  const isPartial = next.total > next.items.length;
  return {
    total,
    below: named.map((item) => ({ ...item, hasTeam: isPartial || teams.has(item.link.partnerId) })),
  };
};

const Since = ({ link }: { readonly link: PartnerLink }) => (
  <span class="note">
    {link.role}, from <When at={link.startDatetime} />
    {link.endDatetime !== null && (
      <>
        {" "}
        to <When at={link.endDatetime} />
      </>
    )}
  </span>
);

const PartnerName = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <a href={linkTo(`partners/${id}`)}>
    <Clip>{name}</Clip>
  </a>
);

/** The chain above a partner as nested lists: each partner contains the one above it. */
const Chain = ({
  chain,
  action,
}: {
  readonly chain: ReadonlyArray<Named>;
  readonly action?: ComponentChildren;
}) => {
  const [nearest, ...above] = chain;
  return nearest === undefined ? null : (
    <li>
      <PartnerName id={nearest.link.uplinePartnerId} name={nearest.name} /> <Since link={nearest.link} />{" "}
      {action}
      {above.length > 0 && (
        <ul aria-label={`Above ${nearest.name}`}>
          <Chain chain={above} />
        </ul>
      )}
    </li>
  );
};

/** The partners directly below another one, as a list; it is read when it appears. */
const Below = ({
  id,
  name,
  isTop = false,
}: {
  readonly id: string;
  readonly name: string;
  readonly isTop?: boolean;
}) => {
  const { client } = useSession();
  const loaded = useLoad(`below/${id}`, (signal) => readBelow(client, id, signal));
  return (
    <LoadResult loaded={loaded} lines={2} what={`Reading who is below ${name}`}>
      {({ below, total }) =>
        below.length === 0 ? (
          isTop ? (
            <Empty title="Nobody is below this partner" />
          ) : null
        ) : (
          <>
            <ul class="tree" aria-label={`Below ${name}`}>
              {below.map((item) => (
                <Team key={item.link.id} {...item} />
              ))}
            </ul>
            {total > below.length && (
              <p class="note">
                The first {below.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </LoadResult>
  );
};

/** A partner below, whose own team opens. */
const Team = ({ link, name, hasTeam }: Level["below"][number]) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <PartnerName id={link.partnerId} name={name} /> <Since link={link} />
      {hasTeam && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Team of {name}</summary>
          {isOpen && <Below id={link.partnerId} name={name} />}
        </details>
      )}
    </li>
  );
};

/** The section of a partner's page about its uplines and the partners below it. */
export const TeamSection = ({ partner }: { readonly partner: Partner }) => {
  const { client, principal } = useSession();
  const mayDo = useMay();
  const may = mayDo("partners:write");
  const mayRecredit =
    principal.partnerIds === "*" && mayDo("attributions:write") && mayDo("commissions:read");
  const loaded = useLoad(`above/${partner.id}`, (signal) => readAbove(client, partner.id, signal));
  return (
    <section class="panel" aria-label="Team">
      <div class="heading">
        <h2>Team</h2>
        <div class="row">
          {may && <AddUpline partner={partner} done={loaded.reload} />}
          {mayRecredit && <RecreditSales partner={partner} />}
        </div>
      </div>
      <h3>Above</h3>
      <LoadResult loaded={loaded} lines={2} what="Reading who is above">
        {(chains) =>
          chains.length === 0 ? (
            <Empty title="Nobody is above this partner" />
          ) : (
            <ul class="tree" aria-label={`Above ${partner.name}`}>
              {chains.map((chain) => (
                <Chain
                  key={chain[0]?.link.id}
                  chain={chain}
                  {...(may && chain[0] !== undefined
                    ? { action: <EndLink {...chain[0]} partner={partner} done={loaded.reload} /> }
                    : {})}
                />
              ))}
            </ul>
          )
        }
      </LoadResult>
      <h3>Below</h3>
      <Below id={partner.id} name={partner.name} isTop />
    </section>
  );
};
