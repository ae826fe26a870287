/** Planted bugs of reads and of pruning. */
import { Effect, Stream } from "effect";
import { Event, type Formula, Storage } from "quittance";
import { type Bug, storageBug } from "./Bug.ts";
import { alteringItems, type List } from "./listBugs.ts";

/** The law of the logs of several settlements. */
const LOGS = "the lines of the creation. (a paid one and a draft";

const snapshots: ReadonlyArray<Bug> = [
  storageBug("the total is read after the page", ["during creations"], ({ list }) => ({
    list: ((tenant, kind, query) =>
      Effect.zipWith(
        Effect.zipLeft(list(tenant, kind, query), Effect.yieldNow()),
        Effect.suspend(() => list(tenant, kind, query)),
        ({ items }, { total }) => ({ items, total }),
      )) satisfies List,
  })),
  storageBug("events are read after their record", ["during reservations and releases"], ({ list }) => ({
    list: ((tenant, kind, query) =>
      Effect.zipWith(
        Effect.zipLeft(list(tenant, kind, query), Effect.yieldNow()),
        Effect.suspend(() => list(tenant, kind, query)),
        ({ items }, later) => ({
          items: items.map((item, index) => ({ ...item, ...eventsOf(later.items[index]) })),
          total: later.total,
        }),
      )) satisfies List,
  })),
  storageBug(
    "the version of a formula set is read before its formulas",
    ["Version and formulas, of one snapshot"],
    ({ formulaSet }) => ({
      formulaSet: (...keys) =>
        Effect.zipWith(
          Effect.zipLeft(formulaSet(...keys), Effect.yieldNow()),
          Effect.suspend(() => formulaSet(...keys)),
          ({ version }, { formulas }) => ({ version, formulas }),
        ),
    }),
  ),
];

/** A bug that alters the roll-out progress of each plan in a list. */
const alteringPlans = (
  bug: string,
  law: string,
  alter: (plan: Storage.Listed["plan"]) => Partial<Storage.Listed["plan"]>,
): Bug =>
  alteringItems(bug, [law], (item) => ("rollingOut" in item ? alter(item as Storage.Listed["plan"]) : {}));

const bankPayments: ReadonlyArray<Bug> = [
  storageBug(
    "the sales of a span include its end",
    ["by pages, spans and partners, dated and undated"],
    ({ salesOf }) => ({
      salesOf: (customerId, query) => salesOf(customerId, { ...query, to: query.to + 1 }),
    }),
  ),
  storageBug(
    "payments in a file still wait for one",
    ["one payment that waits and one that is over"],
    ({ bankPayments }) => {
      let first: Effect.Effect.Success<ReturnType<typeof bankPayments>> = [];
      return {
        bankPayments: (customerId, fileId, limit) =>
          Effect.map(bankPayments(customerId, fileId, limit), (found) => {
            if (fileId !== null) return found;
            first = first.length > found.length ? first : found;
            return first;
          }),
      };
    },
  ),
  storageBug(
    "the payments of a file are limited after the fact",
    ["one payment that waits and one that is over"],
    ({ bankPayments }) => ({
      bankPayments: (customerId, fileId) => bankPayments(customerId, fileId, 1_000),
    }),
  ),
];

