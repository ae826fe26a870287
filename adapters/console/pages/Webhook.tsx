/** One webhook endpoint: its state, its actions and its deliveries. */
import { useState } from "preact/hooks";
import type { WebhookDelivery, WebhookEndpoint } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad, useWatch } from "../data/Load.ts";
import { go, linkTo, type Route } from "../data/Route.ts";
import { DELIVERY_STATES } from "../format/Deliveries.ts";
import { Address, Badge, Empty, Fact, Heading, Id, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { EndpointFields, endpointOf } from "../parts/EndpointFields.tsx";
import { Chips, ListPager, pageOf } from "../parts/Filters.tsx";
import { ActionButton, Secret } from "../parts/Forms.tsx";
import { Table } from "../parts/Table.tsx";
import { eventTypeWords } from "../words/EventNames.ts";
import { EndpointBadge } from "./Webhooks.tsx";

const PER_PAGE = 50;
/** The interval in milliseconds at which open deliveries are read again. */
const WATCH_MILLISECONDS = 2_000;

const Change = ({ endpoint, done }: { readonly endpoint: WebhookEndpoint; readonly done: () => void }) => {
  return (
    <ActionButton
      words="Change"
      action="Change the endpoint"
      title="Change the endpoint"
      consequence={[
        `${endpoint.enabled ? "Waiting events are sent to the new address at once." : "Nothing is sent until the endpoint is switched on."} The types apply to events from now on.`,
      ]}
      run={async (commands, fields) => commands.webhookEndpoints.update(endpoint.id, endpointOf(fields))}
      done={done}
    >
      <EndpointFields endpoint={endpoint} />
    </ActionButton>
  );
};

const Switch = ({ endpoint, done }: { readonly endpoint: WebhookEndpoint; readonly done: () => void }) => {
  const words = endpoint.enabled ? "Switch off" : "Switch on";
  return (
    <ActionButton
      words={words}
      title={`${words} the endpoint`}
      isMain={!endpoint.enabled}
      consequence={
        endpoint.enabled
          ? [
              "Nothing is sent to it until it is switched on again. Events that happen meanwhile are sent then.",
            ]
          : [
              "Everything that happened since it was switched off is sent, in order for each sale, settlement and so on.",
            ]
      }
      run={(commands) => commands.webhookEndpoints.update(endpoint.id, { enabled: !endpoint.enabled })}
      done={done}
    />
  );
};

const Rotate = ({
  endpoint,
  showSecret,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly showSecret: (secret: string) => void;
}) => {
  return (
    <ActionButton
      words="New secret"
      title="Replace the secret"
      consequence={[
        "A new secret signs every request from now on. It is shown once.",
        "The present one signs as well for 24 hours, so that the receiver can change over without missing an event. Then it is no longer used.",
      ]}
      run={(commands) => commands.webhookEndpoints.rotate(endpoint.id)}
      done={({ secret }) => showSecret(secret)}
    />
  );
};

const Remove = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  return (
    <ActionButton
      words="Delete"
      action="Delete the endpoint"
      title="Delete the endpoint"
      danger
      consequence={[
        `Danger: nothing more is sent to ${endpoint.url}, including waiting events. Its secret becomes invalid.`,
        "This cannot be undone. The page Events still has all events.",
      ]}
      run={(commands) => commands.webhookEndpoints.remove(endpoint.id)}
      done={() => go("#/webhooks")}
    />
  );
};

const Redeliver = ({ delivery, done }: { readonly delivery: WebhookDelivery; readonly done: () => void }) => {
  return (
    <ActionButton
      words="Send again"
      title="Send the event again"
      consequence={[
        `"${eventTypeWords(delivery.type)}" is sent at once, under the same id. A receiver that has seen the id ignores it.`,
      ]}
      run={(commands) => commands.webhookEndpoints.redeliver(delivery.endpointId, delivery.id)}
      done={done}
    />
  );
};

/** The result of the last attempt, and the time of the next one. */
const Attempts = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const { attempts, lastError, lastStatus, lastAttemptAt, nextAttemptAt, status } = delivery;
  return (
    <>
      {attempts > 0 && (
        <>
          {attempts === 1 ? "1 attempt" : `${attempts} attempts`}
          {lastAttemptAt !== null && (
            <>
              , last <When at={lastAttemptAt} exact />
            </>
          )}
        </>
      )}
      {lastError !== null && status !== "delivered" && <span class="attempt">{lastError}</span>}
      {lastError === null && lastStatus !== null && <span class="attempt">Response {lastStatus}</span>}
      {nextAttemptAt !== null && status === "pending" && (
        <span class="attempt">
          Next by <When at={nextAttemptAt} exact />
        </span>
      )}
    </>
  );
};

const STATES = Object.entries(DELIVERY_STATES).map(([status, [words]]) => [status, words] as const);

