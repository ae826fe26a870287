/** Planted bugs of sales that several people earn from. */
import { type Bug, bug } from "./Bug.ts";

const COMPILE = "src/formula/Compile.ts";
const SHARE = "src/formula/Credit.ts";
const CREATION = "src/services/attributions/AttributionCreation.ts";
const ONE_FOR_EACH =
  "Credits: is one attribution for each, of one moment, which name the first one as their origin";

/** Every planted bug of this file. */
export const creditBugs: ReadonlyArray<Bug> = [
  bug(
    "the share of a credit is not applied",
    ONE_FOR_EACH,
    COMPILE,
    "|| !compiled.appliesShare) return compiled;",
    "|| compiled.appliesShare) return compiled;",
    "rules",
  ),
  bug(
    "the share of a credit is applied twice",
    ONE_FOR_EACH,
    SHARE,
    "operands: [...expression.operands, SHARE] }",
    "operands: [...expression.operands, SHARE, SHARE] }",
    "rules",
  ),
  bug(
    "the share of a credit is applied after a rounding",
    ONE_FOR_EACH,
    SHARE,
    'expression.type === "multiply"\n    ? { ...expression, operands: [...expression.operands, SHARE] }\n    : { type: "multiply", operands: [expression, SHARE] };',
    '({ type: "multiply", operands: [{ type: "round", operand: expression, mode: "half_up" }, SHARE] });',
    "rules",
  ),
  bug(
    "what an update states of the share is ignored",
    "AppliedShare: is stated with each version: an update without it is as its expression says",
    "src/domain/Formula.ts",
    "  ...(applyShare === undefined ? {} : { applyShare }),\n",
    "",
    "rules",
  ),
  bug(
    "a partner of a plan does not get what it states of the share",
    "AppliedShare: of a plan reaches its partners, before and after the assignment",
    "src/domain/CommissionPlan.ts",
    "    ...Formula.statedShare(plan.versions[0]),\n",
    "",
    "rules",
  ),
  bug(
    "a formula pays credits of every role",
    ONE_FOR_EACH,
    "src/domain/Commission.ts",
    "  paysRole(formula, attribution) &&\n",
    "",
    "rules",
  ),
  bug(
    "a credit is cancelled without its sale",
    "Credits: is cancelled as a whole, and its credits not by themselves",
    "src/services/Attributions.ts",
    "          yield* Attribution.requireOrigin(attribution);\n",
    "",
    "rules",
  ),
  bug(
    "the credits of a cancelled sale stay confirmed",
    "Credits: is cancelled as a whole, and its credits not by themselves",
    "src/services/cancellation/SaleCancellation.ts",
    "  credit === null",
    "  credit !== undefined",
    "rules",
  ),
  bug(
    "statistics count credits as sales",
    "Credits: is one sale in statistics, and one of each partner where they are asked for partners",
    "adapters/memory/Statistics.ts",
    "(partnerIds === undefined ? originId === null : credit?.further === undefined)",
    "(partnerIds === undefined ? credit?.further === undefined : originId !== undefined)",
    "rules",
  ),
  bug(
    "a repetition is accepted with other credits",
    "Credits: is repeated by its reference with the same credits alone, also within a batch",
    CREATION,
    '({ id }) => (creation.givenCredits.get(id) ?? "") === givenText,',
    '({ id }) => (creation.givenCredits.get(id) ?? "") !== "" || givenText === "",',
    "rules",
  ),
  bug(
    "totals of several roles are one",
    "Credits: adds to totals by role, and each credit builds on those of its own role",
    "src/formula/Aggregate.ts",
    "role === SELLER ? values : [...values, [role]]",
    "role === SELLER ? values : values",
    "rules",
  ),
  bug(
    "the attributions of a sale have the moments of their own orders",
    "Credits: adds to totals by role, and each credit builds on those of its own role",
    "src/services/accumulation/Placement.ts",
    "return Math.max(other, nextArrival(last, moment, idAt).createdAt);",
    "return last === null ? moment : other;",
    "rules",
  ),
  bug(
    "a partner without an order earns before the sale",
    "Credits: is earned from at its moment, which is not before the last one of any of its partners",
    "src/services/accumulation/Placement.ts",
    "if (state === null) return effectOf(tools, stamp, {",
    "if (state === null) return effectOf(tools, execution, {",
    "rules",
  ),
  bug(
    "a share is not checked where no request is decoded",
    "Credits: is refused with a share that is none, also where no request is decoded",
    "src/domain/Credit.ts",
    "Schema.filter((text) => parseShare(text) !== null || SHARE, {",
    "Schema.filter(() => true, {",
    "rules",
  ),
  bug(
    "the first credit of a partner is the first in the request",
    "model",
    "src/domain/Credit.ts",
    "      .toSorted(compareArrival)\n",
    "",
  ),
  bug(
    "a sale joins the order of its partner alone",
    "M12",
    "src/services/accumulation/OrderedCreation.ts",
    "const key = partnerId === one.partnerId ? null : orderOf(creation, { ...one, partnerId });",
    "const key = partnerId === one.partnerId ? orderOf(creation, one) : null;",
  ),
  bug(
    "an explanation names sellers to whoever earns above them",
    "SaleParts: names the sellers below a partner to principals that see them, and to no other",
    "src/services/attributions/SaleParts.ts",
    "        .filter((partner) => canSee(principal, { ...partner, partnerId: partner.id }))\n",
    "",
    "rules",
  ),
  bug(
    "an explanation names every seller of the sale, not those below",
    "SaleParts: names the sellers below a partner to principals that see them, and to no other",
    "src/services/attributions/SaleParts.ts",
    "items.filter(({ partnerId }) => isAbove(credit, partnerId))",
    "items",
    "rules",
  ),
];