const movements: ReadonlyArray<Bug> = [
  storageBug(
    "a balance includes the events of its moment",
    ["within days and at their ends"],
    ({ partnerBalances }) => ({
      partnerBalances: (customerId, partnerIds, at) => partnerBalances(customerId, partnerIds, at + 1),
    }),
  ),
  storageBug("balances of partners come by currency", ["of two partners"], ({ partnerBalances }) => ({
    partnerBalances: (...given) =>
      Effect.map(partnerBalances(...given), (found) =>
        found.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
      ),
  })),
  storageBug(
    "a currency without an amount is not listed",
    ["one without an amount yet, and a second one"],
    ({ partnerBalances }) => ({
      partnerBalances: (...given) =>
        Effect.map(partnerBalances(...given), (found) => found.filter(({ earned }) => earned !== 0n)),
    }),
  ),
  storageBug(
    "a page of movements begins with the last one of the page before",
    ["page by page, of a span, of another currency", "(of one moment)"],
    ({ partnerMovements }) => ({
      partnerMovements: (customerId, partnerId, span) =>
        partnerMovements(customerId, partnerId, {
          ...span,
          after: span.after === null ? null : { ...span.after, sequence: span.after.sequence - 1 },
        }),
    }),
  ),
  ...(
    [
      ["a receipt is no movement", "receipts of a buyer", "received"],
      [
        "what was settled elsewhere is no movement",
        "an amount that was settled elsewhere",
        "settled_elsewhere",
      ],
    ] as const
  ).map(([bug, found, left]) =>
    storageBug(bug, [found], ({ partnerMovements }) => ({
      partnerMovements: (...given) =>
        Effect.map(partnerMovements(...given), (page) => ({
          ...page,
          movements: page.movements.filter(({ type }) => type !== left),
        })),
    })),
  ),
  storageBug(
    "movements that change nothing are left out",
    ["amounts that a write-off covers"],
    ({ partnerMovements }) => ({
      partnerMovements: (...given) =>
        Effect.map(partnerMovements(...given), (page) => ({
          ...page,
          movements: page.movements.filter(({ earned, settled }) => earned !== settled),
        })),
    }),
  ),
  storageBug(
    "everything that is earned is pending",
    ["a draft that is cancelled"],
    ({ partnerBalances }) => ({
      partnerBalances: (...given) =>
        Effect.map(partnerBalances(...given), (found) =>
          found.map((balance) => ({ ...balance, pending: balance.earned })),
        ),
    }),
  ),
];

/** A bug that alters what partners have due. */
const alteringDue = (
  bug: string,
  alter: (
    found: Effect.Effect.Success<ReturnType<Storage.StorageService["dueCommissions"]>>,
    query: Parameters<Storage.StorageService["dueCommissions"]>[1],
  ) => Effect.Effect.Success<ReturnType<Storage.StorageService["dueCommissions"]>>,
): Bug =>
  storageBug(bug, ["commissions of every kind, and several partners"], ({ dueCommissions }) => ({
    dueCommissions: (customerId, query) =>
      Effect.map(dueCommissions(customerId, query), (found) => alter(found, query)),
  }));

const settlementRuns: ReadonlyArray<Bug> = [
  alteringDue("what cannot be computed is not due", (found) =>
    found.filter((dueCommission) => dueCommission.isComputable),
  ),
  alteringDue("a clawback is not due", (found) => found.filter(({ dueAmount }) => dueAmount >= 0)),
  alteringDue("what is in an open settlement is not due", (found) =>
    found.filter((dueCommission) => !dueCommission.isInOpenSettlement),
  ),
  alteringDue("a correction is not told from a first line", (found) =>
    found.map((dueCommission) => ({ ...dueCommission, isCorrection: false })),
  ),
  alteringDue("several partners share the limit", (found, { limit }) => found.slice(0, limit)),
  storageBug(
    "until is inclusive",
    ["commissions of every kind, and several partners"],
    ({ dueCommissions }) => ({
      dueCommissions: (customerId, query) => dueCommissions(customerId, { ...query, until: query.until + 1 }),
    }),
  ),
  storageBug(
    "a policy is due only after its moment",
    ["of three customers, two at one moment"],
    ({ dueSettlementPolicies }) => ({
      dueSettlementPolicies: (at, ...rest) => dueSettlementPolicies(at - 1, ...rest),
    }),
  ),
  storageBug(
    "policies are limited after the fact",
    ["of three customers, two at one moment"],
    ({ dueSettlementPolicies }) => ({
      dueSettlementPolicies: (at, after) => dueSettlementPolicies(at, after, 1_000),
    }),
  ),
  storageBug(
    "every page of policies begins with the first",
    ["of three customers, two at one moment"],
    ({ dueSettlementPolicies }) => ({
      dueSettlementPolicies: (at, _, limit) => dueSettlementPolicies(at, null, limit),
    }),
  ),
  storageBug(
    "a page of policies leaves out those of the moment where the last one ended",
    ["of three customers, two at one moment"],
    ({ dueSettlementPolicies }) => ({
      dueSettlementPolicies: (at, after, limit) =>
        dueSettlementPolicies(
          at,
          after && { ...after, id: "ffffffff-ffff-ffff-ffff-ffffffffffff" as never },
          limit,
        ),
    }),
  ),
];