const Deliveries = ({
  id,
  isEnabled,
  route,
}: {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly route: Route;
}) => {
  const { client } = useSession();
  const may = useMay();
  const page = pageOf(route);
  const statuses = route.query.getAll("statuses") as ReadonlyArray<WebhookDelivery["status"]>;
  const loaded = useLoad(
    `deliveries/${id}?${route.query}`,
    (signal) =>
      client.remote.webhookEndpoints.deliveries(
        id,
        { ...(statuses.length > 0 ? { statuses } : {}), order: "desc", page, perPage: PER_PAGE },
        { signal },
      ),
    true,
  );
  const { value, reload } = loaded;
  const isMoving = value?.webhookDeliveries.some(({ endedAt }) => endedAt === null) ?? false;
  useWatch(isMoving, reload, WATCH_MILLISECONDS);
  return (
    <section class="panel">
      <div class="heading">
        <h2>Deliveries</h2>
        <ReadAt loaded={loaded} />
      </div>
      <div class="filters">
        <Chips route={route} name="statuses" label="State" options={STATES} />
      </div>
      <LoadResult loaded={loaded} lines={6} what="Reading deliveries">
        {({ webhookDeliveries, total }) =>
          total === 0 ? (
            <Empty title={statuses.length > 0 ? "No delivery in these states" : "Nothing was sent yet"}>
              {statuses.length > 0 ? (
                <a href={linkTo(`webhooks/${id}`)}>Show all</a>
              ) : isEnabled ? (
                "The next event appears here within seconds."
              ) : (
                "The endpoint is switched off: nothing is sent to it."
              )}
            </Empty>
          ) : (
            <>
              <Table
                caption="Deliveries, newest first"
                rows={webhookDeliveries}
                rowKey={({ id: key }) => key}
                columns={[
                  { name: "Happened", show: ({ datetime }) => <When at={datetime} exact /> },
                  { name: "Event", show: ({ type }) => eventTypeWords(type) },
                  {
                    name: "State",
                    show: ({ status }) => (
                      <Badge family={DELIVERY_STATES[status][1]}>{DELIVERY_STATES[status][0]}</Badge>
                    ),
                  },
                  { name: "Attempts", isMinor: true, show: (delivery) => <Attempts delivery={delivery} /> },
                  {
                    name: "Action",
                    show: (delivery) =>
                      may("events:write") ? <Redeliver delivery={delivery} done={reload} /> : "",
                  },
                ]}
              />
              {total > PER_PAGE && (
                <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              )}
            </>
          )
        }
      </LoadResult>
    </section>
  );
};

const Problem = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => {
  if (endpoint.disabledReason !== null)
    return (
      <div class="notice stop">
        <strong>Switched off automatically</strong>
        <p>
          {endpoint.disabledReason}. Repair the receiver, then switch the endpoint on: it receives the events
          that it missed.
        </p>
      </div>
    );
  if (endpoint.failingSince === null || !endpoint.enabled) return null;
  return (
    <div class="notice wait">
      <strong>
        Every attempt has failed since <When at={endpoint.failingSince} exact />
      </strong>
      <p>The deliveries show why. It is retried automatically; after three days it is switched off.</p>
    </div>
  );
};

export const Webhook = ({ id, route }: { readonly id: string; readonly route: Route }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const [secret, setSecret] = useState<string | null>(null);
  const loaded = useLoad(`webhook/${id}`, (signal) => client.remote.webhookEndpoints.read(id, { signal }));
  const list = <a href="#/webhooks">Webhooks</a>;
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading the endpoint" signOut={signOut} above={list}>
      {(endpoint) => (
        <>
          <Heading
            above={list}
            title={
              <>
                {new URL(endpoint.url).host} <EndpointBadge endpoint={endpoint} />
              </>
            }
          >
            <ReadAt loaded={loaded} />
          </Heading>
          <section class="panel lead">
            {endpoint.description !== null && <p class="next">{endpoint.description}</p>}
            <Problem endpoint={endpoint} />
            <dl class="facts wide">
              <Fact name="Address" isWide>
                <Address of={endpoint.url} />
              </Fact>
              <Fact name="Events">
                {endpoint.types === null ? "every event" : endpoint.types.map(eventTypeWords).join(", ")}
              </Fact>
              <Fact name="Last delivered">
                {endpoint.lastDeliveredAt === null ? "never" : <When at={endpoint.lastDeliveredAt} exact />}
              </Fact>
              <Fact name="Endpoint">
                <Id id={endpoint.id} />
              </Fact>
            </dl>
            {may("events:write") ? (
              <div class="actions">
                <Switch endpoint={endpoint} done={loaded.reload} />
                <Change endpoint={endpoint} done={loaded.reload} />
                <Rotate endpoint={endpoint} showSecret={setSecret} />
                <Remove endpoint={endpoint} />
              </div>
            ) : (
              <p class="note">You can only read: you lack events:write.</p>
            )}
          </section>
          <Deliveries id={id} isEnabled={endpoint.enabled} route={route} />
          {secret !== null && (
            <Secret title="The new secret" secret={secret} close={() => setSecret(null)}>
              <p>Set it in the receiver; the previous one works for 24 hours.</p>
            </Secret>
          )}
        </>
      )}
    </LoadResult>
  );
};
