/** What a sale would earn, shown in the form that records it. */
import type { Schema } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { creditWords } from "../format/Credits.ts";
import { sumsWords } from "../format/Money.ts";
import { Amount, Clip } from "../parts/Basics.tsx";
import { Table } from "../parts/Table.tsx";
import { WhatChanges } from "../parts/WhatChanges.tsx";
import { type Earned, previewSale, type SalePreview, type StatedSale } from "./SalePreview.ts";

const Earner = ({ earned: { credit, formula, problem } }: { readonly earned: Earned }) => (
  <>
    <Clip>{credit.name}</Clip>
    <span class="under">{creditWords({ ...credit, depth: 0 })}</span>
    <span class="under">
      <Clip>{formula.name}</Clip>
    </span>
    {problem !== null && <span class="problem">No amount: {problem}</span>}
  </>
);

const Shown = ({ preview: { earned, sums, remarks } }: { readonly preview: SalePreview }) => (
  <>
    {earned.length > 0 && (
      <Table
        caption="What each partner would earn"
        rows={earned}
        rowKey={({ credit, formula }) => `${credit.role}/${formula.id}`}
        columns={[
          { name: "Partner and plan", show: (one) => <Earner earned={one} /> },
          {
            name: "Would earn",
            isNumber: true,
            show: ({ amount, formula: { currency, release } }) =>
              amount === null ? (
                "–"
              ) : (
                <>
                  <Amount amount={amount} currency={currency} />
                  {release !== undefined && <span class="under">due as the buyer pays</span>}
                </>
              ),
          },
        ]}
      />
    )}
    {sums.length > 0 && <p class="sentence">Together {sumsWords(sums)}, net, before tax.</p>}
    {remarks.map((remark) => (
      <p class="note" key={remark}>
        {remark}
      </p>
    ))}
  </>
);

export const WouldEarn = ({ schema, sale }: { readonly schema: Schema; readonly sale: StatedSale }) => {
  const { client } = useSession();
  return (
    <WhatChanges
      title="What this sale would earn"
      about={schema.id}
      request={sale}
      ask={(_, stated, signal) => previewSale(client, schema, stated, signal)}
      working="Computing what the sale would earn…"
      failed="What the sale would earn cannot be shown. It can be recorded all the same."
    >
      {(preview) => <Shown preview={preview} />}
    </WhatChanges>
  );
};
