/**
 * The versions of the expression of a formula or a plan. Each holds from its date on and replaces every version stated before
 * it. A version whose date a caller set in the future is ahead: it pays nothing before its date, and can be withdrawn until then.
 */
import { Either } from "effect";
import { type Expression, readsShare } from "../formula/index.ts";
import { sameJson } from "./Json.ts";
import { type Conflict, conflict, type Missing, missing } from "./Refusal.ts";
import { format, type Timestamp } from "./Timestamp.ts";

/** An expression and the date from which it replaces the ones stated before. The first has null: it holds for all time. */
export interface ExpressionVersion {
  readonly expression: Expression;
  readonly effectiveDatetime: Timestamp | null;
  /** Present where it was stated, and does not follow from the expression. */
  readonly applyShare?: boolean;
  /** Present where the caller gave a date in the future: the version is ahead until then. */
  readonly ahead?: true;
  /** Present where it was withdrawn: it never holds. Its number stays. */
  readonly withdrawn?: true;
}

/** In the order in which they were stated; never empty. A version's number is its place, from 1. */
export type Versions<Version = ExpressionVersion> = readonly [Version, ...ReadonlyArray<Version>];

interface HasVersions {
  readonly versions: Versions;
}

/** An expression version in an event, after the first one. */
export interface EventVersion {
  readonly formula: Expression;
  readonly effective_datetime: string;
  readonly apply_share?: boolean;
  readonly ahead?: true;
}

/** What an event changes of versions: it withdraws some, states one, and states others after it. */
export interface VersionChanges extends Partial<EventVersion> {
  readonly withdrawn_versions?: ReadonlyArray<number>;
  readonly later_versions?: ReadonlyArray<EventVersion>;
}

/** What a request with an expression does to the versions ahead that the expression would replace. */
export const VERSIONS_AHEAD = ["keep", "withdraw"] as const;

/** An expression, and whether the share of a credit multiplies what it pays; absent where that follows from the expression. */
type Payment = Pick<ExpressionVersion, "expression" | "applyShare">;

/** True if the share of a credit multiplies what an expression pays: as stated, else unless it reads the share itself. */
export const appliesShare = ({ expression, applyShare }: Payment): boolean =>
  applyShare ?? !readsShare(expression);

/** What events state of the share: nothing where it follows from the expression. */
export const statedShare = ({ expression, applyShare }: Payment): { readonly apply_share?: boolean } =>
  applyShare === undefined || applyShare === appliesShare({ expression }) ? {} : { apply_share: applyShare };

/** The version that an event states, without its date. */
export const paymentOf = ({
  formula,
  apply_share,
}: Pick<EventVersion, "formula" | "apply_share">): Payment => ({
  expression: formula,
  ...(apply_share === undefined ? {} : { applyShare: apply_share }),
});

const versionOf = ({ effective_datetime, ahead, ...payment }: EventVersion): ExpressionVersion => ({
  ...paymentOf(payment),
  effectiveDatetime: Date.parse(effective_datetime),
  ...(ahead === undefined ? {} : { ahead }),
});

const encode = ({ effectiveDatetime, ahead, ...payment }: ExpressionVersion): EventVersion => ({
  formula: payment.expression,
  ...statedShare(payment),
  effective_datetime: format(effectiveDatetime ?? 0),
  ...(ahead === undefined ? {} : { ahead }),
});

/** The versions after an event. */
export const changeVersions = (
  versions: Versions,
  {
    formula,
    effective_datetime,
    apply_share,
    ahead,
    later_versions = [],
    withdrawn_versions = [],
  }: VersionChanges,
): Versions => {
  const stated =
    formula === undefined || effective_datetime === undefined
      ? []
      : [
          versionOf({
            ...{ formula, effective_datetime },
            ...(apply_share === undefined ? {} : { apply_share }),
            ...(ahead === undefined ? {} : { ahead }),
          }),
        ];
  const [first, ...later] = versions;
  return [
    first,
    ...[...later, ...stated, ...later_versions.map(versionOf)].map((version, index) =>
      withdrawn_versions.includes(index + 2) ? { ...version, withdrawn: true as const } : version,
    ),
  ];
};

/** The versions after the first one, as the creation of another formula states them. */
export const encodeLater = ({
  versions: [, ...later],
}: HasVersions): Pick<VersionChanges, "later_versions" | "withdrawn_versions"> => {
  const withdrawn = later.flatMap((expressionVersion, index) =>
    expressionVersion.withdrawn ? [index + 2] : [],
  );
  return {
    ...(later.length === 0 ? {} : { later_versions: later.map(encode) }),
    ...(withdrawn.length === 0 ? {} : { withdrawn_versions: withdrawn }),
  };
};

const startsBy = ({ effectiveDatetime }: ExpressionVersion, moment: Timestamp): boolean =>
  effectiveDatetime === null || effectiveDatetime <= moment;

/** True if a version is ahead at a moment: its date, given by the caller, is later, and it is not withdrawn. */
const isAhead = (version: ExpressionVersion, now: Timestamp): boolean =>
  version.ahead === true && version.withdrawn === undefined && !startsBy(version, now);

/** The number of the last version that is not withdrawn and fulfils a condition; 1 if none does. */
const lastNumber = ({ versions }: HasVersions, fulfils: (version: ExpressionVersion) => boolean): number =>
  Math.max(1, versions.findLastIndex((version) => version.withdrawn === undefined && fulfils(version)) + 1);

