/** The terms of plans for their partners: what every sale earns, in sentences, with the hash of what is agreed. */
import { Clock, Effect } from "effect";
import type { CustomerId, PartnerId, PlanAcceptanceId, PlanId } from "../domain/Ids.ts";
import * as PlanAcceptance from "../domain/PlanAcceptance.ts";
import * as PlanTermsRules from "../domain/PlanTerms.ts";
import { authorize, type Principal, withinGrants } from "../domain/Principal.ts";
import { conflict, invalid, missing } from "../domain/Refusal.ts";
import { plainText, type TermsText, termsText } from "../domain/sentences/PlanTerms.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { LANGUAGES, type Language } from "../explanation/index.ts";
import { DocumentRenderer, type TermsContent } from "../ports/Documents.ts";
import { type Earnings, type Listed, type Records, Storage } from "../ports/Storage.ts";
import { authorizeRequest, type Failure, requireVisible, validate } from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { withinTime } from "./documents/Rendering.ts";
import { applyPlan } from "./formulas/AppliedPlan.ts";
import { WorkerSettings } from "./process/WorkerSettings.ts";

/** Whose terms, and at which moment; by default now. */
export type Query = PlanTermsRules.Query;

/** The rule of one span of a partner's assignments, by its hash. */
export interface TermsSpan
  extends Pick<PlanTermsRules.Span, "fromDatetime" | "untilDatetime" | "formulaVersion"> {
  readonly hash: string;
  /** When the partner accepted exactly these terms; null when it has not. */
  readonly acceptedAt: Timestamp | null;
}

/** The terms of a plan for a partner at a moment. */
export interface Terms extends PlanTermsRules.Span, Pick<TermsText, "language" | "title" | "paragraphs"> {
  /** The name of the plan. */
  readonly name: string;
  /** SHA-256 of what is agreed, in hexadecimal. */
  readonly hash: string;
  /** The acceptance of exactly these terms; null when there is none. */
  readonly acceptance: PlanAcceptance.PlanAcceptance | null;
  /** Every rule that the partner has under the plan, in order of time. */
  readonly spans: ReadonlyArray<TermsSpan>;
  /** The whole as plain text. */
  readonly text: string;
}

/** Which acceptances, and which page of them. */
export type ListAcceptances = ListInput<"planAcceptance">;

