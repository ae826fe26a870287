/** Webhook endpoints: where events are sent. */
import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { endpointState } from "../format/Deliveries.ts";
import { countWords } from "../format/Money.ts";
import { Badge, Clip, Empty, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { EndpointFields, endpointOf } from "../parts/EndpointFields.tsx";
import { ListPager, pageOf } from "../parts/Filters.tsx";
import { ActionButton, Secret } from "../parts/Forms.tsx";
import { type Column, Table } from "../parts/Table.tsx";

const PER_PAGE = 50;

export const EndpointBadge = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const [words, family] = endpointState(endpoint);
  return <Badge family={family}>{words}</Badge>;
};

const columns: ReadonlyArray<Column<WebhookEndpoint>> = [
  {
    name: "Address",
    show: ({ id, url }) => (
      <a href={linkTo(`webhooks/${id}`)}>
        <Clip>{url}</Clip>
      </a>
    ),
  },
  { name: "State", show: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
  {
    name: "Events",
    isMinor: true,
    show: ({ types }) =>
      types === null ? "every event" : countWords(types.length, "type of event", "types of events"),
  },
  { name: "What for", isMinor: true, show: ({ description }) => <Clip>{description ?? ""}</Clip> },
  {
    name: "Last delivered",
    show: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? "nothing delivered" : <When at={lastDeliveredAt} exact />,
  },
];

const Add = ({ showSecret }: { readonly showSecret: (secret: string) => void }) => {
  return (
    <ActionButton
      words="Add an endpoint"
      title="Add an endpoint"
      isMain
      consequence={[
        "Events from now on are sent to the address as signed requests, until you switch the endpoint off.",
        "A request names the event and the record, not its amounts: the receiver reads the record with a key of its own.",
      ]}
      run={async (commands, fields) => {
        const { url, types, description } = endpointOf(fields);
        return commands.webhookEndpoints.create({
          url,
          ...(types === null ? {} : { types }),
          ...(description === null ? {} : { description }),
        });
      }}
      done={({ secret }) => showSecret(secret)}
    >
      <EndpointFields endpoint={null} />
    </ActionButton>
  );
};

export const Webhooks = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const page = pageOf(route);
  const loaded = useLoad(
    `webhooks/${page}`,
    (signal) => client.list("webhookEndpoints", { order: "desc", page, perPage: PER_PAGE }, signal),
    true,
  );
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Heading title="Webhooks">
        <ReadAt loaded={loaded} />
        {may("events:write") && (
          <Add
            showSecret={(newSecret) => {
              setSecret(newSecret);
              loaded.reload();
            }}
          />
        )}
      </Heading>
      <LoadResult loaded={loaded} lines={6} what="Reading endpoints" signOut={signOut}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="No endpoints yet">
              {may("events:write")
                ? "Add the address of a program of yours: it receives every event within seconds."
                : "An endpoint is the address of a program that receives events. You need a key with events:write to add one."}
            </Empty>
          ) : (
            <>
              <Table
                caption="Webhook endpoints, newest first"
                rows={items}
                rowKey={({ id }) => id}
                link={({ id }) => linkTo(`webhooks/${id}`)}
                isStale={loaded.isLoading}
                columns={columns}
              />
              {total > PER_PAGE && (
                <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              )}
            </>
          )
        }
      </LoadResult>
      {secret !== null && (
        <Secret title="The secret of the new endpoint" secret={secret} close={() => setSecret(null)}>
          <p>The receiver verifies every request with it.</p>
        </Secret>
      )}
    </>
  );
};
