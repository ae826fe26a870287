/** Webhook endpoints: where events are sent. */
import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../api/Records.ts";
import { useMay } from "../api/Session.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { endpointState } from "../format/Deliveries.ts";
import { countWords } from "../format/Money.ts";
import { Export, exportOnly } from "../parts/AllRows.tsx";
import { Address, Badge, Clip, Empty, Heading, ReadAt, When } from "../parts/Basics.tsx";
import { EndpointFields, endpointOf } from "../parts/EndpointFields.tsx";
import { ActionButton, Secret } from "../parts/Forms.tsx";
import { useRecords } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import type { Column } from "../parts/Table.tsx";

const PER_PAGE = 50;

export const EndpointBadge = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  const [words, family] = endpointState(endpoint);
  return <Badge family={family}>{words}</Badge>;
};

const stateWords = (endpoint: WebhookEndpoint): string => endpointState(endpoint)[0];

const columns: ReadonlyArray<Column<WebhookEndpoint>> = [
  {
    name: "Address",
    show: ({ id, url }) => (
      <a href={linkTo(`webhooks/${id}`)}>
        <Address of={url} />
      </a>
    ),
    sort: ({ url }) => url,
    text: ({ url }) => url,
  },
  {
    name: "State",
    show: (endpoint) => <EndpointBadge endpoint={endpoint} />,
    sort: stateWords,
    text: stateWords,
  },
  {
    name: "Events",
    isMinor: true,
    show: ({ types }) =>
      types === null ? "every event" : countWords(types.length, "type of event", "types of events"),
    text: ({ types }) => types?.join(", ") ?? "every event",
  },
  {
    name: "What for",
    isMinor: true,
    show: ({ description }) => <Clip>{description ?? ""}</Clip>,
    sort: ({ description }) => description,
    text: ({ description }) => description ?? "",
  },
  {
    name: "Last delivered",
    isDate: true,
    show: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? "never" : <When at={lastDeliveredAt} exact />),
    sort: ({ lastDeliveredAt }) => timeKey(lastDeliveredAt),
    text: ({ lastDeliveredAt }) => lastDeliveredAt ?? "",
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<WebhookEndpoint>> = [
  exportOnly("Failing since", ({ failingSince }) => failingSince ?? ""),
  exportOnly("Created", ({ createdAt }) => createdAt),
  exportOnly("Endpoint", ({ id }) => id),
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
  const may = useMay();
  const list = useRecords({ list: "webhookEndpoints", filters: {}, route, perPage: PER_PAGE, columns });
  const { loaded } = list;
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Heading title="Webhooks">
        <ReadAt loaded={loaded} />
        {may("events:write") && loaded.failure === null && (
          <Add
            showSecret={(newSecret) => {
              setSecret(newSecret);
              loaded.reload();
            }}
          />
        )}
      </Heading>
      <Listed
        list={list}
        what="Reading endpoints"
        caption="Webhook endpoints"
        rowKey={({ id }) => id}
        link={({ id }) => linkTo(`webhooks/${id}`)}
        none={
          <Empty title="No endpoints yet">
            {may("events:write")
              ? "Add the address of a program of yours: it receives every event within seconds."
              : "An endpoint is the address of a program that receives events. You need a key with events:write to add one."}
          </Empty>
        }
      >
        {({ total }) => (
          <Export name="webhooks" columns={[...columns, ...exported]} total={total} pages={list.pages} />
        )}
      </Listed>
      {secret !== null && (
        <Secret title="The secret of the new endpoint" secret={secret} close={() => setSecret(null)}>
          <p>The receiver verifies every request with it.</p>
        </Secret>
      )}
    </>
  );
};
