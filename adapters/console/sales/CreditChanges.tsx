/** What recrediting a sale changes: the credits of uplines, and what they earn. */
import type { RecreditDryRun } from "quittance/client";
import { roleWords, shareWords } from "../format/Credits.ts";
import { Clip } from "../parts/Basics.tsx";
import { Table } from "../parts/Table.tsx";
import { MoneyChanges, type Names } from "./MoneyChanges.tsx";

const shareOf = (share: string | null): string => (share === null ? "–" : shareWords(share));

/** The changes of the credits and of the money as tables. */
export const CreditChanges = ({
  changes: { credits, commissions, changesLaterSales },
  names,
}: {
  readonly changes: RecreditDryRun;
  readonly names: Names;
}) =>
  credits.length === 0 ? (
    <p>The uplines are those that the sale has already. Nothing changes.</p>
  ) : (
    <>
      <Table
        caption="What changes of who earns from it"
        rows={credits}
        rowKey={(credit) => String(credits.indexOf(credit))}
        columns={[
          {
            name: "Partner",
            show: (credit) => (
              <>
                <Clip>{names.get(credit.partnerId) ?? "A partner"}</Clip>
                <span class="under">{roleWords(credit)}</span>
              </>
            ),
          },
          {
            name: "Share",
            isNumber: true,
            show: ({ shareBefore, shareAfter }) => `${shareOf(shareBefore)} → ${shareOf(shareAfter)}`,
          },
        ]}
      />
      {commissions.length === 0 ? (
        <p>No amount changes: these partners have no plan for their roles.</p>
      ) : (
        <MoneyChanges changes={commissions} names={names} />
      )}
      {changesLaterSales && (
        <div class="notice wait">
          A plan counts earlier sales: later sales are computed anew as well. Their changes are not listed.
        </div>
      )}
    </>
  );