/** The 1-based number of the version that holds at a moment: the last stated whose date is not after it. */
export const versionAt = (terms: HasVersions, moment: Timestamp): number =>
  lastNumber(terms, (version) => startsBy(version, moment));

/** The expression that a formula shows at a moment: the last one stated that is not ahead. */
export const currentExpression = (terms: HasVersions, now: Timestamp): Expression => {
  const number = lastNumber(terms, (version) => !isAhead(version, now));
  return (terms.versions[number - 1] ?? terms.versions[0]).expression;
};

/** A version as it is shown: its number, and whether its date has been reached. */
export interface ShownVersion extends ExpressionVersion {
  readonly number: number;
  readonly status: "reached" | "ahead" | "withdrawn";
}

/** A formula or plan as it is shown at a moment. */
export type Shown<Terms extends HasVersions> = Omit<Terms, "versions"> & {
  /** The last one stated that is not ahead. */
  readonly expression: Expression;
  /** All versions, with their numbers and states. */
  readonly versions: Versions<ShownVersion>;
};

/** A formula or plan with the expression, and the states of its versions, at a moment. */
export const show = <Terms extends HasVersions>(terms: Terms, now: Timestamp): Shown<Terms> => {
  const showOne = (version: ExpressionVersion, index: number): ShownVersion => ({
    ...version,
    number: index + 1,
    status: version.withdrawn ? "withdrawn" : isAhead(version, now) ? "ahead" : "reached",
  });
  const [first, ...later] = terms.versions;
  return {
    ...terms,
    expression: currentExpression(terms, now),
    versions: [showOne(first, 0), ...later.map((version, index) => showOne(version, index + 1))],
  };
};

/** An expression that a request states. */
export interface Statement extends Payment {
  /** The date that the request gives; null where it gives none. */
  readonly given: Timestamp | null;
  /** From when it holds without a date. */
  readonly holdsFrom: Timestamp;
  readonly versionsAhead: (typeof VERSIONS_AHEAD)[number] | null;
}

const named = ({ number, effectiveDatetime }: ShownVersion): string =>
  `version ${number} from ${format(effectiveDatetime ?? 0)}`;

/** The refusal to replace versions ahead unless the request says what becomes of them. */
const checkReplaced = (
  replaced: ReadonlyArray<ShownVersion>,
  effective: Timestamp,
  versionsAhead: Statement["versionsAhead"],
): Either.Either<void, Conflict> => {
  if (versionsAhead === null && replaced.length > 0)
    return Either.left(
      conflict(
        "versions_ahead",
        `the expression would replace ${replaced.map(named).join(" and ")} on; state versions_ahead: keep to state them again after it, or withdraw`,
      ),
    );
  const atOnce = replaced.find(({ effectiveDatetime }) => effectiveDatetime === effective);
  return versionsAhead !== "keep" || atOnce === undefined
    ? Either.void
    : Either.left(
        conflict(
          "versions_ahead",
          `${named(atOnce)} on would leave the expression without effect; withdraw that version first, or state versions_ahead: withdraw`,
        ),
      );
};

/**
 * What an event changes to state an expression; nothing where the version that holds from its date on says the same. Versions
 * ahead of its date or later would be replaced: the request says that they are withdrawn, or kept, which states them again
 * after it. So those that are ahead always stand last, in the order of their dates.
 */
export const stateVersion = (
  terms: HasVersions,
  { given, holdsFrom, versionsAhead, ...payment }: Statement,
  now: Timestamp,
): Either.Either<VersionChanges, Conflict> => {
  const effective = given ?? holdsFrom;
  const { versions } = show(terms, now);
  const repeats = (shownVersion: ShownVersion): boolean =>
    sameJson(shownVersion.expression, payment.expression) &&
    appliesShare(shownVersion) === appliesShare(payment);
  const replaced = versions.filter(
    (version) =>
      version.status === "ahead" &&
      (!startsBy(version, effective) || (version.effectiveDatetime === effective && !repeats(version))),
  );
  const last = versions.findLast((version) => version.status !== "withdrawn" && !replaced.includes(version));
  const isRepeated = last !== undefined && repeats(last) && startsBy(last, effective);
  const isKept = replaced.length > 0 && versionsAhead === "keep";
  const ahead = given !== null && given > now ? ({ ahead: true } as const) : {};
  return Either.map(checkReplaced(replaced, effective, versionsAhead), () =>
    isRepeated && versionsAhead !== "withdraw"
      ? {}
      : {
          ...(replaced.length === 0 ? {} : { withdrawn_versions: replaced.map(({ number }) => number) }),
          ...(isRepeated ? {} : encode({ ...payment, effectiveDatetime: effective, ...ahead })),
          ...(isKept ? { later_versions: replaced.map(encode) } : {}),
        },
  );
};

/** What an event changes to withdraw a version that is ahead; nothing where it is withdrawn already. */
export const withdrawVersion = (
  terms: HasVersions,
  number: number,
  now: Timestamp,
): Either.Either<VersionChanges, Missing | Conflict> => {
  const version = show(terms, now).versions[number - 1];
  switch (version?.status) {
    case undefined:
      return Either.left(missing("version"));
    case "withdrawn":
      return Either.right({});
    case "ahead":
      return Either.right({ withdrawn_versions: [number] });
    case "reached": {
      const since =
        version.effectiveDatetime === null ? "from the start" : `since ${format(version.effectiveDatetime)}`;
      return Either.left(
        conflict(
          "version_not_ahead",
          `version ${number} holds ${since}; only a version whose date is in the future can be withdrawn, so state another expression from a date on instead`,
        ),
      );
    }
  }
};