const plans: ReadonlyArray<Bug> = [
  storageBug(
    "partners without formulas are left out of the sets of several partners",
    ["partners with and without formulas"],
    ({ formulaSets }) => ({
      formulaSets: (...keys) =>
        Effect.map(formulaSets(...keys), (found) => found.filter(({ formulas }) => formulas.length > 0)),
    }),
  ),
  storageBug(
    "the versions of several formula sets are read before their formulas",
    ["one schema, of one snapshot, in any order. (during formula commands)"],
    ({ formulaSets }) => ({
      formulaSets: (...keys) =>
        Effect.zipWith(
          Effect.zipLeft(formulaSets(...keys), Effect.yieldNow()),
          Effect.suspend(() => formulaSets(...keys)),
          (earlier, found) =>
            found.map((set) => ({
              ...set,
              version: earlier.find(({ partnerId }) => partnerId === set.partnerId)?.version ?? set.version,
            })),
        ),
    }),
  ),
  storageBug(
    "the formulas behind a plan include those that have reached it",
    ["before and after one of them applies an event"],
    ({ formulasBehindPlan }) => ({
      formulasBehindPlan: (customerId, planId, revision, limit) =>
        formulasBehindPlan(customerId, planId, revision + 1, limit),
    }),
  ),
  alteringPlans(
    "a plan counts formulas, not partners",
    "Partners with a formula of the plan",
    ({ rollingOut: { pending, done } }) => ({ partnerCount: pending + done }),
  ),
  alteringPlans(
    "a plan has reached every formula at once",
    "Formulas that have not applied the plan's last event",
    ({ rollingOut: { pending, done } }) => ({ rollingOut: { pending: 0, done: done + pending } }),
  ),
  alteringPlans(
    "a plan that waits for a formula has reached none",
    "How far a plan has reached its formulas",
    ({ rollingOut: { pending, done } }) => ({ rollingOut: { pending, done: pending === 0 ? done : 0 } }),
  ),
];

const eventsOf = (item: object | undefined): object =>
  item !== undefined && "events" in item ? { events: item.events } : {};

const withoutWithdrawals = <Of extends Pick<Formula.View["parameterValues"][number], "values">>(
  statement: Of,
): Of => ({
  ...statement,
  values: Object.fromEntries(Object.entries(statement.values).filter(([, value]) => value !== null)),
});

