/** The button that derives the uplines of a sale again; it shows what changes before anything is stored. */
import type { Client } from "../api/Client.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import type { SaleSubject } from "../pages/Sale.tsx";
import { ActionButton, Reason, text } from "../parts/Forms.tsx";
import { WhatChanges } from "../parts/WhatChanges.tsx";
import { CreditChanges } from "./CreditChanges.tsx";
import { readNames } from "./MoneyChanges.tsx";
import type { SaleData } from "./SaleData.ts";

/** What the server says of recrediting a sale, with the names of partners and formulas. */
const readChanges = (client: Client) => async (id: string, _: object, signal: AbortSignal) => {
  const changes = await client.recreditDryRun(id, signal);
  const partnerIds = changes.credits.map(({ partnerId }) => partnerId);
  return { changes, names: await readNames(client, partnerIds, changes.commissions, signal) };
};

/** True if anybody is above a seller of the sale, or was: else there is nothing to follow. */
const readHasTeam = async (client: Client, credits: SaleData["credits"], signal: AbortSignal) => {
  if (credits.some(({ credit }) => credit !== undefined && credit.depth > 0)) return true;
  const partnerIds = credits.map(({ partnerId }) => partnerId);
  const { total } = await client.list("partnerLinks", { partnerIds, perPage: 1 }, signal);
  return total > 0;
};

/** The button, where it can change something. */
export const RecreditSale = ({ data: { sale, credits }, done }: SaleSubject) => {
  const may = useMay();
  const { client } = useSession();
  const hasTeam = useLoad(`team of ${sale.id}`, (signal) => readHasTeam(client, credits, signal));
  if (hasTeam.value !== true) return null;
  return (
    <ActionButton
      title="Apply team changes to this sale"
      words="Apply team changes"
      consequence={[
        "The sale gets the uplines that its sellers have at its date, by the links of now. Credits that were given stay.",
        "A credit that is lost is cancelled: what was paid for it is taken back in the next settlement.",
      ]}
      run={(commands, fields) => commands.attributions.recredit(sale.id, { reason: text(fields, "reason") })}
      done={done}
    >
      <Reason />
      {may("commissions:read") && (
        <WhatChanges
          about={sale.id}
          request={{}}
          ask={readChanges(client)}
          working="Following the links of the sellers…"
        >
          {(found) => <CreditChanges {...found} />}
        </WhatChanges>
      )}
    </ActionButton>
  );
};
