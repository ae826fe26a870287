/** The shortest sequences of defects that model runs have found. */
import { Ids, type Principal } from "quittance";
import { type Command, type ModelSession, runCommands } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { layer } from "./memoryStore.ts";
import {
  first,
  raceCancellationAgainstFormula,
  raceCancellationAgainstSettlement,
} from "./raceRegressions.ts";

const UNKNOWN = "00000000-0000-7000-8000-000000000000";

const resultsOf = (commands: (session: ModelSession) => ReadonlyArray<Command>) =>
  runCommands({ layer, seed: 1, commands });

describe("the order of refusals", () => {
  it("reports an invalid property value before an unknown partner", async () => {
    const results = await resultsOf((session) => {
      const { formula, principal, idempotency } = first(session);
      const { schemaId, workspaceId } = formula;
      const properties = { order_value: 2e15 };
      const input = { partnerId: Ids.PartnerId.make(UNKNOWN), schemaId, workspaceId, properties };
      return [{ type: "create_attribution", principal, idempotency, input }];
    });
    expect(results).toEqual(["Invalid"]);
  });

  it("reports an effective date without expression, and an empty window, before an unknown formula", async () => {
    const results = await resultsOf((session) => {
      const { principal, idempotency } = first(session);
      const asked = {
        type: "update_formula" as const,
        principal,
        idempotency,
        id: Ids.FormulaId.make(UNKNOWN),
      };
      return [
        { ...asked, input: { effectiveDatetime: 0 } },
        { ...asked, input: { startDatetime: 5, endDatetime: 5 } },
      ];
    });
    expect(results).toEqual(["Invalid", "Invalid"]);
  });

  it("reports a formula's cancellation before the versions ahead that a change would replace", async () => {
    const results = await resultsOf((session) => {
      const { formula, principal, idempotency } = first(session);
      const asked = { principal, idempotency, id: formula.id };
      const flat = (amount: number) => ({ plan: { type: "flat" as const, amount } });
      const ahead = { ...flat(1), effectiveDatetime: session.world.now + 1_000 };
      return [
        { type: "update_formula", ...asked, input: ahead },
        { type: "update_formula", ...asked, input: flat(2) },
        { type: "withdraw_formula_version", ...asked, number: 1 },
        { type: "cancel_formula", ...asked, reason: "never agreed" },
        { type: "update_formula", ...asked, input: flat(2) },
        { type: "withdraw_formula_version", ...asked, number: 2 },
        { type: "withdraw_formula_version", ...asked, number: 3 },
      ];
    });
    expect(results).toEqual([
      ...["ok", "versions_ahead", "version_not_ahead", "ok"],
      ...["formula_cancelled", "formula_cancelled", "Missing"],
    ]);
  });

  it("reports self-billing without its data before an unknown partner", async () => {
    const results = await resultsOf((session) => {
      const { principal, idempotency } = first(session);
      const id = Ids.PartnerId.make(UNKNOWN);
      return [{ type: "update_partner", principal, idempotency, id, input: { billingMode: "self_billing" } }];
    });
    expect(results).toEqual(["Invalid"]);
  });

  it("reports a commission named twice, and an invalid page, before a partner outside the grant", async () => {
    const results = await resultsOf((session) => {
      const { formula, principal: whole, idempotency } = first(session);
      const principal: Principal.Principal = { ...whole, partnerIds: [Ids.PartnerId.make(UNKNOWN)] };
      const { customerId, workspaceId, partnerId } = formula;
      const commission = Ids.CommissionId.make(UNKNOWN);
      const input = { customerId, workspaceId, partnerId, commissionIds: [commission, commission] };
      const where = { partnerIds: [partnerId] };
      return [
        { type: "create_settlement", principal, idempotency, input },
        {
          type: "list",
          kind: "settlement",
          principal,
          idempotency,
          where,
          page: 0,
          perPage: 10,
          order: "asc",
        },
      ];
    });
    expect(results).toEqual(["Invalid", "Invalid"]);
  });
});