const finds: ReadonlyArray<Bug> = [
  storageBug("a look-up by id ignores the tenant", ["every read by another customer"], ({ find }) => ({
    find: (_, kind, ids) => find(Storage.AllCustomers, kind, ids),
  })),
  storageBug("a repeated id is found twice", ["repeated ids, unknown ids, and none"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(
        Effect.forEach(ids, (id) => find(tenant, kind, [id])),
        (found) => found.flat(),
      ),
  })),
  storageBug("the platform finds the first record only", ["every read that takes a tenant"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) => (tenant === "*" ? found.slice(0, 1) : found)),
  })),
  storageBug(
    "versions are one too low",
    ["every kind of record", "every kind of change in one commit, in any order", "the billing profile"],
    ({ find }) => ({
      find: (tenant, kind, ids) =>
        Effect.map(find(tenant, kind, ids), (found) =>
          found.map((row) => ({ ...row, version: row.version - 1 })),
        ),
    }),
  ),
  storageBug(
    "lastAt is the moment of creation",
    ["The moment of the last event", "an event is never earlier than the event before it"],
    ({ find }) => ({
      find: (tenant, kind, ids) =>
        Effect.map(find(tenant, kind, ids), (found) =>
          found.map((row) => ({ ...row, lastAt: "createdAt" in row ? Math.min(row.createdAt, 1) : 0 })),
        ),
    }),
  ),
  storageBug("amounts are cut to 32 bits", ["amounts at their limits"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) =>
          "computedAmount" in row ? { ...row, computedAmount: (row.computedAmount ?? 0) | 0 } : row,
        ),
      ),
  })),
  storageBug("moments before 1970 lose their sign", ["moments at their limits"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) => ("createdAt" in row ? { ...row, createdAt: Math.abs(row.createdAt) } : row)),
      ),
  })),
  storageBug(
    "the stated calendar day is lost where it is the UTC day",
    ["calendar days of attributions"],
    ({ find }) => ({
      find: (tenant, kind, ids) =>
        Effect.map(find(tenant, kind, ids), (found) =>
          found.map((row) =>
            "occurredOnGiven" in row && row.occurredOn === null ? { ...row, occurredOnGiven: null } : row,
          ),
        ),
    }),
  ),
  storageBug(
    "an event loses the values that withdraw others",
    ["a plan with parameters, and a formula with values"],
    ({ log }) => ({
      log: (...keys) =>
        Effect.map(log(...keys), (entries) =>
          entries.map((entry) =>
            entry.event.type === "set_parameter_values"
              ? { ...entry, event: { ...entry.event, ...withoutWithdrawals(entry.event) } }
              : entry,
          ),
        ),
    }),
  ),
  storageBug(
    "values that withdraw others are lost",
    ["a plan with parameters, and a formula with values"],
    ({ find }) => ({
      find: (tenant, kind, ids) =>
        Effect.map(find(tenant, kind, ids), (found) =>
          found.map((row) =>
            "parameterValues" in row
              ? { ...row, parameterValues: row.parameterValues.map(withoutWithdrawals) }
              : row,
          ),
        ),
    }),
  ),
  storageBug("texts are trimmed", ["tricky texts in names"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) =>
          "name" in row && typeof row.name === "string" ? { ...row, name: row.name.trim() } : row,
        ),
      ),
  })),
  storageBug("texts are normalised", ["properties of tricky names"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) =>
          "properties" in row
            ? { ...row, ...JSON.parse(JSON.stringify({ properties: row.properties }).normalize("NFC")) }
            : row,
        ),
      ),
  })),
];

