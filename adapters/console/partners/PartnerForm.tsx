/** Creates a partner, or changes one; what is typed is checked by the server as one types. */
import { useState } from "preact/hooks";
import { InvalidError, QuittanceError } from "quittance/client";
import type { Partner } from "../api/Records.ts";
import { sentence } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { useLoad, useSettled } from "../data/Load.ts";
import { go, linkTo } from "../data/Route.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm, type ProblemOf } from "../parts/Dialog.tsx";
import { useWorkspace, type Workspace } from "../settling/Workspaces.ts";
import { PartnerFields } from "./PartnerFields.tsx";
import { type StatedPartner, statedPartner, typedPartner } from "./Stated.ts";

/** A pause in typing after which the server is asked, in milliseconds. */
const PAUSE = 400;

/** The fields that an update leaves out where they are as before. */
const isFilled = (form: HTMLFormElement, path: string): boolean => {
  const name = path.split(".").at(-1) ?? "";
  const field = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const input = form.elements.namedItem({ externalReference: "reference", rateBps: "rate" }[field] ?? field);
  return input !== null && (input as HTMLInputElement).value !== "";
};

/** What the server says of the fields that are filled, refused or doubtful. */
const useChecks = (workspaceId: string, isNew: boolean) => {
  const { client } = useSession();
  const [typed, setTyped] = useState<StatedPartner | null>(null);
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const key = useSettled(JSON.stringify(typed), PAUSE);
  const { value } = useLoad(`check/${key}`, async (signal) => {
    const stated = JSON.parse(key) as StatedPartner | null;
    if (stated === null) return [];
    // The reference of a partner that exists is its own.
    const request = {
      ...stated,
      ...(isNew ? {} : { externalReference: null }),
      workspaceId,
      dryRun: true as const,
    };
    try {
      return (await client.partnerDryRun(request, signal)).doubts;
    } catch (failure) {
      if (!(failure instanceof QuittanceError) || failure.status === 0) return [];
      const words = failure.message.slice(failure.message.indexOf(":") + 1).trim();
      if (failure instanceof InvalidError) return [{ field: failure.field ?? "", message: words }];
      return failure.token === "external_reference_reuse"
        ? [{ field: "external_reference", message: words }]
        : [];
    }
  });
  const problemOf: ProblemOf = (field) => {
    const found = value?.find((doubt) => doubt.field === field);
    return found === undefined || form === null || !isFilled(form, field) ? null : sentence(found.message);
  };
  const check = (target: EventTarget): void => {
    const changed = (target as HTMLInputElement).form;
    if (changed === null) return;
    setForm(changed);
    setTyped(typedPartner(new FormData(changed)));
  };
  return { problemOf, check };
};

const Fields = ({
  partner,
  workspaceId,
  refused,
}: {
  readonly partner?: Partner;
  readonly workspaceId: string;
  readonly refused: ProblemOf;
}) => {
  const { problemOf, check } = useChecks(workspaceId, partner === undefined);
  return (
    <div onInput={({ target }) => target !== null && check(target)}>
      <PartnerFields partner={partner} problemOf={(field) => refused(field) ?? problemOf(field)} />
    </div>
  );
};

/** A choice of the workspace, where there are several. */
export const WorkspaceChoice = ({
  workspaces,
  value,
  change,
}: {
  readonly workspaces: ReadonlyArray<Workspace>;
  readonly value: string;
  readonly change: (id: string) => void;
}) =>
  workspaces.length < 2 ? null : (
    <Field label="Workspace">
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {workspaces.map(({ id, words }) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );

export const AddPartner = ({
  close,
  done = ({ id }) => go(linkTo(`partners/${id}`)),
}: {
  readonly close: () => void;
  /** What follows; by default the page of the partner. */
  readonly done?: (partner: { readonly id: string }) => void;
}) => {
  const workspace = useWorkspace();
  return (
    <Confirm
      title="Add a partner"
      action="Add the partner"
      consequence={["The partner earns once a plan is assigned to it."]}
      close={close}
      run={async (commands, fields) => {
        const stated = statedPartner(fields);
        return commands.partners.create({ ...stated, workspaceId: await workspace.read() });
      }}
      done={done}
    >
      {(refused) => (
        <>
          <WorkspaceChoice
            workspaces={workspace.workspaces ?? []}
            value={workspace.id}
            change={workspace.choose}
          />
          <Fields workspaceId={workspace.id} refused={refused} />
        </>
      )}
    </Confirm>
  );
};

export const EditPartner = ({
  partner,
  close,
  done,
}: {
  readonly partner: Partner;
  readonly close: () => void;
  readonly done: () => void;
}) => (
  <Confirm
    title={`Change ${partner.name}`}
    action="Save the changes"
    consequence={[
      "Settlements that are approved keep the data of their approval. The log of the partner shows who has changed it.",
    ]}
    close={close}
    run={(commands, fields) => commands.partners.update(partner.id, statedPartner(fields))}
    done={done}
  >
    {(refused) => <Fields partner={partner} workspaceId={partner.workspaceId} refused={refused} />}
  </Confirm>
);