describe("the order of refusals of keys", () => {
  it("reports a partner key without partners, and an expiry in the past, before another customer", async () => {
    const results = await resultsOf((session) => {
      const { principal, idempotency } = first(session);
      const asked = { type: "create_key" as const, principal, idempotency };
      const [, customerId] = session.principals.customers;
      return [
        { ...asked, input: { customerId, kind: "partner", partnerIds: [] } },
        { ...asked, input: { customerId, expiresAt: session.world.now } },
        { ...asked, input: { customerId } },
      ];
    });
    expect(results).toEqual(["Invalid", "Invalid", "Forbidden"]);
  });

  it("reports a used idempotency key before an unknown API key", async () => {
    const results = await resultsOf((session) => {
      const { formula, principal } = first(session);
      const idempotency = { key: "once", requestSha256: "cancel" };
      return [
        { type: "cancel_formula", principal, idempotency, id: formula.id, reason: "never agreed" },
        {
          type: "revoke_key",
          principal,
          idempotency: { ...idempotency, requestSha256: "revoke" },
          id: UNKNOWN,
        },
      ];
    });
    expect(results).toEqual(["ok", "idempotency_key_reuse"]);
  });
});

describe("a billing profile", () => {
  it("is not stored again when it is written without a change", async () => {
    const results = await resultsOf((session) => {
      const { principal, idempotency } = first(session);
      const address = {
        street: "Bredgade 1",
        city: "København",
        region: "",
        postalCode: "1260",
        country: "DK",
      };
      const input = { legalName: "Fjord A/S", address, vatNumber: "DK87654321" };
      const write = { type: "write_profile" as const, principal, idempotency, input };
      return [write, write];
    });
    expect(results).toEqual(["ok", "ok"]);
  });
});

describe("a clock that has gone back", () => {
  it("does not put a change before the last event of the formula", async () => {
    const results = await resultsOf((session) => {
      const { formula, principal, idempotency } = first(session);
      const asked = { type: "update_formula" as const, principal, idempotency, id: formula.id };
      return [
        { type: "move_clock", by: -1_000 },
        { ...asked, input: { plan: { type: "flat", amount: 7 }, effectiveDatetime: session.world.now } },
        { ...asked, input: { plan: { type: "flat", amount: 9 } } },
      ];
    });
    expect(results).toEqual(["ok", "ok", "ok"]);
  });
});

describe("a credit that a recredit run adds", () => {
  it("is due, although its sale was settled elsewhere", async () => {
    const results = await resultsOf((session) => {
      const { formula, principal, idempotency } = first(session);
      const { partnerId, schemaId, workspaceId } = formula;
      const { now, partners } = session.world;
      const upline = partners.find(
        (partner) => partner.workspaceId === workspaceId && partner.id !== partnerId,
      );
      if (upline === undefined) throw new Error("the set-up creates two partners in the workspace");
      const sale = { properties: { order_value: 9 }, occurredAt: now, settledElsewhere: { at: now } };
      const asked = { principal, idempotency };
      return [
        { type: "create_attribution", ...asked, input: { partnerId, schemaId, workspaceId, ...sale } },
        { type: "create_link", ...asked, input: { partnerId, uplinePartnerId: upline.id, role: "mentor" } },
        {
          type: "recredit_run",
          ...asked,
          input: { workspaceId, from: now - 1, to: now + 1_000, reason: "entered late" },
        },
      ];
    });
    expect(results).toEqual(["ok", "ok", "ok"]);
  });
});

describe("commands at the same time", () => {
  it("leave a cancelled attribution at 0 when a recomputation had already read it", () =>
    raceCancellationAgainstFormula({ interleavings: 60 }));

  it("settle nothing of an attribution that is cancelled before the settlement is stored", () =>
    raceCancellationAgainstSettlement({ interleavings: 60 }));
});