const reads: ReadonlyArray<Bug> = [
  storageBug("cancelled formulas are left out", ["among formulas of other schemas"], ({ formulaSet }) => ({
    formulaSet: (...keys) =>
      Effect.map(formulaSet(...keys), ({ version, formulas }) => ({
        version,
        formulas: formulas.filter(({ status }) => status === "active"),
      })),
  })),
  storageBug(
    "the version of an empty formula set is 1",
    ["a partner without formulas"],
    ({ formulaSet }) => ({
      formulaSet: (...keys) =>
        Effect.map(formulaSet(...keys), ({ version, formulas }) => ({
          version: Math.max(version, 1),
          formulas,
        })),
    }),
  ),
  storageBug(
    "the credits of a sale are found once for each time that its origin is asked for",
    ["in any order. (a repeated and an unknown id, and none)"],
    ({ creditedAttributions }) => ({
      creditedAttributions: (customerId, originIds) =>
        Effect.map(
          Effect.forEach(originIds, (originId) => creditedAttributions(customerId, [originId])),
          (found) => found.flat(),
        ),
    }),
  ),
  storageBug("an attribution is read without its credit", ["(credits of sales)"], ({ find }) => ({
    find: ((customerId, kind, ids) =>
      Effect.map(find(customerId, kind, ids), (found) =>
        found.map((row) => ("credit" in row ? { ...row, credit: null } : row)),
      )) as typeof find,
  })),
  storageBug(
    "links are found at the lower end, whichever is asked for",
    ["either end, one role and every role, and a link that ended"],
    ({ linksOf }) => ({
      linksOf: (customerId, query) => linksOf(customerId, { ...query, end: "partnerId" }),
    }),
  ),
  storageBug(
    "an external reference is found by its prefix",
    ["stored, unknown, repeated, and of other schemas and customers"],
    ({ findByExternalReferences }) => ({
      findByExternalReferences: (customerId, references) =>
        findByExternalReferences(
          customerId,
          references.map(({ schemaId, externalReference }) => ({
            schemaId,
            externalReference: externalReference === "order 1" ? "order 1 % \\ _ 'é'" : externalReference,
          })),
        ),
    }),
  ),
  storageBug(
    "external references are found in every schema",
    ["stored, unknown, repeated, and of other schemas and customers"],
    ({ findByExternalReferences }) => ({
      findByExternalReferences: (customerId, references) => {
        const schemas = new Set(references.map(({ schemaId }) => schemaId));
        return findByExternalReferences(
          customerId,
          references.flatMap(({ externalReference }) =>
            [...schemas].map((schemaId) => ({ schemaId, externalReference })),
          ),
        );
      },
    }),
  ),
  storageBug(
    "an attribution is found once for each time that its reference is asked for",
    ["stored, unknown, repeated, and of other schemas and customers"],
    ({ findByExternalReferences }) => ({
      findByExternalReferences: (customerId, references) =>
        Effect.map(
          Effect.forEach(references, (reference) => findByExternalReferences(customerId, [reference])),
          (found) => found.flat(),
        ),
    }),
  ),
  storageBug(
    "the position of attributionsForFormula skips a millisecond",
    ["by pages, spans and positions, among other attributions"],
    ({ attributionsForFormula }) => ({
      attributionsForFormula: (formula, span) =>
        attributionsForFormula(formula, {
          ...span,
          after:
            span.after === null
              ? null
              : { ...span.after, id: span.after.id, occurredAt: span.after.occurredAt + 1 },
        }),
    }),
  ),
  storageBug(
    "the span of attributionsForFormula includes its end",
    ["by pages, spans and positions, among other attributions"],
    ({ attributionsForFormula }) => ({
      attributionsForFormula: (formula, span) =>
        attributionsForFormula(formula, { ...span, to: span.to === null ? null : span.to + 1 }),
    }),
  ),
  storageBug(
    "attributionsForFormula leaves out cancelled attributions",
    ["cancelled attributions included"],
    ({ attributionsForFormula }) => ({
      attributionsForFormula: (formula, span) =>
        Effect.map(attributionsForFormula(formula, span), (found) =>
          found.filter(({ attribution }) => attribution.status === "confirmed"),
        ),
    }),
  ),
  storageBug(
    "the position of arrivalsForFormula skips a millisecond",
    ["by pages, among late attributions and some that are cancelled"],
    ({ arrivalsForFormula }) => ({
      arrivalsForFormula: (formula, span) =>
        arrivalsForFormula(formula, {
          ...span,
          after: span.after === null ? null : { ...span.after, createdAt: span.after.createdAt + 1 },
        }),
    }),
  ),
  storageBug(
    "arrivalsForFormula filters after it has limited the rows",
    ["by spans of what occurred, with and without a position"],
    ({ arrivalsForFormula }) => ({
      arrivalsForFormula: (formula, { from, to, ...span }) =>
        Effect.map(arrivalsForFormula(formula, { ...span, from: null, to: null }), (found) =>
          found.filter(
            ({ attribution: { occurredAt } }) =>
              (from === null || from <= occurredAt) && (to === null || occurredAt < to),
          ),
        ),
    }),
  ),
  storageBug(
    "lastArrival returns the last attribution of any schema",
    ["among other partners and schemas, and without attributions"],
    ({ list, lastArrival }) => ({
      lastArrival: (customerId, partnerId, schemaId) =>
        Effect.flatMap(
          list(customerId, "attribution", {
            where: { partnerIds: [partnerId] },
            page: 1,
            perPage: 1,
            order: "desc",
          }),
          ({ items: [row] }) =>
            row === undefined
              ? lastArrival(customerId, partnerId, schemaId)
              : Effect.succeed({ createdAt: row.createdAt, id: row.id }),
        ),
    }),
  ),
  storageBug(
    "commissionsWithAttributions returns every commission twice",
    ["repeated and unknown ids"],
    ({ commissionsWithAttributions }) => ({
      commissionsWithAttributions: (tenant, ids) =>
        Effect.map(commissionsWithAttributions(tenant, ids), (found) => [...found, ...found]),
    }),
  ),
  storageBug("commissionsOf returns the reverse order", ["four commissions"], ({ commissionsOf }) => ({
    commissionsOf: (...keys) => Effect.map(commissionsOf(...keys), (found) => found.toReversed()),
  })),
  storageBug(
    "settlementLines returns the reverse order",
    ["each with its formula and attribution", "a settlement of the largest size"],
    ({ settlementLines }) => ({
      settlementLines: (...keys) =>
        Stream.fromIterableEffect(
          Effect.map(Stream.runCollect(settlementLines(...keys)), (all) => [...all].reverse()),
        ),
    }),
  ),
  storageBug(
    "heldByOtherSettlements includes the settlement's own commissions",
    ["until that settlement ends"],
    ({ heldByOtherSettlements, ...storage }) => ({
      heldByOtherSettlements: (customerId, id) =>
        Effect.zipWith(
          heldByOtherSettlements(customerId, id),
          Stream.runCollect(storage.settlementLines(customerId, id)),
          (held, lines) => [...held, ...[...lines].map(({ commissionId }) => commissionId)],
        ),
    }),
  ),
  storageBug(
    "billed parts are in ascending order",
    ["a sale, a correction and a refund"],
    ({ linesWithBilledParts }) => ({
      linesWithBilledParts: (...keys) =>
        Effect.map(linesWithBilledParts(...keys), (found) =>
          found.map((line) => ({ ...line, billed: line.billed.toReversed() })),
        ),
    }),
  ),
  storageBug(
    "linesWithBilledParts includes lines without billed amounts",
    ["none for new, written-off and unknown settlements", "a returned payment, then a write-off"],
    ({ linesWithBilledParts, ...storage }) => ({
      linesWithBilledParts: (customerId, id) =>
        Effect.zipWith(
          linesWithBilledParts(customerId, id),
          Stream.runCollect(storage.settlementLines(customerId, id)),
          (found, lines) => [
            ...found,
            ...[...lines]
              .filter(({ commissionId }) => found.every((line) => line.commissionId !== commissionId))
              .map(({ commissionId, amount }) => ({ commissionId, amount, billed: [] })),
          ],
        ),
    }),
  ),
  storageBug("reversals returns a thousand parts at most", ["ten thousand parts"], ({ reversals }) => ({
    reversals: (...keys) => Effect.map(reversals(...keys), (parts) => parts.slice(0, 1_000)),
  })),
  storageBug("documentsOf leaves out replaced documents", ["report and invoice"], ({ documentsOf }) => ({
    documentsOf: (...keys) =>
      Effect.map(documentsOf(...keys), (found) =>
        found.filter(({ kind }, index) => found[index + 1]?.kind !== kind),
      ),
  })),
  storageBug(
    "all documents share one number series",
    ["gaps and repetitions are refused"],
    ({ numberSeries }) => ({
      numberSeries: (customerId) => numberSeries(customerId, "INV-"),
    }),
  ),
  storageBug(
    "logs leave out the stored parts of events",
    ["and audit. (every kind with a log)"],
    ({ log }) => ({
      log: (...keys) =>
        Effect.map(log(...keys), (entries) =>
          entries.map((entry) => ({
            ...entry,
            event: {
              ...entry.event,
              ...Event.withoutStored({ ...entry.event, stored: undefined }),
              stored: undefined,
            },
          })),
        ),
    }),
  ),
  storageBug("the logs of settlements hold the lines", [LOGS], ({ settlementLogs, log }) => ({
    settlementLogs: (customerId, ids) =>
      Effect.flatMap(settlementLogs(customerId, ids), (found) =>
        Effect.forEach(found, ({ id }) =>
          Effect.map(log(customerId, "settlement", id), (whole) => ({ id, log: whole })),
        ),
      ),
  })),
  storageBug("the logs of settlements end with the first page", [LOGS], ({ settlementLogs }) => ({
    settlementLogs: (customerId, ids) => settlementLogs(customerId, ids.slice(0, 1)),
  })),
  storageBug("the logs of settlements leave out what approvals stored", [LOGS], ({ settlementLogs }) => ({
    settlementLogs: (customerId, ids) =>
      Effect.map(settlementLogs(customerId, ids), (found) =>
        found.map(({ id, log }) => ({
          id,
          log: log.map((entry) =>
            entry.event.type === "approve_settlement"
              ? { ...entry, event: { ...Event.withoutStored(entry.event) } as typeof entry.event }
              : entry,
          ),
        })),
      ),
  })),
  storageBug("a settlement that is asked for twice has two logs", [LOGS], ({ settlementLogs }) => ({
    settlementLogs: (customerId, ids) =>
      Effect.map(
        Effect.forEach(ids, (id) => settlementLogs(customerId, [id])),
        (found) => found.flat(),
      ),
  })),
  storageBug("the store is not ready", ["Succeeds when the store can be reached"], () => ({
    ready: Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "not reachable" })),
  })),
  storageBug(
    "an idempotency record is read from another customer",
    ["the same idempotency key of two customers"],
    ({ findIdempotencyRecord }) => {
      let first: Parameters<typeof findIdempotencyRecord>[0] | null = null;
      return {
        findIdempotencyRecord: (customerId, principalId, key) => {
          first ??= customerId;
          return findIdempotencyRecord(first, principalId, key);
        },
      };
    },
  ),
  storageBug(
    "every command counts as stored",
    ["every read by another customer", "unknown, refused and stored commands"],
    () => ({
      isCommitted: () => Effect.succeed(true),
    }),
  ),
];

