/** The company: what documents state of it, where its money leaves from, and who has changed it. */
import { useState } from "preact/hooks";
import { type BillingProfile, type FeedEntry, NotFoundError } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { useMay, useSession } from "../api/Session.ts";
import { Company as CompanyForm } from "../company/CompanyForm.tsx";
import { companyFacts } from "../company/Stated.ts";
import { type Loaded, useLoad, useWatch } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { Clip, Empty, Fact, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { useNames } from "../parts/Names.ts";
import { controlWords, isControlEvent } from "../words/ControlWords.ts";

/** The changes that the page lists. */
const SHOWN = 10;

/**
 * The interval in milliseconds at which the log is read again until it has a change that was just stored: the feed is filled in
 * the background.
 */
const WATCH = 1_000;

interface Found {
  /** Null before it is stated. */
  readonly profile: BillingProfile | null;
}

const readProfile = (client: Client, signal: AbortSignal): Promise<Found> =>
  client.remote.billingProfile.read({ signal }).then(
    (profile) => ({ profile }),
    (failure) => {
      if (failure instanceof NotFoundError) return { profile: null };
      throw failure;
    },
  );

const readLog = async (client: Client, signal: AbortSignal): Promise<ReadonlyArray<FeedEntry>> => {
  const query = { types: ["write_billing_profile"], order: "desc", limit: SHOWN } as const;
  return (await client.remote.events.list(query, { signal })).items;
};

/** Who has changed the company, and what: the newest change first. */
const Log = ({ entries }: { readonly entries: ReadonlyArray<FeedEntry> }) => {
  const names = useNames();
  return (
    <ol class="timeline">
      {entries.map(({ id, event, datetime }) => (
        <li key={id}>
          <span class="words">
            {event !== null && isControlEvent(event) ? controlWords(event, names) : "Erased"}
          </span>
          <span class="when">
            <When at={datetime} exact />
          </span>
        </li>
      ))}
    </ol>
  );
};

const Changes = ({ log }: { readonly log: Loaded<ReadonlyArray<FeedEntry>> | null }) => (
  <section class="panel">
    <h2>Changes</h2>
    {log === null ? (
      <p class="note">Who has changed it is not shown: you lack events:read.</p>
    ) : (
      <>
        <LoadResult loaded={log} lines={3} what="Reading who has changed it">
          {(entries) => (entries.length === 0 ? <Empty title="No change yet" /> : <Log entries={entries} />)}
        </LoadResult>
        {log.value !== null && log.value.length > 0 && (
          <p class="after">
            <a href={linkTo("events", { type: "write_billing_profile" })}>All changes of the company</a>
          </p>
        )}
      </>
    )}
  </section>
);

const Facts = ({ profile }: { readonly profile: BillingProfile }) => (
  <dl class="facts wide">
    {companyFacts(profile)
      .filter(({ value }) => value !== "")
      .map(({ name, value }) => (
        <Fact key={name} name={name}>
          <Clip>{value}</Clip>
        </Fact>
      ))}
  </dl>
);

export const CompanyPage = () => {
  const { client, signOut } = useSession();
  const may = useMay();
  const [mayWrite, mayReadLog] = [may("keys:admin"), may("events:read")];
  const loaded = useLoad("company", (signal) => readProfile(client, signal));
  const log = useLoad(
    `company-log/${mayReadLog}`,
    (signal) => (mayReadLog ? readLog(client, signal) : Promise.resolve([])),
    true,
  );
  const [isOpen, setOpen] = useState(false);
  const newest = log.value?.[0]?.id;
  const [stored, setStored] = useState<{ readonly after: string | undefined } | null>(null);
  const isAwaited = stored !== null && stored.after === newest && log.failure === null;
  useWatch(mayReadLog && isAwaited, log.reload, WATCH);
  const { value } = loaded;
  return (
    <>
      <Heading title="Company">
        <ReadAt loaded={loaded} />
        {mayWrite && value !== null && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            {value.profile === null ? "Enter your company" : "Change the company"}
          </button>
        )}
      </Heading>
      {!mayWrite && <p class="note">You may read this, and not change it: you lack keys:admin.</p>}
      <LoadResult loaded={loaded} lines={8} what="Reading the company" signOut={signOut}>
        {({ profile }) =>
          profile === null ? (
            <Empty title="Your company is not entered yet">
              Documents need its name and address: without them we cannot write the invoices of partners, and
              bank files have no account to pay from.
            </Empty>
          ) : (
            <div class="columns">
              <section class="panel">
                <h2>As documents show it</h2>
                <Facts profile={profile} />
              </section>
              <Changes log={mayReadLog ? log : null} />
            </div>
          )
        }
      </LoadResult>
      {isOpen && value !== null && (
        <CompanyForm
          profile={value.profile}
          close={() => setOpen(false)}
          done={() => {
            setStored({ after: newest });
            loaded.reload();
          }}
        />
      )}
    </>
  );
};
