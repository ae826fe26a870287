/** Settlements on the wire. */
import type { Effect } from "effect";
import {
  Settlement as Domain,
  Event,
  type PayoutAccount,
  PayoutDetails,
  type Settlement,
  type Settlements,
} from "quittance";
import * as Contract from "../api/Settlement.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

export const line = recordWriter<Settlement.Line>()(Contract.Line, {});

/** The account of an approval, masked; undefined where the billing data states it. */
const shownAccount = (account: PayoutAccount.ApprovedAccount | null | undefined) =>
  account == null ? account : { ...account, details: PayoutDetails.mask(account) };

/** Who has acted; undefined for a reader who does not learn it. */
const person = (entry: Event.Entry<unknown>): string | undefined =>
  entry.actor === Event.NOBODY ? undefined : Event.personOf(entry);

/** The text of a settlement in a list before and after its lines. */
export const aroundLines = textAround(
  recordWriter<Settlements.ListedInParts>()(Contract.Settlement, {
    events: [{ datetime, person }],
    view: {
      lines: GAP,
      billing_mode: (row) => row.approval?.billingMode ?? null,
      tax_review: (row) => Domain.taxReview(row),
      payout_account: ({ approval }) => shownAccount(approval?.payoutAccount),
      fee: (row) => row.fee ?? null,
      received: (row) => row.received ?? null,
    },
  }),
);

type Preview = Effect.Effect.Success<ReturnType<Settlements.Settlements["preview"]>>;

/** The text of a preview before and after its lines. */
export const aroundPreviewLines = textAround(
  recordWriter<Preview>()(Contract.SettlementPreview, { lines: GAP }),
);