const TEN_MINUTES = 600_000;
const EVERYTHING = 1_000_000_000;

const webhooks: ReadonlyArray<Bug> = [
  storageBug(
    "deliveries that have ended are open",
    ["one that ends and one that is sent again"],
    ({ openDeliveries, list }) => ({
      openDeliveries: (customerId, endpointId, limit) =>
        Effect.flatMap(openDeliveries(customerId, endpointId, limit), (open) =>
          Effect.map(
            list(customerId, "webhookDelivery", {
              where: { endpointIds: [endpointId], statuses: ["delivered"] },
              page: 1,
              perPage: 100,
              order: "asc",
            }),
            ({ items }) => [...open, ...items].toSorted((a, b) => a.position - b.position),
          ),
        ),
    }),
  ),
  storageBug(
    "open deliveries come in any order",
    ["one that ends and one that is sent again"],
    ({ openDeliveries }) => ({
      openDeliveries: (...given) => Effect.map(openDeliveries(...given), (open) => open.toReversed()),
    }),
  ),
  storageBug(
    "deliveries are removed ten minutes too early",
    ["on both sides of the age, two at a time"],
    ({ prune }) => ({
      prune: ({ deliveryMilliseconds, ...others }) =>
        prune({ ...others, deliveryMilliseconds: deliveryMilliseconds - TEN_MINUTES }),
    }),
  ),
  storageBug("deliveries are never removed", ["on both sides of the age, two at a time"], ({ prune }) => ({
    prune: (pruning) => prune({ ...pruning, deliveryMilliseconds: EVERYTHING * 1_000 }),
  })),
  {
    bug: "an append to the feed wakes no endpoint",
    breaks: ["a delayed message, beside one of another topic"],
    plant: ({ storage, outbox }) => ({
      outbox: {
        ...outbox,
        claim: (query) =>
          outbox.claim({ ...query, topics: query.topics.filter((topic) => topic !== "deliver_webhooks") }),
      },
      storage,
    }),
  },
];

