/** Prints the cookbook's plans by which several people earn from one sale. */
import { readTeams, type TeamPlan } from "../../examples/formulas/TeamPlan.ts";
import { code, fenced, table } from "./Markdown.ts";
import { money } from "./Plans.ts";

/** Every plan of a team, by the name of its file. */
export const teams = readTeams();

type Link = NonNullable<TeamPlan["links"]>[number];
type TeamFormula = TeamPlan["formulas"][number];
type TeamSale = TeamPlan["sales"][number];

const day = (moment: string): string => moment.slice(0, 10);

const bounds = ({ from, until }: Link): string =>
  `${from === undefined ? "" : ` from ${day(from)}`}${until === undefined ? "" : ` until ${day(until)}`}`;

const links = (plan: TeamPlan): ReadonlyArray<string> =>
  plan.links === undefined
    ? []
    : [
        `**Links:** ${plan.links
          .map((link) => `${link.partner} → ${link.upline} as ${code(link.role)}${bounds(link)}`)
          .join("; ")}.`,
      ];

/** The values of partners, as "20 for Agency". */
const values = ({ parameters, values: given = {} }: TeamFormula): ReadonlyArray<string> =>
  (parameters ?? []).map((parameter) => {
    const stated = Object.entries(given).map(([partner, own]) => `${own[parameter.name]} for ${partner}`);
    const all = parameter.default === undefined ? stated : [...stated, `otherwise ${parameter.default}`];
    return `${code(`plan.${parameter.name}`)} is ${all.join(", ")}`;
  });

const formula = (shown: TeamFormula): string => {
  const roles = (shown.roles ?? ["seller"]).map((role) => code(role)).join(", ");
  const facts = [`pays ${roles}, for ${shown.partners.join(", ")}`, ...values(shown)];
  return `**${shown.name}** ${facts.join("; ")}.\n\n${fenced("formula", shown.text)}`;
};

const credits = ({ credits: given }: TeamSale): ReadonlyArray<string> =>
  given.map(({ partner, role, share }) =>
    [
      partner,
      ...(role === undefined ? [] : [`as ${code(role)}`]),
      ...(share === undefined ? [] : [share]),
    ].join(" "),
  );

const sold = (sale: TeamSale): string =>
  [
    ...credits(sale),
    ...Object.entries(sale.properties).map(([name, value]) => `${name} ${code(String(value))}`),
  ].join(", ");

const earned = (plan: TeamPlan, sale: TeamSale): string =>
  sale.earned.length === 0
    ? "nobody"
    : sale.earned
        .map(({ partner, role, level, amount }) => {
          const as = role === undefined ? "" : ` (${role}${level === undefined ? "" : ` ${level}`})`;
          return `${partner}${as} ${money(amount, plan.currency)}`;
        })
        .join("<br>");

const sales = (plan: TeamPlan): string =>
  table(
    ["Occurred on", "Sale", "Earns", "How it comes about"],
    plan.sales.map((sale) => [
      code(day(sale.occurred_at)),
      sold(sale),
      earned(plan, sale),
      `${sale.working}${sale.note === undefined ? "" : ` *(${sale.note})*`}`,
    ]),
  );

/** The section of a plan; `source` prints where it is published. */
const section = (name: string, plan: TeamPlan, source: (from: TeamPlan["source"]) => string): string =>
  [
    `<a id="${name}"></a>\n\n### ${plan.title}`,
    plan.summary,
    `${source(plan.source)} Amounts are in ${plan.currency}: ${code(`examples/formulas/teams/${name}.json`)}.`,
    ...links(plan),
    ...plan.formulas.map(formula),
    sales(plan),
  ].join("\n\n");

/** The sections of all plans. */
export const print = (source: (from: TeamPlan["source"]) => string): string =>
  [...teams].map(([name, plan]) => section(name, plan, source)).join("\n\n");
