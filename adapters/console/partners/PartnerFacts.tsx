/** What is stated of a partner besides its billing, with the actions that change it, and its log. */
import { useState } from "preact/hooks";
import type { Partner } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { Badge, Empty, Fact, LoadResult, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { useNames } from "../parts/Names.ts";
import { controlWords } from "../words/ControlWords.ts";
import { eventTypeWords } from "../words/EventNames.ts";
import { EditPartner } from "./PartnerForm.tsx";

/** Entries that the page of a partner shows. */
const SHOWN = 20;

const Suspend = ({ partner, done }: { readonly partner: Partner; readonly done: () => void }) =>
  partner.status === "suspended" ? (
    <ActionButton
      words="Resume"
      title={`Settle and pay ${partner.name} again`}
      consequence={["Settlement runs draft again what is due, and payments can be initiated."]}
      run={(commands) => commands.partners.update(partner.id, { status: "active" })}
      done={done}
    />
  ) : (
    <ActionButton
      words="Suspend"
      title={`Suspend ${partner.name}`}
      consequence={[
        "Settlement runs draft nothing for the partner, and no payment to it is initiated, until you resume it.",
        "It still earns. Payments that were initiated go on.",
      ]}
      run={(commands) => commands.partners.update(partner.id, { status: "suspended" })}
      done={done}
    />
  );

const Edit = ({ partner, done }: { readonly partner: Partner; readonly done: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change
      </button>
      {isOpen && <EditPartner partner={partner} close={() => setOpen(false)} done={done} />}
    </>
  );
};

/** Each tag by itself, since a tag may have a comma. */
const Tags = ({ tags }: { readonly tags: ReadonlyArray<string> }) => (
  <span class="tags">
    {tags.map((tag) => (
      <span class="tag" key={tag}>
        {tag}
      </span>
    ))}
  </span>
);

/** What is stated of a partner. */
export const PartnerFacts = ({ partner, done }: { readonly partner: Partner; readonly done: () => void }) => {
  const may = useMay();
  return (
    <section class="panel">
      <h2>Record</h2>
      <dl class="facts">
        <Fact name="State">
          {partner.status === "suspended" ? <Badge family="waiting">Suspended</Badge> : "Active"}
        </Fact>
        {partner.externalReference !== undefined && <Fact name="Reference">{partner.externalReference}</Fact>}
        {partner.tags !== undefined && (
          <Fact name="Tags">
            <Tags tags={partner.tags} />
          </Fact>
        )}
        {partner.email !== undefined && <Fact name="E-mail">{partner.email}</Fact>}
        {partner.notes !== undefined && (
          <Fact name="Notes">
            <span class="stated-lines">{partner.notes}</span>
          </Fact>
        )}
      </dl>
      {may("partners:write") && (
        <div class="row">
          <Suspend partner={partner} done={done} />
          <Edit partner={partner} done={done} />
        </div>
      )}
    </section>
  );
};

/** Who has changed a partner, the newest event first. */
export const PartnerLog = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const names = useNames();
  const loaded = useLoad(`partner-log/${id}`, (signal) =>
    client.remote.partners.events(id, { order: "desc", perPage: SHOWN }, { signal }),
  );
  return (
    <section class="panel">
      <h2>Log</h2>
      <LoadResult loaded={loaded} lines={3}>
        {({ events, total }) =>
          events.length === 0 ? (
            <Empty title="Nothing is recorded" />
          ) : (
            <>
              <ol class="timeline">
                {events.map(({ datetime, event }, index) => (
                  <li key={index}>
                    <span class="words">
                      {eventTypeWords(event.type)}
                      {event.type === "erase_personal_data" ? "" : `. ${controlWords(event, names)}`}
                    </span>
                    <span class="when">
                      <When at={datetime} exact />
                    </span>
                  </li>
                ))}
              </ol>
              {total > events.length && (
                <p class="note">
                  The newest {events.length} of {total} events.
                </p>
              )}
            </>
          )
        }
      </LoadResult>
    </section>
  );
};