/** The law of the removal of trials. */
const TRIALS = "trials on both sides of the age";
/** The law of the removal of dry recredit runs. */
const RECREDITS = "recredit runs, dry ones on both sides of the age";

const pruning: ReadonlyArray<Bug> = [
  storageBug("trials are removed ten minutes too early", [TRIALS, RECREDITS], ({ prune }) => ({
    prune: ({ trialMilliseconds, ...others }) =>
      prune({ ...others, trialMilliseconds: trialMilliseconds - TEN_MINUTES }),
  })),
  storageBug("trials are never removed", [TRIALS, RECREDITS], ({ prune }) => ({
    prune: (pruning) => prune({ ...pruning, trialMilliseconds: EVERYTHING * 1_000 }),
  })),
  storageBug("records are removed ten minutes too early", ["on both sides of each age"], ({ prune }) => ({
    prune: ({ idempotencyMilliseconds, ...others }) =>
      prune({ ...others, idempotencyMilliseconds: idempotencyMilliseconds - TEN_MINUTES }),
  })),
  storageBug("records are kept for at least 72 hours", ["on both sides of each age"], ({ prune }) => ({
    prune: ({ idempotencyMilliseconds, ...others }) =>
      prune({ ...others, idempotencyMilliseconds: Math.max(idempotencyMilliseconds, 72 * 3_600_000) }),
  })),
  storageBug(
    "the limit of prune is ignored",
    ["five at a time", "two at a time", TRIALS, RECREDITS],
    ({ prune }) => ({
      prune: (pruning) => prune({ ...pruning, limit: EVERYTHING }),
    }),
  ),
  storageBug("a key whose record was removed cannot be used again", ["with another result"], ({ commit }) => {
    const taken = new Set<string>();
    return {
      commit: (customerId, changeSet) => {
        const key = changeSet.idempotencyRecord?.key;
        if (key !== undefined && taken.has(key)) return Effect.fail(new Storage.IdempotencyKeyUsed());
        if (key !== undefined) taken.add(key);
        return commit(customerId, changeSet);
      },
    };
  }),
  storageBug(
    "a removed command counts as never stored",
    ["young, old, stored and removed commands"],
    ({ isCommitted }) => ({
      isCommitted: (customerId, command) =>
        Effect.catchAll(isCommitted(customerId, command), () => Effect.succeed(false)),
    }),
  ),
];

