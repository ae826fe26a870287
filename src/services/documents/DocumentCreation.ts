/** Creates the documents that settlements wait for: renders, numbers, stores and links each exactly once. */
import { Clock, Effect, Either } from "effect";
import type { BillingProfile } from "../../domain/BillingProfile.ts";
import { dateOf } from "../../domain/CalendarDate.ts";
import * as Document from "../../domain/Document.ts";
import * as DocumentNumber from "../../domain/DocumentNumber.ts";
import { sniff } from "../../domain/FileType.ts";
import { type CustomerId, DocumentId, type SettlementId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import { missingCounterpart, type Settlement } from "../../domain/Settlement.ts";
import { decide, type Task } from "../../domain/SettlementMachine.ts";
import * as EInvoice from "../../einvoice/index.ts";
import { Digest } from "../../ports/Digest.ts";
import {
  type DocumentContent,
  DocumentRenderer,
  DocumentStore,
  type RenderingFailed,
  type RenderingRefused,
} from "../../ports/Documents.ts";
import { IdSource } from "../../ports/IdSource.ts";
import {
  type Change,
  type Earnings,
  mayBeStored,
  type Records,
  type Settling,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import type { Failure } from "../commands/Access.ts";
import { type Execution, noEffect, Pipeline } from "../commands/Pipeline.ts";
import { Policies } from "../commands/Policies.ts";
import * as Save from "../commands/Save.ts";
import * as Serialized from "../process/Serialized.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";
import { documentOf, linkCommand } from "../SettlementDocuments.ts";
import { documentParts, issuedBy, type TaxedParts } from "../settlements/DocumentParts.ts";
import * as EInvoicing from "../settlements/EInvoicing.ts";
import { transition } from "../settlements/Transition.ts";
import { detailedLines } from "./DetailedLines.ts";
import { withinTime } from "./Rendering.ts";

/** The kind of document that a task creates. */
export const KIND_OF = {
  make_report: "report",
  make_invoice: "invoice",
  make_credit_note: "credit_note",
} as const satisfies Partial<Record<Task, Document.DocumentKind>>;

const WORKER: Pick<Principal, "principalId"> = { principalId: "system:documents" };

/** Longer than the rendering of a long document takes. */
const PATIENCE_MILLISECONDS = 5_000;

/** The number and dates of a document that is created now. */
const factsOf = (
  kind: Document.DocumentKind,
  number: string,
  { at }: Execution,
  { approval }: Settlement,
): Document.Facts => {
  if (kind === "report") return { number };
  const date = dateOf(at);
  const terms = kind === "invoice" ? approval?.selfBillingData?.paymentTermsDays : undefined;
  return terms === undefined ? { number, date } : { number, date, dueDate: dateOf(at, terms) };
};

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Settling = yield* Storage;
  const bytesOf = yield* DocumentStore;
  const renderer = yield* DocumentRenderer;
  const ids = yield* IdSource;
  const digest = yield* Digest;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const evaluator = yield* Evaluator;
  const { renderTimeoutMilliseconds } = yield* WorkerSettings;
  const serialized = Serialized.make(PATIENCE_MILLISECONDS);

  const renderInTime = (content: DocumentContent) =>
    withinTime(renderer.render(content), renderTimeoutMilliseconds);

  /** The series of the settlement's document when it is issued now. */
  const seriesOf = (
    { customerId, partnerId }: Settlement,
    kind: Document.DocumentKind,
    issuedAt: number,
    buyer: BillingProfile | undefined,
  ) =>
    Effect.map(storage.lastNumber(customerId, DocumentNumber.PER_PARTNER), (legacy) =>
      DocumentNumber.seriesOf({
        ...{ kind, partnerId, issuedAt },
        documentNumbers: buyer?.documentNumbers ?? null,
        invoicePrefix: buyer?.invoicePrefix ?? "",
        isPerPartner: legacy > 0,
      }),
    );

  /** The next number of a series and the change that allocates it. */
  const allocateNumber = (customerId: CustomerId, series: DocumentNumber.Series) =>
    Effect.map(storage.lastNumber(customerId, series.name), (last) => {
      const changes: ReadonlyArray<Change> = [
        { type: "allocate_number", series: { customerId, name: series.name, lastNumber: last + 1 } },
      ];
      return { number: DocumentNumber.print(series, last + 1), changes };
    });

  /** Stores the e-invoice of a document. Returns its facts, or the rules that it would violate; no field without a billing profile. */
  const eInvoiceOf = (
    settlement: Settlement,
    id: DocumentId,
    buyer: BillingProfile | undefined,
    {
      parts,
      kind,
      ...fields
    }: Omit<EInvoicing.DocumentFields, "kind"> & {
      readonly kind: Document.DocumentKind;
      readonly parts: TaxedParts;
    },
  ): Effect.Effect<Pick<Document.Document, "eInvoice">, StorageError> =>
    Effect.gen(function* () {
      const seller = settlement.approval?.selfBillingData;
      if (kind === "report" || buyer === undefined || seller == null) return {};
      const content = EInvoicing.contentOf(settlement, { seller, buyer }, parts, { kind, ...fields });
      const invoice = EInvoice.make(content);
      const problems = EInvoice.problemsOf(invoice);
      if (problems.length > 0) return { eInvoice: { type: "not_made", problems } };
      const bytes = EInvoice.write(invoice);
      yield* bytesOf.put(settlement.customerId, id, bytes);
      const sha256 = yield* digest.sha256Hex(bytes);
      return { eInvoice: { type: "made", id, byteLength: bytes.length, sha256 } };
    });

  const render = (
    execution: Execution,
    settlement: Versioned<Settlement>,
    kind: Document.DocumentKind,
    { documentId, eInvoiceId }: { readonly documentId: DocumentId; readonly eInvoiceId: DocumentId },
  ) =>
    Effect.gen(function* () {
      const { customerId } = settlement;
      const [buyer] = yield* storage.find(customerId, "billingProfile", [customerId]);
      const series = yield* seriesOf(settlement, kind, execution.at, buyer);
      const { number, changes } = yield* allocateNumber(customerId, series);
      const parts = yield* documentParts(storage, settlement, kind);
      const lines = yield* detailedLines(storage, evaluator, settlement, parts.lines);
      const [cancels = null] =
        missingCounterpart(settlement) === kind ? yield* issuedBy(storage, settlement, [settlement.id]) : [];
      const { bytes, extension } = yield* renderInTime({
        kind,
        documentId,
        number,
        issuedAt: execution.at,
        settlement,
        ...parts,
        lines,
        taxAmount: kind === "report" ? null : settlement.taxAmount,
        buyer: buyer ?? null,
        cancels,
      });
      yield* bytesOf.put(customerId, documentId, bytes);
      const facts = factsOf(kind, number, execution, settlement);
      const fields = { parts, kind, number, issuedAt: execution.at, dueDate: facts.dueDate ?? null, cancels };
      const eInvoice = yield* eInvoiceOf(settlement, eInvoiceId, buyer, fields);
      // Rendering may take minutes. What is stored has its date from now, as a period that has become final cannot change.
      const linking = { ...execution, at: yield* Clock.currentTimeMillis };
      const record = documentOf(settlement, kind, {
        id: documentId,
        revision: 1,
        number,
        fileName: `${Document.slug(kind)}-${settlement.id}.${extension}`,
        mediaType: sniff(bytes).mediaType,
        byteLength: bytes.length,
        sha256: yield* digest.sha256Hex(bytes),
        // The date that is printed on it, by which other documents name it.
        createdAt: execution.at,
        ...eInvoice,
      });
      const problems = eInvoice.eInvoice?.type === "not_made" ? eInvoice.eInvoice.problems : [];
      return { linking, facts, problems, changes: [...changes, Save.flat("document", linking, record)] };
    });

  const createDocument = (
    customerId: CustomerId,
    settlementId: SettlementId,
    kind: Document.DocumentKind,
  ): Effect.Effect<void, Failure | RenderingFailed | RenderingRefused> => {
    /** Records on the settlement why its document could not be created, while it waits for it. */
    const recordProblem = ({ code, message }: RenderingRefused) =>
      pipeline.run(customerId, WORKER, {}, (execution) =>
        Effect.gen(function* () {
          const [settlement] = yield* storage.find(customerId, "settlement", [settlementId]);
          if (settlement === undefined) return noEffect({});
          const documentId = yield* ids.next(DocumentId);
          const wanted = linkCommand(kind, { documentId, origin: "worker", facts: {} });
          if (Either.isLeft(decide(settlement, wanted, policy))) return noEffect({});
          const command = { type: "fail_document", kind, code, message } as const;
          return yield* transition(execution, settlement, { command, policy });
        }),
      );
    let written: ReadonlyArray<DocumentId> = [];
    const removeWritten = Effect.suspend(() =>
      Effect.forEach(written, (id) => Effect.ignore(bytesOf.remove(customerId, id)), { discard: true }),
    );
    return pipeline
      .run(customerId, WORKER, {}, (execution) =>
        Effect.gen(function* () {
          yield* removeWritten;
          const [settlement] = yield* storage.find(customerId, "settlement", [settlementId]);
          if (settlement === undefined) return noEffect({});
          const documentId = yield* ids.next(DocumentId);
          const wanted = linkCommand(kind, { documentId, origin: "worker", facts: {} });
          if (Either.isLeft(decide(settlement, wanted, policy))) return noEffect({});
          const eInvoiceId = yield* ids.next(DocumentId);
          written = [documentId, eInvoiceId];
          const rendered = yield* render(execution, settlement, kind, { documentId, eInvoiceId });
          const { linking, facts, problems, changes } = rendered;
          const command = linkCommand(kind, {
            documentId,
            origin: "worker",
            facts,
            eInvoiceProblems: problems,
          });
          const linked = yield* transition(linking, settlement, { command, policy, changes });
          return { ...linked, at: linking.at };
        }),
      )
      .pipe(
        Effect.tapError((failure) => (mayBeStored(failure) ? Effect.void : removeWritten)),
        Effect.catchTag("RenderingRefused", (refused) =>
          Effect.zipRight(recordProblem(refused), Effect.fail(refused)),
        ),
        Effect.asVoid,
      );
  };

  /**
   * Creates the documents of one customer and kind one after the other in this process, since they take their numbers from
   * one series: of two created at once, one would be rendered again. One whose rendering hangs delays the others for a short time.
   */
  const run: typeof createDocument = (customerId, settlementId, kind) =>
    serialized(`${customerId} ${kind}`, createDocument(customerId, settlementId, kind));

  return {
    /**
     * Creates the document of a kind when the settlement waits for it, and links it; otherwise changes nothing.
     * The document, its number and the link are one commit: a crash leaves all or none of them. A document that the
     * renderer refuses leaves the settlement where it is, with the refusal as its `documentProblem`.
     */
    run,
  };
});

/** The service that creates documents; workers call it. */
export class DocumentCreation extends Effect.Service<DocumentCreation>()(
  "quittance/services/DocumentCreation",
  {
    effect: make,
  },
) {}
