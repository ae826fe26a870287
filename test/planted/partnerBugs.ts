/** Planted bugs of what is kept of partners; the rules of `test/services` find them, and the random commands. */
import { type Bug, bug } from "./Bug.ts";

const FINDINGS = "src/services/runs/Findings.ts";
const STEPS = "src/services/runs/RunSteps.ts";
const PAYOUT = "src/services/settlements/Payout.ts";
const PARTNER = "src/domain/Partner.ts";

const of = (title: string): string => `SuspendedPartners: ${title}`;

/** Every planted bug of this file. */
export const partnerBugs: ReadonlyArray<Bug> = [
  bug(
    "a partner reads the notes of the team",
    "Partners: shows the notes of the team to the team, and not to the partner",
    "src/services/Partners.ts",
    'principal.kind === "partner" ? { ...partner, notes: null } : partner',
    "partner",
    "rules",
  ),
  bug(
    "a run drafts for a suspended partner",
    of("drafts nothing for a suspended partner and says so, until the partner is active again"),
    "src/domain/SettlementRun.ts",
    'if (isSuspended) return "partner_suspended";',
    "",
    "rules",
  ),
  bug(
    "a run of random commands drafts for a suspended partner",
    "model",
    FINDINGS,
    'byId.get(id)?.status === "suspended"',
    'byId.get(id)?.status === "suspended" && partnerIds.length > 1',
  ),
  bug(
    "a draft of a run does not require that its partner stays as it was read",
    of("decides again when the partner is suspended before its draft is stored"),
    FINDINGS,
    'type: "record", kind: "partner", id, version: byId.get(id)?.version ?? 0 },\n      ],',
    'type: "record", kind: "partner", id, version: byId.get(id)?.version ?? 0 } as const,\n      ].slice(1),',
    "rules",
  ),
  bug(
    "the second draft of a run ignores a suspension",
    of("a run whose partner is suspended between two drafts keeps the first and makes no second"),
    STEPS,
    "if (due.isSuspended) return saveResult",
    "if (due.isSuspended && due.partnerId === undefined) return saveResult",
    "rules",
  ),
  bug(
    "a payment is initiated although the partner is suspended",
    "model",
    PAYOUT,
    'isSuspended: partner.status === "suspended",',
    "isSuspended: false,",
  ),
  bug(
    "an initiated payment does not require that its partner stays as it was read",
    of("is refused when the partner is suspended before it is stored"),
    PAYOUT,
    "requires: [unchanged(partner)],\n      changes: waiting,",
    "requires: [],\n      changes: waiting,",
    "rules",
  ),
  bug(
    "two partners of a workspace can have one external reference",
    "model",
    "src/services/Partners.ts",
    "externalReference === null\n      ?",
    "externalReference !== undefined\n      ?",
  ),
  bug(
    "an external reference is unique over the workspaces of a customer",
    "model",
    "src/services/Partners.ts",
    "where: { workspaceIds: [workspaceId], externalReferences: [externalReference] },",
    "where: { externalReferences: [externalReference] },",
  ),
  bug(
    "a repeated creation with another content returns the partner",
    "Partners: returns the partner that has it for the same content, and refuses another one",
    PARTNER,
    "existing !== null && FIELDS.every((name) => sameJson(existing[name], data[name]))",
    "existing !== null",
    "rules",
  ),
  bug(
    "the memory store does not release the external reference of a partner",
    "Partners: is one partner's in its workspace, and free again when it is taken away",
    "adapters/memory/Indexes.ts",
    "if (earlier !== null) journal.delete(partition.partnerReferences, join(workspaceId, earlier));",
    "",
    "rules",
  ),
  bug(
    "an update of a status has no event",
    "model",
    PARTNER,
    "if (fields.length === 0) return",
    'if (fields.filter((field) => field !== "status").length === 0) return',
  ),
];