const statistics: ReadonlyArray<Bug> = [
  storageBug(
    "a statistic includes the end of its span",
    ["records at and beside every edge"],
    ({ attributionStatistics }) => ({
      attributionStatistics: (tenant, query) => attributionStatistics(tenant, { ...query, to: query.to + 1 }),
    }),
  ),
  storageBug(
    "the start of a bucket belongs to the bucket before it",
    ["buckets of uneven length"],
    ({ commissionStatistics }) => ({
      commissionStatistics: (tenant, query) =>
        commissionStatistics(tenant, {
          ...query,
          bucketStarts: query.bucketStarts.map((start, index) => (index === 0 ? start : start + 1)),
        }),
    }),
  ),
  storageBug("sums are rounded to floats", ["two currencies"], ({ commissionStatistics }) => ({
    commissionStatistics: (tenant, query) =>
      Effect.map(commissionStatistics(tenant, query), (found) =>
        found.map((row) => ({ ...row, unsettledAmount: BigInt(Number(row.unsettledAmount)) })),
      ),
  })),
  storageBug(
    "the settled sum is what is paid plus what is written off",
    ["write-offs count as settled no further than the amount"],
    ({ commissionStatistics }) => ({
      commissionStatistics: (tenant, query) =>
        Effect.map(commissionStatistics(tenant, query), (found) =>
          found.map((row) =>
            row.settlementStatus === "settled"
              ? { ...row, settledAmount: 1000n, unsettledAmount: -1000n }
              : row,
          ),
        ),
    }),
  ),
  storageBug("attribution statistics include counts of 0", ["no record in the span"], () => ({
    attributionStatistics: () => Effect.succeed([{ bucket: 0, status: "confirmed", count: 0 }]),
  })),
  storageBug("commission statistics include counts of 0", ["no record in the span"], () => ({
    commissionStatistics: () =>
      Effect.succeed([
        {
          bucket: 0,
          settlementStatus: "unsettled",
          currency: "EUR",
          count: 0,
          settledAmount: 0n,
          unsettledAmount: 0n,
        },
      ]),
  })),
];

/** Planted bugs of reads and of pruning. */
export const readBugs: ReadonlyArray<Bug> = [
  ...snapshots,
  ...finds,
  ...reads,
  ...plans,
  ...bankPayments,
  ...movements,
  ...webhooks,
  ...settlementRuns,
  ...pruning,
  ...statistics,
];
