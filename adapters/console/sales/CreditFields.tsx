/** The fields for who earns from a sale: partners, roles and shares as they were given, and whether the shares are the whole sale. */
import { parseShare, Rational } from "quittance/formula";
import type { Attribution } from "../api/Records.ts";
import { ALONE } from "../format/Credits.ts";
import { Field } from "../parts/Basics.tsx";
import { PartnerChoice } from "../parts/PartnerChoice.tsx";
import type { SaleData } from "./SaleData.ts";

/** A credit as it is typed. */
export interface TypedCredit {
  readonly partnerId: string;
  readonly name: string;
  readonly role: string;
  readonly share: string;
}

/** The credits of a sale that were given; those of uplines follow from links. */
export const typedCredits = ({ sale, credits, names }: SaleData): ReadonlyArray<TypedCredit> => {
  const typed = ({ partnerId, credit = ALONE }: Attribution): TypedCredit => ({
    partnerId,
    name: names.get(partnerId) ?? "…",
    role: credit.role,
    share: credit.share,
  });
  const given = credits.filter(({ credit = ALONE }) => Number(credit.depth) === 0);
  return (given.length === 0 ? [sale] : given).map(typed);
};

const shareOf = ({ share }: TypedCredit): Rational.Rational | null => parseShare(share.trim());

/** A sum of shares in percent, with at most four decimals. */
const percentOf = ({ numerator, denominator }: Rational.Rational): number =>
  Number((Number((numerator * 100_000_000n) / denominator) / 1_000_000).toFixed(4));

const isSeller = ({ role }: TypedCredit): boolean => role.trim() === ALONE.role;

/** What is wrong with typed credits; null where nothing is. */
export const problemOf = (credits: ReadonlyArray<TypedCredit>): string | null => {
  if (credits.some((credit) => shareOf(credit) === null))
    return "A share is a number up to 1 such as 0.6, or a fraction such as 1/3";
  const keys = credits.map(({ partnerId, role }) => partnerId + role.trim());
  if (new Set(keys).size < keys.length) return "A partner is named twice in the same role";
  const sum = credits
    .filter(isSeller)
    .map((credit) => shareOf(credit) ?? Rational.ZERO)
    .reduce(Rational.add, Rational.ZERO);
  return Rational.compare(sum, Rational.ONE) === 0
    ? null
    : `The shares of the sellers add up to ${percentOf(sum)} %, not to 100 %`;
};

/** The credits as a request states them; the sale stays that of its partner while that is a seller, else it is the first seller's. */
export const statedCredits = (sale: Pick<Attribution, "partnerId">, typed: ReadonlyArray<TypedCredit>) => {
  const sellers = typed.filter(isSeller).map(({ partnerId }) => partnerId);
  const [first] = sellers;
  return {
    ...(sellers.includes(sale.partnerId) || first === undefined ? {} : { partnerId: first }),
    credits: typed.map(({ partnerId, role, share }) => ({
      ...{ partnerId, role: role.trim(), share: share.trim() },
    })),
  };
};

export const CreditFields = ({
  credits,
  workspaceId,
  change,
}: {
  readonly credits: ReadonlyArray<TypedCredit>;
  readonly workspaceId: string;
  readonly change: (credits: ReadonlyArray<TypedCredit>) => void;
}) => {
  const set = (place: number, typed: Partial<TypedCredit>): void =>
    change(credits.map((credit, index) => (index === place ? { ...credit, ...typed } : credit)));
  const problem = problemOf(credits);
  return (
    <>
      <p class="note">
        The shares of the sellers are the whole sale. Partners above the sellers follow from their links.
      </p>
      {credits.map(({ partnerId, name, role, share }, place) => (
        <div class="row fields" key={`${partnerId}${place}`}>
          <Field label={`Role of ${name}`}>
            <input
              value={role}
              maxLength={64}
              required
              onInput={(event) => set(place, { role: event.currentTarget.value })}
            />
          </Field>
          <Field label={`Share of ${name}`}>
            <input
              value={share}
              inputMode="decimal"
              required
              onInput={(event) => set(place, { share: event.currentTarget.value })}
            />
          </Field>
          <button
            type="button"
            class="danger-quiet"
            onClick={() => change(credits.filter((_, index) => index !== place))}
          >
            Remove<span class="visually-hidden"> {name}</span>
          </button>
        </div>
      ))}
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}.
        </p>
      )}
      <details>
        <summary>Add a partner</summary>
        <PartnerChoice
          workspaceId={workspaceId}
          chosen={new Map()}
          isOne
          legend="Partner"
          change={(chosen) =>
            change([
              ...credits,
              ...[...chosen].map(([partnerId, name]) => ({ partnerId, name, role: ALONE.role, share: "" })),
            ])
          }
        />
      </details>
    </>
  );
};
