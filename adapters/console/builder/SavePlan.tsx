/** Creates a plan from a draft, or changes the expression of an existing plan. */
import { useState } from "preact/hooks";
import { type Expression, readsShare } from "quittance/formula";
import { useMay } from "../api/Session.ts";
import { go, linkTo } from "../data/Route.ts";
import { forgetDraft } from "../data/StoredDraft.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { Choices } from "../parts/Forms.tsx";
import { EFFECTIVE_WORDS, EffectiveFields, effectiveOf } from "../plans/VersionsAhead.tsx";
import { rolesOf } from "./Draft.ts";
import { declarationsOf } from "./Parameters.ts";
import { type Draft, isChanged, paymentOf } from "./Sources.ts";
import { StartTrial } from "./StartTrial.tsx";

const startOf = (day: FormDataEntryValue | null): string => `${String(day)}T00:00:00Z`;

/** Opens a plan that has been stored. */
const leave = (planId: string): void => {
  forgetDraft();
  go(linkTo(`plans/${planId}`));
};

/** The parameters of a draft as requests declare them; none where it has none. */
const declared = ({ parameters, currency }: Draft) =>
  parameters.length === 0 ? {} : { parameters: declarationsOf(parameters, currency) };

/** Which parts of a sale a draft pays, and whether their share counts. */
const partWords = (draft: Draft, expression: Expression): string =>
  `It pays these roles: ${rolesOf(draft).join(", ")}. The share of a credit ${
    (draft.applyShare ?? !readsShare(expression)) ? "multiplies" : "does not change"
  } the amount.`;

interface Props {
  readonly draft: Draft;
  readonly expression: Expression;
}

interface DialogProps extends Props {
  readonly close: () => void;
}

const Create = ({ draft, expression, close }: DialogProps) => (
  <Confirm
    title="Create a plan"
    action="Create the plan"
    consequence={[
      `It pays in ${draft.currency}. ${partWords(draft, expression)}`,
      "The plan pays nobody until partners are assigned to it.",
      "It covers sales from its first day on, also those that are recorded already.",
    ]}
    close={close}
    run={(commands, fields) =>
      commands.commissionPlans.create({
        workspaceId: draft.schema?.workspaceId ?? "",
        schemaId: draft.schema?.id ?? "",
        name: String(fields.get("name")),
        currency: draft.currency,
        startDatetime: startOf(fields.get("start")),
        roles: rolesOf(draft),
        ...(fields.get("release") === "on_receipt" ? { release: "on_receipt" as const } : {}),
        ...paymentOf(draft, expression),
        ...declared(draft),
      })
    }
    done={({ id }) => leave(id)}
  >
    <Field label="Name">
      <input name="name" required maxLength={255} />
    </Field>
    <Field label="Applies from" hint="Midnight UTC.">
      <input name="start" type="date" required defaultValue={`${new Date().toISOString().slice(0, 8)}01`} />
    </Field>
    <Choices
      name="release"
      legend="When is a commission payable? This never changes."
      value="at_once"
      options={[
        { value: "at_once", words: "At once", meaning: "when the sale is recorded." },
        {
          value: "on_receipt",
          words: "As the buyer pays",
          meaning: "the same part of it as the buyer has paid of the sale.",
        },
      ]}
    />
  </Confirm>
);

const Change = ({ draft, expression, close }: DialogProps) => (
  <Confirm
    title={`Change ${draft.title}`}
    action="Change the plan"
    consequence={[
      "The formula applies to sales of that day and later, for every partner of the plan. Earlier sales keep their amounts.",
      partWords(draft, expression),
      ...EFFECTIVE_WORDS,
    ]}
    close={close}
    run={(commands, fields) =>
      commands.commissionPlans.update(draft.planId ?? "", {
        ...paymentOf(draft, expression),
        ...declared(draft),
        ...effectiveOf(fields),
      })
    }
    done={() => leave(draft.planId ?? "")}
  >
    <EffectiveFields />
  </Confirm>
);

export const SavePlan = ({ draft, expression }: Props) => {
  const [isOpen, setOpen] = useState<"create" | "change" | null>(null);
  const may = useMay();
  const close = (): void => setOpen(null);
  return (
    <div class="row">
      {draft.planId !== null && (
        <button
          type="button"
          class="primary"
          disabled={!isChanged(draft)}
          title={isChanged(draft) ? undefined : "Nothing is changed yet."}
          onClick={() => setOpen("change")}
        >
          Change the plan to this
        </button>
      )}
      <button type="button" onClick={() => setOpen("create")}>
        Create a new plan from it
      </button>
      {may("commissions:read") && <StartTrial draft={draft} expression={expression} />}
      {isOpen === "create" && <Create draft={draft} expression={expression} close={close} />}
      {isOpen === "change" && <Change draft={draft} expression={expression} close={close} />}
    </div>
  );
};
