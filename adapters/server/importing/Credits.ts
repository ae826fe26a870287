/** The credits of a row: as the interface takes them, or as one text such as `Anna:0.6|Ben:0.4|Eva::engineer`. */
import { Either } from "effect";

/** A credit of a row, whose partner is not looked up yet. */
export interface RowCredit {
  readonly partner: string;
  /** What the cell states in addition. */
  readonly stated: Readonly<Record<string, unknown>>;
}

type Result = Either.Either<ReadonlyArray<RowCredit>, string>;

const NOTATION = 'must be written as "partner:share:role", with | between several';

const fromText = (text: string): Result =>
  Either.all(
    text.split("|").map((part) => {
      const [partner = "", share = "", role = "", ...more] = part.split(":").map((one) => one.trim());
      return partner === "" || more.length > 0
        ? Either.left(`credits: "${part.trim()}" ${NOTATION}`)
        : Either.right({
            partner,
            stated: { ...(share === "" ? {} : { share }), ...(role === "" ? {} : { role }) },
          });
    }),
  );

const fromItem = (item: unknown, index: number): Either.Either<RowCredit, string> => {
  if (typeof item !== "object" || item === null || !("partner_id" in item))
    return Either.left(`credits.${index}: must be an object with partner_id`);
  const { partner_id: partner, ...stated } = item;
  return Either.right({ partner: String(partner).trim(), stated });
};

/** The credits that a cell states; null where it is empty. */
export const creditsOf = (cell: unknown): Either.Either<ReadonlyArray<RowCredit> | null, string> => {
  if (cell === undefined || cell === null || cell === "") return Either.right(null);
  if (Array.isArray(cell)) return Either.all(cell.map(fromItem));
  return typeof cell === "object" ? Either.left("credits: must be a list or a text") : fromText(String(cell));
};
