/** What creating one attribution leads to: the attribution, and a commission under every formula that covers it. */
import { Effect } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import * as Commission from "../domain/Commission.ts";
import type { Formula } from "../domain/Formula.ts";
import type { AttributionId, CommissionId, CustomerId } from "../domain/Ids.ts";
import { type Principal, sees } from "../domain/Principal.ts";
import { missing } from "../domain/Refusal.ts";
import type { IdSourceService } from "../ports/IdSource.ts";
import type { Change, Program, StorageService } from "../ports/Storage.ts";
import type { Failure } from "./Access.ts";
import type { CatalogueService } from "./Catalogue.ts";
import type { EvaluatorService } from "./Evaluator.ts";
import { type Decision, type Execution, noEffect } from "./Pipeline.ts";
import * as Save from "./Save.ts";

/** What crediting works with. */
export interface Tools {
  readonly storage: StorageService;
  readonly ids: IdSourceService;
  readonly catalogue: CatalogueService;
  readonly evaluator: EvaluatorService;
}

/** One command's crediting: whose it is, and what its attributions share. */
export interface Crediting {
  readonly principal: Principal;
  readonly customerId: CustomerId;
  readonly execution: Execution;
  /** The attributions of this command that bear an external reference. */
  readonly references: Map<string, Attribution.Attribution>;
  /** The formulas this command rests on, by partner and schema: one version for all of its attributions. */
  readonly programs: Map<string, Program>;
}

/** The crediting of a command that has credited nothing yet. */
export const begin = (principal: Principal, customerId: CustomerId, execution: Execution): Crediting => ({
  principal,
  customerId,
  execution,
  references: new Map(),
  programs: new Map(),
});

const commissionsOf = (
  { ids }: Tools,
  execution: Execution,
  attribution: Attribution.Attribution,
  formulas: ReadonlyArray<Formula>,
  evaluate: Commission.Evaluate,
): Effect.Effect<ReadonlyArray<Change>> =>
  Effect.forEach(
    formulas.filter((formula) => Commission.arises(attribution, formula)),
    (formula) =>
      Effect.map(ids.next, (id) =>
        Save.logged(
          "commission",
          execution,
          Commission.identity(id as CommissionId, attribution, formula),
          Commission.revise(null, Commission.compute(attribution, formula, evaluate), "formula_updated"),
        ),
      ),
  );

const programOf = (
  { catalogue }: Tools,
  { customerId, execution, programs }: Crediting,
  { partnerId, schemaId }: Attribution.Create,
): Effect.Effect<Program, Failure> => {
  const key = `${partnerId}/${schemaId}`;
  const known = programs.get(key);
  return known !== undefined
    ? Effect.succeed(known)
    : Effect.map(catalogue.program(customerId, partnerId, schemaId, execution.attempt > 1), (program) => {
        programs.set(key, program);
        return program;
      });
};

/** Partner, schema and formulas; missing unless partner and schema are seen and of the workspace. */
const context = (tools: Tools, crediting: Crediting, asked: Attribution.Create) =>
  Effect.gen(function* () {
    const { catalogue } = tools;
    const { principal, customerId } = crediting;
    const { partnerId, schemaId, workspaceId } = asked;
    // One after the other: mostly they are at hand, and fibers of their own would then cost more than all the rest.
    const partner = yield* catalogue.partner(customerId, partnerId);
    const schema = yield* catalogue.schema(customerId, schemaId);
    const program = yield* programOf(tools, crediting, asked);
    if (partner === null || !sees(principal, partner) || partner.workspaceId !== workspaceId) {
      return yield* missing("partner_id");
    }
    if (
      schema === null ||
      !sees(principal, { ...schema, partnerId: null }) ||
      schema.workspaceId !== workspaceId
    ) {
      return yield* missing("schema_id");
    }
    return { schema, program };
  });

/** The effect of one creation, or why it is refused. */
export const credit = (
  tools: Tools,
  crediting: Crediting,
  asked: Attribution.Create,
): Effect.Effect<Decision<{ readonly id: AttributionId }>, Failure> =>
  Effect.gen(function* () {
    const { storage, ids, evaluator } = tools;
    const { principal, customerId, execution, references } = crediting;
    const { partnerId, schemaId, workspaceId } = asked;
    const { schema, program } = yield* context(tools, crediting, asked);
    const event = yield* Attribution.create(asked.properties, schema.properties);
    const externalReference = asked.externalReference ?? null;
    const key = `${schemaId}/${externalReference}`;
    if (externalReference !== null) {
      const existing =
        references.get(key) ?? (yield* storage.referenced(customerId, schemaId, externalReference));
      if (existing !== null) {
        yield* Attribution.repeats(existing, asked, event.properties);
        return noEffect({ id: existing.id });
      }
    }
    const id = (yield* ids.next) as AttributionId;
    const { agentId } = principal;
    const identity = { id, customerId, workspaceId, partnerId, schemaId, agentId, externalReference };
    const saved = Save.logged("attribution", execution, identity, [event]);
    if (externalReference !== null) references.set(key, saved.row);
    const evaluate = evaluator.forSchema(schema);
    const commissions = yield* commissionsOf(tools, execution, saved.row, program.formulas, evaluate);
    return {
      answer: { id },
      requires: [{ type: "program", partnerId, schemaId, version: program.version }],
      changes: [saved, ...commissions],
    };
  });
