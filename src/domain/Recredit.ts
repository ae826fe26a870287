/** Recrediting a sale: its uplines derived again from the links of now. Credits that a caller gave never change. */
import { Either, Schema } from "effect";
import { type Attribution, type AttributionEvent, requireOrigin, type View } from "./Attribution.ts";
import * as Credit from "./Credit.ts";
import { field, key, optionalKey, Reason, required } from "./Field.ts";
import { PartnerId } from "./Ids.ts";
import { Count } from "./Money.ts";
import { type Conflict, conflict } from "./Refusal.ts";

/** What recrediting a sale takes. */
export const Recredit = Schema.Struct({
  reason: Reason,
  dryRun: optionalKey(
    Schema.Boolean,
    "dry_run",
    "true returns what recrediting would change, and stores nothing; false by default.",
  ),
});
export type Recredit = typeof Recredit.Type;

/** Refuses to recredit an attribution that is cancelled, and one of the other credits of a sale. */
export const checkRecreditable = ({ status, originId }: View): Either.Either<void, Conflict> =>
  status === "confirmed"
    ? requireOrigin({ originId })
    : Either.left(conflict("attribution_cancelled", "the uplines of a cancelled sale are not derived again"));

/** An attribution of a sale, as far as its credit goes. */
type Credited = Pick<Attribution, "partnerId" | "credit">;

/** The credits of a sale that a caller gave, that of its partner first. */
export const givenCredits = (sale: ReadonlyArray<Credited>): ReadonlyArray<Credit.OfPartner> =>
  sale.flatMap(({ partnerId, credit }) => {
    const own = credit ?? Credit.WHOLE;
    return own.depth === 0 ? [{ ...own, partnerId }] : [];
  });

/** A credit of an upline that a sale would get or lose. */
export const CreditChange = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The upline."),
  role: Schema.String,
  depth: Count,
  shareBefore: key(Schema.NullOr(Schema.String), "share_before", "Null where the sale has no such credit."),
  shareAfter: key(Schema.NullOr(Schema.String), "share_after", "The same after the change."),
});
export type CreditChange = typeof CreditChange.Type;

/** What recrediting a sale changes of its credits. */
export const CreditChanges = Schema.Struct(
  required({
    credits: field(
      Schema.Array(CreditChange),
      "credits",
      "The credits of uplines that change; a share is null where the sale has no such credit.",
    ),
  }),
);

/** What recrediting a sale changes. */
export interface Change<One> {
  /** Attributions of uplines that have no such credit any more. */
  readonly taken: ReadonlyArray<One>;
  /** Attributions that stay and become the first of their partner, with the credit that they then have. */
  readonly promoted: ReadonlyArray<{ readonly attribution: One; readonly credit: Credit.Credit }>;
  /** The credits of uplines that are new. */
  readonly added: ReadonlyArray<Credit.OfPartner>;
}

/** One text for credits that are the same: also those of an override, which rests on the sellers below. */
const textOf = ({ partnerId, role, depth, share, sellers }: Credit.OfPartner): string =>
  JSON.stringify([partnerId, role, depth, share, sellers?.toSorted() ?? null]);

const byArrival = (a: { readonly credit: Credit.Credit }, b: { readonly credit: Credit.Credit }): number =>
  Credit.compareArrival(a.credit, b.credit);

/**
 * What changes in a sale whose uplines now have these credits; null where nothing does. A credit that stays remains its partner's
 * first if it was; where the first one is taken, another that stays follows it.
 */
export const changeOf = <One extends Credited>(
  sale: ReadonlyArray<One>,
  above: ReadonlyArray<Credit.OfPartner>,
): Change<One> | null => {
  const derived = sale.flatMap((attribution) =>
    attribution.credit === null || attribution.credit.depth === 0
      ? []
      : [{ attribution, credit: attribution.credit }],
  );
  const textOfStored = ({ attribution: { partnerId }, credit }: (typeof derived)[number]) =>
    textOf({ ...credit, partnerId });
  const wanted = new Set(above.map(textOf));
  const stored = new Set(derived.map(textOfStored));
  const taken = derived.filter((one) => !wanted.has(textOfStored(one)));
  const missing = above.filter((credit) => !stored.has(textOf(credit)));
  if (taken.length === 0 && missing.length === 0) return null;
  const stay = derived.filter((one) => wanted.has(textOfStored(one))).sort(byArrival);
  const counted = new Set<PartnerId>([
    ...givenCredits(sale).map(({ partnerId }) => partnerId),
    ...stay.flatMap(({ attribution, credit }) => (credit.further === true ? [] : [attribution.partnerId])),
  ]);
  const isFirst = (partnerId: PartnerId): boolean =>
    !counted.has(partnerId) && counted.add(partnerId).has(partnerId);
  return {
    taken: taken.map(({ attribution }) => attribution),
    promoted: stay.flatMap(({ attribution, credit: { further: _, ...credit } }) =>
      isFirst(attribution.partnerId) ? [{ attribution, credit }] : [],
    ),
    added: missing
      .toSorted(Credit.compareArrival)
      .map((credit) => (isFirst(credit.partnerId) ? credit : { ...credit, further: true })),
  };
};

/** The event of an attribution of a sale that is recredited; without a credit its own stays. */
export const recredited = (reason: string, credit?: Credit.Credit): AttributionEvent => ({
  type: "recredit_attribution",
  reason,
  ...(credit === undefined ? {} : { credit }),
});

/** The event of the origin: one that was the only attribution of its sale gets its credit, all of the sale as a seller. */
export const ofOrigin = (origin: Credited, reason: string): AttributionEvent =>
  origin.credit === null ? recredited(reason, Credit.WHOLE) : recredited(reason);
