/** The requirements and changes of approving a draft, by a person or by a run. */

import { Effect } from "effect";
import { personOf } from "../../domain/Event.ts";
import type { Partner } from "../../domain/Partner.ts";
import { approvedFor } from "../../domain/PartnerAccounts.ts";
import type { Review, Settlement } from "../../domain/Settlement.ts";
import type { Policy, SettlementCommand } from "../../domain/SettlementMachine.ts";
import type { Change, Records, Requirement, Settling, StorageError, Versioned } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as EInvoicing from "./EInvoicing.ts";
import { type PartnerTerms, readTerms } from "./PoliciesInForce.ts";
import { readSecondPerson } from "./SecondPerson.ts";
import * as Taxation from "./Taxation.ts";

/** The command that approves a draft, with what it relies on and what is stored with it. */
interface Approval {
  readonly command: SettlementCommand;
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
  /** The engine's policy, and the settlement policy's rule of four eyes. */
  readonly policy: Policy;
  /** The settlement policy of the partner. */
  readonly inForce: PartnerTerms;
}

/** The partner of a settlement, as it is now. */
export const readPartner = (
  storage: Records,
  { customerId, partnerId }: Pick<Settlement, "customerId" | "partnerId">,
): Effect.Effect<Versioned<Partner>, StorageError> =>
  Effect.flatMap(storage.find(customerId, "partner", [partnerId]), ([partner]) =>
    partner === undefined
      ? Effect.dieMessage("the partner of a settlement is missing")
      : Effect.succeed(partner),
  );

/** Reads what approving a settlement takes: the partner, its policy, the lines that stand. */
export const prepareApproval = (
  storage: Records & Settling,
  policy: Policy,
  execution: Execution,
  settlement: Versioned<Settlement>,
): Effect.Effect<Approval, Failure> =>
  Effect.gen(function* () {
    const { id, customerId, workspaceId, partnerId } = settlement;
    const person = personOf(execution);
    const [partner, lines, stale, termsOf] = yield* Effect.all(
      [
        readPartner(storage, settlement),
        storage.linesWithBilledParts(customerId, id),
        policy.staleDrafts === "refuse" ? storage.isStale(customerId, id) : Effect.succeed(false),
        readTerms(storage, customerId, workspaceId, [partnerId]),
      ],
      { concurrency: "unbounded" },
    );
    const { assessment, changes } = yield* Taxation.assess(storage, execution, settlement, {
      partner,
      lines,
    });
    const { selfBillingData } = partner;
    const approved = approvedFor(partner, settlement.currency);
    const isChecked = settlement.status.type === "draft" && policy.documents === "auto";
    const conversion =
      isChecked && assessment.tax !== 0n
        ? yield* EInvoicing.readConversion(storage, settlement, execution.at)
        : null;
    if (isChecked)
      yield* EInvoicing.checkApproval(storage, settlement, { selfBillingData, ...approved }, assessment);
    const inForce = termsOf(partnerId);
    const second = yield* readSecondPerson(storage, settlement, { inForce, person });
    const freshness: Requirement = { type: "freshness", settlementId: id, stale };
    return {
      command: {
        type: "approve",
        person,
        hasChangedLimit: second.hasChangedLimit,
        stale,
        partnerName: partner.name,
        billingMode: partner.billingMode,
        ...{ selfBillingData, ...approved },
        assessment,
        ...(conversion === null ? {} : { taxConversion: conversion }),
        invoiceTax: inForce.terms.invoiceTaxBps,
      },
      requires: [
        { type: "record", kind: "partner", id: partner.id, version: partner.version },
        ...inForce.requires,
        ...(policy.staleDrafts === "refuse" ? [freshness] : []),
      ],
      changes,
      policy: { ...policy, fourEyes: policy.fourEyes || second.isNeeded },
      inForce,
    };
  });

/** What accepting the tax of a document takes: who accepts it, and whether the policies require another person. */
export const prepareReview = (
  { storage, policy }: { readonly storage: Records; readonly policy: Policy },
  execution: Execution,
  settlement: Versioned<Settlement>,
  { decision, note = null }: Review,
): Effect.Effect<Pick<Approval, "command" | "requires" | "policy">, Failure> =>
  Effect.gen(function* () {
    const { customerId, workspaceId, partnerId } = settlement;
    const person = personOf(execution);
    const command = { type: "review", person, hasChangedLimit: false, decision, note } as const;
    if (decision !== "accept_tax") return { command, requires: [], policy };
    const inForce = (yield* readTerms(storage, customerId, workspaceId, [partnerId]))(partnerId);
    const { isNeeded, hasChangedLimit } = yield* readSecondPerson(
      storage,
      settlement,
      { inForce, person },
      ({ payableAmount, total }) => payableAmount ?? total,
    );
    return {
      command: { ...command, hasChangedLimit },
      requires: inForce.requires,
      policy: { ...policy, fourEyes: policy.fourEyes || isNeeded },
    };
  });
