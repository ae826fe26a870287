/** Credits: which partners have a part in one sale, in which role, and how much of the sale is theirs. */
import { Schema } from "effect";
import { DEPTH_MAX, parseShare, Rational, type Credit as Read, SELLER, WHOLE } from "../formula/index.ts";
import { key, means, optional } from "./Field.ts";
import { PartnerId } from "./Ids.ts";
import { CREDITS_MAX, ROLE_MAX } from "./Limits.ts";
import { Text } from "./Text.ts";

export { SELLER, WHOLE };

/**
 * One partner's part in a sale that several people earn from. The share is exact: a decimal, or a fraction in lowest terms where
 * no finite decimal exists. The shares of the sellers of a sale add up to 1.
 */
export interface Credit extends Read {
  /** Present where the partner has another credit of the sale: statistics count a partner's first one. */
  readonly further?: true;
  /**
   * The sellers of the sale whose commissions an override of this credit is computed from: of a derived credit those below it.
   * Absent where that is all of them.
   */
  readonly sellers?: ReadonlyArray<PartnerId>;
}

/** Longest share that a request states, in characters. */
const SHARE_MAX = 8;

const SHARE =
  'must be greater than 0 and at most 1: a decimal with at most 6 decimals such as "0.25", or a fraction "n/d" with 1 ≤ n ≤ d ≤ 20 such as "1/3"';

/** The exact number of a stored share. */
export const numberOf = (share: string): Rational.Rational => Rational.parse(share) ?? Rational.ZERO;

/** A share as a request states it. */
export const Share = Schema.String.pipe(
  Schema.filter((text) => parseShare(text) !== null || SHARE, {
    jsonSchema: { minLength: 1, maxLength: SHARE_MAX },
    arbitrary: () => (fc) => fc.constantFrom("1", "0.6", ".25", "1/3"),
  }),
);

/** A role: any text, by which formulas choose the credits that they pay. */
export const Role = Text(1, ROLE_MAX);

/** A credit as a request states it. */
export const Given = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner, of the same workspace."),
  role: optional(
    Role,
    'What the partner did for the sale; "seller" by default. Formulas say which roles they pay.',
  ),
  share: optional(
    Share,
    'The part of the sale that is the partner\'s, as text: a decimal such as "0.6", or a fraction such as "1/3"; "1" by default. The shares of the sellers add up to exactly 1.',
  ),
});
export type Given = typeof Given.Type;

/** A credit that a caller gave, with its defaults, and its share in lowest terms: written differently, the same share is equal. */
export interface Stated {
  readonly partnerId: PartnerId;
  readonly role: string;
  readonly share: string;
}

const inLowestTerms = (share: string): string => Rational.format(parseShare(share) ?? Rational.ZERO);

const stated = ({ partnerId, role = SELLER, share = WHOLE.share }: Given): Stated => ({
  partnerId,
  role,
  share: inLowestTerms(share),
});

/** A partner's part in a sample of a sale. */
export const Sample = Schema.Struct({
  role: Given.fields.role,
  share: Given.fields.share,
  depth: optional(
    Schema.Int.pipe(
      Schema.between(0, DEPTH_MAX, {
        message: () => `must be from 0 to ${DEPTH_MAX}`,
        jsonSchema: { type: "integer", minimum: 0, maximum: DEPTH_MAX },
      }),
    ),
    "0, the default, or how far above a seller the partner stands.",
  ),
});

/** The credit of a sample; none where it states nothing. */
export const ofSample = (sample: typeof Sample.Type | undefined): Read | null =>
  sample === undefined
    ? null
    : {
        ...{ role: sample.role ?? SELLER, depth: sample.depth ?? WHOLE.depth },
        share: inLowestTerms(sample.share ?? WHOLE.share),
      };

/** The exact sum of shares. */
export const sumOf = (shares: ReadonlyArray<Pick<Credit, "share">>): Rational.Rational =>
  shares.map(({ share }) => numberOf(share)).reduce(Rational.add, Rational.ZERO);

/** What is wrong with the credits of a request, which does not depend on its partner; null if nothing. */
const problemOf = (given: ReadonlyArray<Given>): string | null => {
  if (given.length < 1 || given.length > CREDITS_MAX) return `must have 1 to ${CREDITS_MAX} credits`;
  const credits = given.map(stated);
  const repeated = credits.find(
    ({ partnerId, role }, index) =>
      credits.findIndex((other) => other.partnerId === partnerId && other.role === role) !== index,
  );
  if (repeated !== undefined)
    return `must not name the partner ${repeated.partnerId} twice in the role ${JSON.stringify(repeated.role)}`;
  const sum = sumOf(credits.filter(({ role }) => role === SELLER));
  return Rational.compare(sum, Rational.ONE) === 0
    ? null
    : `the shares of the sellers must add up to exactly 1; they add up to ${Rational.format(sum)}`;
};

