/** Planted bugs of what was settled elsewhere. */
import { type Bug, bug } from "./Bug.ts";

const COMMISSION = "src/domain/Commission.ts";
const CHANGES = "SettledElsewhere: is due by what changes later, in either direction";

/** Every planted bug of this file. */
export const elsewhereBugs: ReadonlyArray<Bug> = [
  bug(
    "what was settled elsewhere is due again",
    "model",
    COMMISSION,
    '        ...paid(state, event.amount),\n      };\n    case "reserve_commission"',
    '      };\n    case "reserve_commission"',
  ),
  bug(
    "a sale that was settled elsewhere counts in tiers on the day of its import",
    "SettledElsewhere: counts in tiers for its own month, not for that of the import",
    "src/domain/Attribution.ts",
    "const occurredAt = occurredAtOf(event, at);\n    return {\n      status",
    "const occurredAt = event.settled_elsewhere === undefined ? occurredAtOf(event, at) : at;\n    return {\n      status",
    "rules",
  ),
  bug(
    "a sale that replaces one is settled elsewhere like it",
    CHANGES,
    "src/domain/Replacement.ts",
    "    ...(occurredOnGiven === null ? {} : { occurredOn: occurredOnGiven }),\n  };",
    "    ...(occurredOnGiven === null ? {} : { occurredOn: occurredOnGiven }),\n    ...(sale.origin.settledElsewhere === null ? {} : { settledElsewhere: { at: sale.origin.settledElsewhere.at } }),\n  };",
    "rules",
  ),
  bug(
    "a commission that a later formula creates is settled elsewhere like the sale",
    "SettledElsewhere: is due in full under a formula that is created later",
    "src/services/commands/RevisionCollector.ts",
    "{ receipt: stated, settledElsewhere: null }",
    "{ receipt: stated, settledElsewhere: attribution.settledElsewhere }",
    "rules",
  ),
  bug(
    "a repeated reference may be settled elsewhere otherwise",
    "SettledElsewhere: is the same by its external reference only with the same settling",
    "src/domain/Attribution.ts",
    "  SettledElsewhere.isSame(existing.settledElsewhere, request.settledElsewhere ?? null) &&\n",
    "",
    "rules",
  ),
  bug(
    "a sale whose amounts wait for the buyer is settled elsewhere",
    "SettledElsewhere: is refused with a date that cannot be, and where an amount waits for the buyer",
    "src/services/attributions/SaleCredits.ts",
    "formula.release !== null && Commission.pays",
    "formula.release === null && formula.release !== null && Commission.pays",
    "rules",
  ),
  bug(
    "what a formula pays of a sale that was settled elsewhere is due where its totals are being built",
    "SettledElsewhere: is refused while the totals of a formula are being built, and settled once they are",
    "src/services/accumulation/OrderedCreation.ts",
    "order !== undefined &&\n        !isComplete(order, formula.id) &&",
    "order === undefined &&",
    "rules",
  ),
  bug(
    "what was settled elsewhere is posted as written off",
    "M16",
    "src/domain/Journal.ts",
    'elsewhere: movement.type === "settled_elsewhere" ? movement.settled : 0n',
    "elsewhere: 0n",
  ),
  bug(
    "another amount than that of the commission is settled elsewhere",
    "S16",
    COMMISSION,
    "amount: first.amount,\n",
    "amount: Math.abs(first.amount),\n",
  ),
  bug(
    "the balance of a day forgets what was settled elsewhere",
    "an amount that was settled elsewhere",
    "adapters/sql/writing/functions/saves.ts",
    "nullif(sum(a.paid_amount), 0) as elsewhere",
    "nullif(sum(a.paid_amount) - sum(a.paid_amount), 0) as elsewhere",
    "postgres",
  ),
  bug(
    "a formula that has changed since the process remembered it refuses what was settled elsewhere",
    "SettledElsewhere: is accepted as soon as the formula that refused it has been cancelled",
    "src/services/attributions/CreationReads.ts",
    "mayBeRefused || mustReadFormulas(execution)",
    "mustReadFormulas(execution)",
    "rules",
  ),
];
