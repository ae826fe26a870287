/** Planted bugs of values per partner, of acceptances of terms, and of the days of workspaces. */
import { type Bug, bug } from "./Bug.ts";

const PARAMETER = "src/domain/Parameter.ts";
const SPAN = "src/domain/AffectedSpan.ts";
const PLAN_PARAMETERS = "src/services/formulas/PlanParameters.ts";
const ACCEPTANCE = "src/domain/PlanAcceptance.ts";

const values = (title: string): string => `Parameters: ${title}`;
const acceptances = (title: string): string => `PlanAcceptances: ${title}`;

const FROM_THEIR_DATE = values("hold from their date until the next date of the same parameter");
const NO_OTHER_DATES = values("recompute the dates at which they change, and no others");

/** Every planted bug of this file. */
export const valueBugs: ReadonlyArray<Bug> = [
  bug(
    "a year since a date of the partner is always that which begins in the calendar year of the sale",
    "model",
    "src/formula/Window.ts",
    "const first = beginning(years) > day ? years - 1 : years;",
    "const first = years;",
    "commands",
  ),
  bug(
    "a value holds only after its date",
    values("wait for their date"),
    PARAMETER,
    "timeline.findLast((stated) => dateOf(stated) <= moment);",
    "timeline.findLast((stated) => dateOf(stated) < moment);",
    "rules",
  ),
  bug(
    "an old value is used after the date of the next",
    FROM_THEIR_DATE,
    PARAMETER,
    "timeline.findLast((stated) => dateOf(stated) <= moment);",
    "timeline.find((stated) => dateOf(stated) <= moment);",
    "rules",
  ),
  bug(
    "the value that was stated last wins over that of the latest date",
    FROM_THEIR_DATE,
    PARAMETER,
    "return [...dates.values()].sort((a, b) => dateOf(a) - dateOf(b));",
    "return [...dates.values()].sort((a, b) => a.number - b.number);",
    "rules",
  ),
  bug(
    "null withdraws every later value too",
    FROM_THEIR_DATE,
    PARAMETER,
    "if (value === null) dates.delete(effectiveDatetime);",
    "if (value === null) for (const date of [...dates.keys()]) if ((date ?? 0) >= (effectiveDatetime ?? 0)) dates.delete(date);",
    "rules",
  ),
  bug(
    "values without a date rewrite the past",
    values("hold from now on without a date, and change nothing that has happened"),
    PARAMETER,
    "const date = effectiveDatetime ?? now;",
    "const date = effectiveDatetime ?? 0;",
    "rules",
  ),
  bug(
    "values are stated for one assignment of the partner only",
    values("belong to the partner and the plan, for all assignments"),
    PLAN_PARAMETERS,
    "yield* stateFor(execution, own, one);",
    "yield* stateFor(execution, own.slice(0, 1), one);",
    "rules",
  ),
  bug(
    "values are stated for another partner of the request",
    values("are stated for many partners, all or none"),
    PLAN_PARAMETERS,
    "const own = byPartner.get(one.partnerId) ?? [];",
    "const own = byPartner.get(stated[0]?.partnerId ?? one.partnerId) ?? [];",
    "rules",
  ),
  bug(
    "a further assignment begins with other values than the partner has",
    values("belong to the partner and the plan, for all assignments"),
    "src/domain/CommissionPlan.ts",
    "existing === undefined ? stated : Parameter.prune(existing.parameterValues, plan.parameters);",
    "existing === undefined ? stated : Parameter.firstStatements(Parameter.firstValues(existing.parameterValues) as never);",
    "rules",
  ),
  bug(
    "a recomputation ends with the first date at which a value changes",
    NO_OTHER_DATES,
    PARAMETER,
    "to: Math.max(...spans.map(({ to }) => to)),",
    "to: Math.min(...spans.map(({ from }) => from + 1)),",
    "rules",
  ),
  bug(
    "a change of values recomputes nothing before its last date",
    NO_OTHER_DATES,
    PARAMETER,
    "from: Math.min(...spans.map(({ from }) => from)),",
    "from: Math.max(...spans.map(({ to }) => to - 1)),",
    "rules",
  ),
  bug(
    "a change of values recomputes the whole window",
    NO_OTHER_DATES,
    SPAN,
    "return spanOf(Math.max(changed.from, startDatetime), Number.isFinite(to) ? to : null);",
    "return spanOf(startDatetime, Number.isFinite(to) ? endDatetime : null);",
    "rules",
  ),
  bug(
    "an assignment is refused by a plan that its formulas have outrun",
    "C1",
    "src/services/formulas/Assignments.ts",
    "yield* CommissionPlan.assign(current, partnerId, terms, own);",
    "yield* CommissionPlan.assign(plan, partnerId, terms, own);",
    "accumulating races",
  ),
  bug(
    "an acceptance of older terms counts for the newer ones",
    acceptances("asks again for a new version, and settles what was earned under the accepted one"),
    ACCEPTANCE,
    "  acceptance.rule === rule &&\n",
    "",
    "rules",
  ),
  bug(
    "another value of a parameter needs no acceptance",
    acceptances(
      "asks again for another value of a parameter, and settles what was earned under the accepted one",
    ),
    "src/domain/PlanTerms.ts",
    "  ...(values === undefined ? {} : { values }),\n  schema: { id, properties },",
    "  schema: { id, properties },",
    "rules",
  ),
  bug(
    "the acceptance of another partner counts",
    acceptances("does not count what another partner has accepted"),
    ACCEPTANCE,
    "  acceptance.partnerId === partnerId &&\n",
    "",
    "rules",
  ),
  bug(
    "the hash of other terms is accepted",
    acceptances("is refused for other terms than those in force, and stores nothing"),
    ACCEPTANCE,
    "  hash === read\n",
    "  hash !== read || true\n",
    "rules",
  ),
  bug(
    "a stored day is that of the present time zone",
    "Calendars: decides the days of later sales, and leaves those of earlier ones",
    "src/domain/Attribution.ts",
    "      occurredOn: occurred_on === undefined ? null : storedDay(occurred_on, occurredAt),",
    "      occurredOn: occurred_on === undefined || event.time_zone !== undefined ? null : storedDay(occurred_on, occurredAt),",
    "rules",
  ),
];
