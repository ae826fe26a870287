/** The form that replaces a sale that has changed; it says what changes in money before anything is stored. */
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Property } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { go, linkTo } from "../data/Route.ts";
import type { SaleSubject } from "../pages/Sale.tsx";
import { LoadResult } from "../parts/Basics.tsx";
import { Confirm, Dialog } from "../parts/Dialog.tsx";
import { Reason, text } from "../parts/Forms.tsx";
import { type Chosen, PartnerChoice } from "../parts/PartnerChoice.tsx";
import { WhatChanges } from "../parts/WhatChanges.tsx";
import { CreditFields, problemOf, statedCredits, type TypedCredit, typedCredits } from "./CreditFields.tsx";
import { currencyOf } from "./Formats.ts";
import { MoneyChanges, readNames } from "./MoneyChanges.tsx";
import type { SaleData } from "./SaleData.ts";
import { type Change, readChange, SaleFields, typedOf } from "./SaleFields.tsx";

/** What a request states. */
interface Stated extends Change, Partial<ReturnType<typeof statedCredits>> {}

/** What the server says of a replacement, with the names of partners and formulas. */
const readChanges = (client: Client) => async (id: string, stated: Stated, signal: AbortSignal) => {
  const found = await client.replacementDryRun(id, { ...stated, reason: "preview" }, signal);
  const partnerIds = found.commissions.map(({ partnerId }) => partnerId);
  return { ...found, names: await readNames(client, partnerIds, found.commissions, signal) };
};

const ReplaceForm = ({
  data,
  definitions,
  currency,
  close,
}: {
  readonly data: SaleData;
  readonly definitions: ReadonlyArray<Property>;
  /** The currency of what the sale earns; null where it is not known. */
  readonly currency: string | null;
  readonly close: () => void;
}) => {
  const may = useMay();
  const { sale, names } = data;
  const { client, principal } = useSession();
  const [typed, setTyped] = useState(() => typedOf(sale, definitions));
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [credits, setCredits] = useState<ReadonlyArray<TypedCredit> | null>(null);
  const [[partnerId, partner] = []] = chosen;
  const { change, problems } = readChange(sale, definitions, typed);
  const given = typedCredits(data);
  /** True if several earn from the sale as it was given: then no one partner takes its place. */
  const isShared = given.length > 1;
  const areChanged = credits !== null && JSON.stringify(credits) !== JSON.stringify(given);
  const wrongShares = credits === null ? null : problemOf(credits);
  const stated: Stated = {
    ...change,
    ...(areChanged ? statedCredits(sale, credits) : {}),
    ...(credits !== null || partnerId === undefined ? {} : { partnerId }),
  };
  const isSame = Object.keys(stated).length === 0;
  const isWrong = problems.size > 0 || wrongShares !== null;
  const share = principal.partnerIds === "*" && (
    <button type="button" class={isShared ? "" : "link left"} onClick={() => setCredits(given)}>
      {isShared ? "Change who earns from it" : "Share it with other partners"}
    </button>
  );
  return (
    <Confirm
      title="Correct this sale"
      action="Replace the sale"
      consequence={[
        "The sale is cancelled and recorded anew with what you state here, in one step. Its reference moves to the new one.",
        "What is paid stays paid: the next settlement pays the difference, or takes it back.",
      ]}
      close={close}
      run={async (commands, fields) => {
        if (wrongShares !== null) throw new FormProblem(`${wrongShares}.`);
        if (problems.size > 0) throw new FormProblem("Correct the marked fields first.");
        if (isSame) throw new FormProblem("Nothing is changed yet.");
        return commands.attributions.replace(sale.id, { ...stated, reason: text(fields, "reason") });
      }}
      done={({ id }) => go(linkTo(`sales/${id}`))}
    >
      <SaleFields {...{ definitions, typed, problems, currency }} change={setTyped} />
      {credits !== null && (
        <CreditFields credits={credits} workspaceId={sale.workspaceId} change={setCredits} />
      )}
      {credits === null && isShared && share}
      {credits === null && !isShared && (
        <details>
          <summary>
            {partner === undefined
              ? `The partner stays ${names.get(sale.partnerId) ?? "the same"}`
              : `The partner becomes ${partner}`}
          </summary>
          <PartnerChoice
            workspaceId={sale.workspaceId}
            chosen={chosen}
            except={sale.partnerId}
            legend="Partner"
            isOne
            change={setChosen}
          />
          {share}
        </details>
      )}
      <Reason />
      {!isSame && !isWrong && may("commissions:read") && (
        <WhatChanges
          about={sale.id}
          request={stated}
          ask={readChanges(client)}
          working="Computing what the sale would earn…"
        >
          {({ commissions, names: named, changesLaterSales }) => (
            <>
              <MoneyChanges changes={commissions} names={named} />
              {changesLaterSales && (
                <div class="notice wait">
                  A plan counts earlier sales: later sales are computed anew as well. Their changes are not
                  listed.
                </div>
              )}
            </>
          )}
        </WhatChanges>
      )}
    </Confirm>
  );
};

/** Reads the properties that the sale may have, then asks. */
export const ReplaceSale = ({
  data,
  earnings,
  close,
}: Omit<SaleSubject, "done"> & { readonly close: () => void }) => {
  const { client } = useSession();
  const { schemaId } = data.sale;
  const loaded = useLoad(`schema/${schemaId}`, async (signal) => {
    const schema = (await client.byIds("attributionSchemas", [schemaId], signal)).get(schemaId);
    if (schema === undefined) throw new Error("You may not read the properties of the sale.");
    return schema.properties;
  });
  if (loaded.value !== null)
    return (
      <ReplaceForm
        {...{ data, close }}
        definitions={loaded.value}
        currency={currencyOf(earnings?.commissions ?? [])}
      />
    );
  return (
    <Dialog title="Correct this sale" close={close}>
      <LoadResult loaded={loaded} what="Reading the properties of the sale">
        {() => null}
      </LoadResult>
    </Dialog>
  );
};