/** Gives the whole sale to the first half of the credits, and another role to the others. */
const sharedAmongFirst = (given: ReadonlyArray<Given>): ReadonlyArray<Given> => {
  const sellers = Math.ceil(given.length / 2);
  return given.map((credit, index) =>
    index < sellers
      ? { ...credit, role: SELLER, share: `1/${sellers}` }
      : { ...credit, role: `not ${SELLER}` },
  );
};

/** The credits of a request: 1 to 20, no partner twice in a role, the shares of the sellers adding up to exactly 1. */
export const GivenCredits = Schema.Array(Given).pipe(
  Schema.filter((given) => problemOf(given) ?? true, {
    jsonSchema: { minItems: 1, maxItems: CREDITS_MAX },
    arbitrary: (from) => (fc) => from(fc).map(sharedAmongFirst),
  }),
  means(
    "The partners that earn from the sale, 1 to 20; by default the partner alone. The partner of partner_id is one of the sellers.",
  ),
);

/** What is wrong with credits for a partner, which has to be one of the sellers; null if nothing. */
export const partnerProblem = (partnerId: PartnerId, given: ReadonlyArray<Given>): string | null =>
  given.map(stated).some((credit) => credit.partnerId === partnerId && credit.role === SELLER)
    ? null
    : "must name the partner of partner_id as a seller";

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders credits of one partner as they arrive: by depth, then by role. */
export const compareArrival = (
  a: Pick<Credit, "role" | "depth">,
  b: Pick<Credit, "role" | "depth">,
): number => a.depth - b.depth || compareTexts(a.role, b.role);

/** A credit of a sale, with its partner. */
export interface OfPartner extends Credit {
  readonly partnerId: PartnerId;
}

/** One text for the credits of a sale that a caller gave, in any order; empty where the partner alone was given. */
export const textOf = (credits: ReadonlyArray<OfPartner>): string => {
  const given = credits.filter(({ depth }) => depth === 0);
  return given.length < 2
    ? ""
    : given
        .map(({ partnerId, role, share }) => JSON.stringify([partnerId, role, share]))
        .sort(compareTexts)
        .join();
};

/** True if a seller's commissions count for an override of a credit. */
export const isAbove = ({ sellers }: Credit, seller: PartnerId): boolean =>
  sellers === undefined || sellers.includes(seller);

/** The credits of a sale: that of its partner first. */
export type SaleCredits = readonly [OfPartner, ...ReadonlyArray<OfPartner>];

/** Written out, because copying an object costs a microsecond, and nearly every sale has this credit alone. */
const wholeOf = (partnerId: PartnerId): OfPartner => ({
  partnerId,
  role: WHOLE.role,
  share: WHOLE.share,
  depth: WHOLE.depth,
});

/** The credits that a caller gave a sale: that of the partner first, then the others in their order. */
export const givenTo = (partnerId: PartnerId, given: ReadonlyArray<Given> = []): SaleCredits => {
  if (given.length === 0) return [wholeOf(partnerId)];
  const credits = given.map((credit): OfPartner => ({ ...stated(credit), depth: 0 }));
  const own = credits.find((credit) => credit.partnerId === partnerId && credit.role === SELLER);
  return [own ?? wholeOf(partnerId), ...credits.filter((credit) => credit !== own)];
};

/**
 * The credits of a sale with several: those that were given, then those of uplines; null where the partner alone earns from
 * it, which is stored as nothing.
 */
export const creditsOf = (given: SaleCredits, uplines: ReadonlyArray<OfPartner> = []): SaleCredits | null =>
  given.length + uplines.length < 2 ? null : markFurther([...given, ...uplines]);

/** The credits of a sale, of which the first is the origin's, with the mark of those that are not a partner's first. */
export const markFurther = (credits: SaleCredits): SaleCredits => {
  const [origin, ...others] = credits;
  const counted = new Set<PartnerId>([origin.partnerId]);
  const first = new Set(
    others
      .toSorted(compareArrival)
      .filter(({ partnerId }) => !counted.has(partnerId) && counted.add(partnerId)),
  );
  return [
    origin,
    ...others.map((credit) => (first.has(credit) ? credit : { ...credit, further: true as const })),
  ];
};
