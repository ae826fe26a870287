/** What creating one attribution leads to: the attribution, and a commission under every formula that covers it. */
import { Effect, Either } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import type { AttributionId, CommissionId, CustomerId, WorkspaceId } from "../../domain/Ids.ts";
import { type Principal, sees } from "../../domain/Principal.ts";
import { missing, type Refusal } from "../../domain/Refusal.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Change, StorageService } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { type Decision, type Execution, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { EvaluatorService } from "./Evaluator.ts";
import type { FormulaContext, FormulaSetCacheService, Found } from "./FormulaSetCache.ts";

/** What crediting works with. */
export interface Tools {
  readonly storage: StorageService;
  readonly ids: IdSourceService;
  readonly catalogue: FormulaSetCacheService;
  readonly evaluator: EvaluatorService;
}

/** One command's crediting: whose it is, and what its attributions rest on. */
export interface AttributionCreation {
  readonly principal: Principal;
  readonly customerId: CustomerId;
  readonly execution: Execution;
  /** By partner and schema: one version of the formulas for all attributions of the command. */
  readonly terms: Map<string, Found>;
  /** By schema and external reference: attributions that are stored, and those that this command makes. */
  readonly references: Map<string, Attribution.Attribution | null>;
}

/** The crediting of a command that has read nothing yet. */
export const begin = (
  principal: Principal,
  customerId: CustomerId,
  execution: Execution,
): AttributionCreation => ({
  principal,
  customerId,
  execution,
  terms: new Map(),
  references: new Map(),
});

const termsKey = ({ partnerId, schemaId }: Attribution.Create): string => `${partnerId}/${schemaId}`;
const referenceKey = (schemaId: string, externalReference: string): string =>
  `${schemaId}/${externalReference}`;

/** Reads what one creation rests on, unless another one of the command has read it. */
export const prepare = (
  { catalogue, storage }: Tools,
  { customerId, execution, terms, references }: AttributionCreation,
  asked: Attribution.Create,
): Effect.Effect<void, Failure> => {
  const { partnerId, schemaId, externalReference } = asked;
  const key = termsKey(asked);
  const found = terms.has(key)
    ? Effect.void
    : Effect.map(catalogue.terms(customerId, partnerId, schemaId, execution.attempt > 1), (loaded) => {
        terms.set(key, loaded);
      });
  if (externalReference === undefined) return found;
  const reference = referenceKey(schemaId, externalReference);
  if (references.has(reference)) return found;
  return Effect.zipRight(
    found,
    Effect.map(storage.findByExternalReference(customerId, schemaId, externalReference), (existing) => {
      references.set(reference, existing);
    }),
  );
};

const commissionsOf = (
  { ids, evaluator }: Tools,
  execution: Execution,
  attribution: Attribution.Attribution,
  { schema, formulaSet }: FormulaContext,
): ReadonlyArray<Change> => {
  const evaluate = evaluator.forSchema(schema);
  return formulaSet.formulas
    .filter((formula) => Commission.arises(attribution, formula))
    .map((formula) =>
      Save.logged(
        "commission",
        execution,
        Commission.identity(ids.nextAt(execution.at) as CommissionId, attribution, formula),
        Commission.revise(null, Commission.compute(attribution, formula, evaluate), "formula_updated"),
      ),
    );
};

/** The terms, unless partner or schema are not seen or not of the workspace. */
const seen = (
  principal: Principal,
  { partner, schema, formulaSet }: Found,
  workspaceId: WorkspaceId,
): Either.Either<FormulaContext, Refusal> => {
  if (partner === null || !sees(principal, partner) || partner.workspaceId !== workspaceId) {
    return Either.left(missing("partner_id"));
  }
  return schema === null ||
    formulaSet === null ||
    !sees(principal, { customerId: schema.customerId, workspaceId: schema.workspaceId, partnerId: null }) ||
    schema.workspaceId !== workspaceId
    ? Either.left(missing("schema_id"))
    : Either.right({ partner, schema, formulaSet });
};

const NOTHING: Found = { partner: null, schema: null, formulaSet: null };

/** The effect of one creation that is {@link prepare}d, or why it is refused. */
export const decide = (
  tools: Tools,
  { principal, customerId, execution, terms, references }: AttributionCreation,
  asked: Attribution.Create,
): Either.Either<Decision<{ readonly id: AttributionId }>, Refusal> => {
  const { partnerId, schemaId, workspaceId } = asked;
  const found = seen(principal, terms.get(termsKey(asked)) ?? NOTHING, workspaceId);
  if (Either.isLeft(found)) return Either.left(found.left);
  const { schema, formulaSet } = found.right;
  const created = Attribution.create(asked.properties, schema.properties);
  if (Either.isLeft(created)) return Either.left(created.left);
  const event = created.right;
  const externalReference = asked.externalReference ?? null;
  const existing =
    externalReference === null ? null : (references.get(referenceKey(schemaId, externalReference)) ?? null);
  if (existing !== null) {
    return Either.map(Attribution.repeats(existing, asked, event.properties), () =>
      noEffect({ id: existing.id }),
    );
  }
  const id = tools.ids.nextAt(execution.at) as AttributionId;
  const { agentId } = principal;
  const identity = { id, customerId, workspaceId, partnerId, schemaId, agentId, externalReference };
  const saved = Save.logged("attribution", execution, identity, [event]);
  if (externalReference !== null) references.set(referenceKey(schemaId, externalReference), saved.row);
  return Either.right({
    answer: { id },
    requires: [{ type: "formula_set", partnerId, schemaId, version: formulaSet.version }],
    changes: [saved, ...commissionsOf(tools, execution, saved.row, found.right)],
  });
};
