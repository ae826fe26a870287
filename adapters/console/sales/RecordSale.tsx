/** The form that records a sale of one partner, or of several who share it; it shows what the sale would earn. */
import { useState } from "preact/hooks";
import { apiBase } from "../api/BrowserSession.ts";
import type { Partner, Property, Schema } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { go, linkTo } from "../data/Route.ts";
import { ALONE } from "../format/Credits.ts";
import { utcDay } from "../format/Dates.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { Later } from "../parts/Later.tsx";
import { PartnerChoice } from "../parts/PartnerChoice.tsx";
import {
  CreditFields,
  problemOf as sharesProblem,
  statedCredits,
  type TypedCredit,
} from "./CreditFields.tsx";
import { type Change, readChange, SaleFields, type TypedSale } from "./SaleFields.tsx";
import { SchemaChoice } from "./SchemaChoice.tsx";

const loadPreview = () => import("./WouldEarn.tsx");

/** True if a value is typed for every property that a sale needs. */
const hasRequired = (definitions: ReadonlyArray<Property>, { properties = {} }: Change): boolean =>
  definitions.every(({ name, required }) => !required || properties[name] !== undefined);

/** Who earns from the sale. */
interface Earning {
  readonly credits: ReadonlyArray<TypedCredit>;
  /** True where shares are stated; else one partner has the whole sale. */
  readonly isShared: boolean;
}

const NOBODY: Earning = { credits: [], isShared: false };

/** One partner that has the whole sale. */
const aloneOf = (partnerId: string, name: string): Earning => ({
  credits: [{ partnerId, name, role: ALONE.role, share: ALONE.share }],
  isShared: false,
});

/** The fields of the request that say who earns from the sale. */
const statedEarning = ({ credits, isShared }: Earning) => {
  const { partnerId = "", credits: stated } = statedCredits({ partnerId: "" }, credits);
  return { partnerId, ...(isShared ? { credits: stated } : {}) };
};

/** The same request as a program sends it. */
const bodyOf = (
  { id, workspaceId }: Schema,
  reference: string,
  { partnerId, credits }: ReturnType<typeof statedEarning>,
  { properties = {} }: Change,
): string =>
  JSON.stringify({
    ...{ workspace_id: workspaceId, schema_id: id, partner_id: partnerId },
    ...(reference === "" ? {} : { external_reference: reference }),
    ...(credits === undefined
      ? {}
      : { credits: credits.map(({ partnerId: partner_id, ...part }) => ({ partner_id, ...part })) }),
    properties,
  });

/** One partner, or after a click several with their shares. */
const Earners = ({
  workspaceId,
  earning: { credits, isShared },
  change,
}: {
  readonly workspaceId: string;
  readonly earning: Earning;
  readonly change: (earning: Earning) => void;
}) => {
  const { principal } = useSession();
  if (isShared)
    return (
      <CreditFields
        {...{ credits, workspaceId }}
        change={(next) => change(next.length === 0 ? NOBODY : { credits: next, isShared })}
      />
    );
  return (
    <>
      <PartnerChoice
        workspaceId={workspaceId}
        chosen={new Map(credits.map(({ partnerId, name }) => [partnerId, name]))}
        legend="Partner"
        isOne
        change={(chosen) => {
          const [one] = chosen;
          change(one === undefined ? NOBODY : aloneOf(...one));
        }}
      />
      {credits.length > 0 && principal.partnerIds === "*" && (
        <button type="button" class="link left" onClick={() => change({ credits, isShared: true })}>
          Share it with other partners
        </button>
      )}
    </>
  );
};

/** Records a sale of one of the schemas, and opens its page, which shows what it earns. */
export const RecordSale = ({
  title,
  schemas,
  partner = null,
  close,
}: {
  readonly title: string;
  readonly schemas: ReadonlyArray<Schema>;
  /** The partner that is chosen at first. */
  readonly partner?: Partner | null;
  readonly close: () => void;
}) => {
  const may = useMay();
  const [schemaId, setSchemaId] = useState(schemas[0]?.id ?? "");
  const [earning, setEarning] = useState(partner === null ? NOBODY : aloneOf(partner.id, partner.name));
  const [order, setOrder] = useState("");
  // To the minute: what the sale would earn is computed anew when the request changes.
  const now = Date.now() - (Date.now() % 60_000);
  const [typed, setTyped] = useState<TypedSale>({ values: {}, date: utcDay(now) });
  const schema = schemas.find(({ id }) => id === schemaId);
  if (schema === undefined) return null;
  const { workspaceId, properties: definitions } = schema;
  const nothing = { properties: {}, occurredOn: utcDay(now), occurredAt: new Date(now).toISOString() };
  const { change, problems } = readChange(nothing, definitions, typed);
  const { credits } = earning;
  const wrongShares = earning.isShared ? sharesProblem(credits) : null;
  const reference = order.trim();
  const { properties = {} } = change;
  const isComplete =
    credits.length > 0 && wrongShares === null && problems.size === 0 && hasRequired(definitions, change);
  return (
    <Confirm
      title={title}
      action="Record the sale"
      consequence={["Each partner earns by its plan. A sale can be corrected or cancelled at any time."]}
      close={close}
      run={async (commands) => {
        if (credits.length === 0) throw new FormProblem("Choose the partner.");
        if (wrongShares !== null) throw new FormProblem(`${wrongShares}.`);
        if (problems.size > 0) throw new FormProblem("Correct the marked fields first.");
        return commands.attributions.create({
          ...{ workspaceId, schemaId, ...statedEarning(earning) },
          ...(reference === "" ? {} : { externalReference: reference }),
          ...change,
          properties,
        });
      }}
      done={({ id }) => go(linkTo(`sales/${id}`))}
    >
      {(problemOf) => (
        <>
          <SchemaChoice
            schemas={schemas}
            value={schemaId}
            change={(id) => {
              setSchemaId(id);
              setEarning(NOBODY);
            }}
          />
          <Earners {...{ workspaceId, earning }} change={setEarning} />
          <Field
            label="Order number (optional)"
            hint="The same number is never recorded twice."
            problem={problemOf("external_reference")}
          >
            <input
              value={order}
              maxLength={255}
              autocomplete="off"
              onInput={(event) => setOrder(event.currentTarget.value)}
            />
          </Field>
          <SaleFields {...{ definitions, typed, problems }} change={setTyped} />
          {!may("formulas:read") ? (
            <p class="note">You may not read plans: what the sale would earn is not shown.</p>
          ) : isComplete ? (
            <Later what="Reading the plans" load={loadPreview}>
              {({ WouldEarn }) => <WouldEarn schema={schema} sale={{ ...change, credits, properties }} />}
            </Later>
          ) : (
            <p class="note">What the sale would earn is shown here as soon as the form is complete.</p>
          )}
          <details>
            <summary>The request of your shop</summary>
            <pre class="secret">{`curl ${apiBase()}api/v1/attributions -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '${bodyOf(schema, reference, statedEarning(earning), change)}'`}</pre>
          </details>
        </>
      )}
    </Confirm>
  );
};