/** Terms as a file. */
export interface TermsFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const renderer = yield* DocumentRenderer;
  const pipeline = yield* Pipeline;
  const { renderTimeoutMilliseconds } = yield* WorkerSettings;

  /** The spans of a partner's assignments to a plan, with what they are about. */
  const readSpans = (principal: Principal, planId: PlanId, partnerId: PartnerId) =>
    Effect.gen(function* () {
      const plan = yield* requireVisible(storage, principal, "plan", planId);
      const partner = yield* requireVisible(storage, principal, "partner", partnerId);
      const { customerId, schemaId } = plan;
      const [{ formulas }, log, [sales]] = yield* Effect.all(
        [
          storage.formulaSet(customerId, partnerId, schemaId),
          storage.log(customerId, "plan", planId),
          storage.find(customerId, "schema", [schemaId]),
        ],
        { concurrency: "unbounded" },
      );
      if (sales === undefined) return yield* Effect.dieMessage("a plan's schema is missing");
      const own = formulas.filter(({ assignment }) => assignment?.planId === planId);
      const spans = PlanTermsRules.spansOf(own.map((formula) => applyPlan(formula, log).formula));
      return { plan, partner, sales, spans };
    });

  /** The acceptances of these hashes, by hash. */
  const acceptancesOf = (
    planId: PlanId,
    partnerId: PartnerId,
    customerId: CustomerId,
    hashes: ReadonlyArray<string>,
  ) => {
    const ids = [...new Set(hashes)].map((hash) => PlanAcceptance.acceptanceId(planId, partnerId, hash));
    return Effect.map(
      storage.find(customerId, "planAcceptance", ids),
      (found) => new Map(found.map((acceptance) => [acceptance.hash, acceptance])),
    );
  };

  const compute = (principal: Principal, planId: PlanId, query: Query, language: Language) =>
    Effect.gen(function* () {
      yield* authorize(principal, "read plan terms");
      const { partnerId, at } = yield* validate(PlanTermsRules.Query)(query);
      if (!LANGUAGES.includes(language))
        return yield* invalid("language", `must be one of ${LANGUAGES.join(", ")}`);
      yield* withinGrants(principal, { partnerIds: [partnerId] });
      const found = yield* readSpans(principal, planId, partnerId);
      const { plan, partner, sales } = found;
      const spans = found.spans.map((span) => ({ ...span, hash: PlanTermsRules.hashOf(span, sales) }));
      const span = PlanTermsRules.spanAt(spans, at ?? (yield* Clock.currentTimeMillis));
      if (span === undefined) return yield* missing("plan terms");
      const hashes = spans.map(({ hash }) => hash);
      const acceptances = yield* acceptancesOf(planId, partnerId, plan.customerId, hashes);
      const acceptance = acceptances.get(span.hash) ?? null;
      const { hash } = span;
      const named = { span, hash, sales, planName: plan.name, partnerName: partner.name, acceptance };
      return { plan, partner, spans, span, acceptance, acceptances, text: termsText(named, language) };
    });

  const read = (
    principal: Principal,
    planId: PlanId,
    query: Query,
    language: Language = "en",
  ): Effect.Effect<Terms, Failure> =>
    Effect.map(compute(principal, planId, query, language), (found) => {
      const { plan, span, acceptance, acceptances, text } = found;
      return {
        ...span,
        ...{ name: plan.name, acceptance, language, title: text.title, paragraphs: text.paragraphs },
        spans: found.spans.map(({ fromDatetime, untilDatetime, formulaVersion, hash }) => {
          const acceptedAt = acceptances.get(hash)?.createdAt ?? null;
          return { fromDatetime, untilDatetime, formulaVersion, hash, acceptedAt };
        }),
        text: plainText(text),
      };
    });

  const readPdf = (
    principal: Principal,
    planId: PlanId,
    query: Query,
    language: Language = "en",
  ): Effect.Effect<TermsFile, Failure> =>
    Effect.gen(function* () {
      const { plan, partner, span, text } = yield* compute(principal, planId, query, language);
      const { hash } = span;
      const { renderTerms } = renderer;
      if (renderTerms === undefined)
        return yield* conflict(
          "pdf_unavailable",
          "this server cannot create PDF files; request JSON or text",
        );
      const { customerId } = plan;
      const [buyer] = yield* storage.find(customerId, "billingProfile", [customerId]);
      const issuedAt = yield* Clock.currentTimeMillis;
      const content: TermsContent = {
        kind: "terms",
        ...{ customerId, partner, buyer: buyer ?? null, issuedAt, hash, text, lines: text.paragraphs },
      };
      const { bytes, extension } = yield* withinTime(renderTerms(content), renderTimeoutMilliseconds).pipe(
        Effect.catchTags({
          RenderingRefused: ({ message }) => Effect.fail(conflict("pdf_unavailable", message)),
          RenderingFailed: ({ cause }) => Effect.die(cause),
        }),
      );
      return { fileName: `terms-${hash.slice(0, 16)}.${extension}`, bytes };
    });

  const accept = (
    principal: Principal,
    planId: PlanId,
    input: PlanAcceptance.Accept,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: PlanAcceptanceId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeRequest(
        principal,
        "accept plan terms",
        validate(PlanAcceptance.Accept)(input),
        ({ partnerId }) => ({ partnerIds: [partnerId] }),
      );
      const onBehalf = principal.kind !== "partner";
      const wrong = PlanAcceptance.checkReference(request, onBehalf);
      if (wrong !== null) return yield* wrong;
      const { partnerId, hash, at } = request;
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const { plan, sales, spans } = yield* readSpans(principal, planId, partnerId);
          const span = PlanTermsRules.spanAt(spans, at ?? execution.at);
          if (span === undefined) return yield* missing("plan terms");
          const changed = PlanAcceptance.checkHash(hash, PlanTermsRules.hashOf(span, sales));
          if (changed !== null) return yield* changed;
          const id = PlanAcceptance.acceptanceId(planId, partnerId, hash);
          const [known] = yield* storage.find(customerId, "planAcceptance", [id]);
          if (known !== undefined) return noEffect({ id });
          const { workspaceId } = plan;
          const identity = { id, customerId, workspaceId, planId, partnerId };
          const event = PlanAcceptance.accept(span, sales, request, { ...execution, onBehalf });
          return {
            result: { id },
            requires: [],
            changes: [Save.appendEvents("planAcceptance", execution, identity, [event])],
          };
        }),
      );
    });

  const acceptances = (
    principal: Principal,
    planId: PlanId,
    input: ListAcceptances = {},
  ): Effect.Effect<Listing<Listed["planAcceptance"]>, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "list plan acceptances");
      // Who sees some partners alone does not learn of plans that these do not have.
      if (principal.partnerIds === "*") yield* requireVisible(storage, principal, "plan", planId);
      return yield* listOf(storage, principal, "planAcceptance", {
        ...input,
        planIds: [planId],
      });
    });

  return {
    /**
     * Records that a partner accepts the terms of a moment, now unless stated, by the hash that was read. Somebody else than the
     * partner states where the partner's own signature is, and is recorded as such. Accepting the same terms again changes nothing.
     */
    accept,
    /** One page of the acceptances of a plan that the principal sees. */
    acceptances,
    /**
     * Returns by which rule the partner's sales are paid at a moment, in sentences of a language and as an expression, with the
     * hash of what is agreed. Before the assignment begins, these are the terms that it begins with.
     */
    read,
    /** The same as a PDF file. */
    readPdf,
  };
});

/** The service of the terms that partners accept. */
export class PlanTerms extends Effect.Service<PlanTerms>()("quittance/services/PlanTerms", {
  effect: make,
}) {}
