/** Creates the documents that settlements wait for: renders, numbers, stores and links each exactly once. */
import { Clock, Effect, Either } from "effect";
import type { BillingProfile } from "../../domain/BillingProfile.ts";
import { type CalendarDate, daysLater } from "../../domain/CalendarDate.ts";
import * as Document from "../../domain/Document.ts";
import * as DocumentNumber from "../../domain/DocumentNumber.ts";
import { sniff } from "../../domain/FileType.ts";
import { type CustomerId, DocumentId, type SettlementId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import { missingCounterpart, type Settlement } from "../../domain/Settlement.ts";
import { decide, type Task } from "../../domain/SettlementMachine.ts";
import * as Workspace from "../../domain/Workspace.ts";
import * as EInvoice from "../../einvoice/index.ts";
import { Digest } from "../../ports/Digest.ts";
import {
  type DetailedLine,
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
import { WorkspaceCache, zoneOf } from "../attributions/WorkspaceCache.ts";
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

/** What is printed on a document: its number and its dates. */
interface Numbering {
  readonly number: string;
  readonly issuedOn: CalendarDate;
  readonly dueDate: CalendarDate | null;
}

/** The number and dates of a document; of a report the number alone is recorded. */
const factsOf = (kind: Document.DocumentKind, { number, issuedOn, dueDate }: Numbering): Document.Facts =>
  kind === "report" ? { number } : { number, date: issuedOn, ...(dueDate === null ? {} : { dueDate }) };

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Settling = yield* Storage;
  const bytesOf = yield* DocumentStore;
  const renderer = yield* DocumentRenderer;
  const ids = yield* IdSource;
  const digest = yield* Digest;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const evaluator = yield* Evaluator;
  const workspaces = yield* WorkspaceCache;
  const { renderTimeoutMilliseconds } = yield* WorkerSettings;
  const serialized = Serialized.make(PATIENCE_MILLISECONDS);

  const renderInTime = (content: DocumentContent) =>
    withinTime(renderer.render(content), renderTimeoutMilliseconds);

  /** The number and dates of the settlement's document when it is issued at a moment, and the change that allocates the number. */
  const allocateNumber = (
    settlement: Settlement,
    kind: Document.DocumentKind,
    at: number,
    buyer: BillingProfile | undefined,
  ) =>
    Effect.gen(function* () {
      const { customerId, partnerId, workspaceId, approval } = settlement;
      const zones = yield* workspaces.find(customerId, [workspaceId], true);
      const { timeZone, unchanged } = zoneOf(zones, workspaceId);
      const day = Workspace.dateIn(timeZone, at);
      const perPartner = yield* storage.numberSeries(customerId, DocumentNumber.PER_PARTNER);
      const series = DocumentNumber.seriesOf({
        ...{ kind, cancels: missingCounterpart(settlement) === kind, partnerId, issuedOn: day },
        documentNumbers: buyer?.documentNumbers ?? null,
        invoicePrefix: buyer?.invoicePrefix ?? "",
        isPerPartner: perPartner !== null,
      });
      const next = DocumentNumber.next(yield* storage.numberSeries(customerId, series.name), day);
      const change: Change = { type: "allocate_number", series: { customerId, name: series.name, ...next } };
      const terms = kind === "invoice" ? approval?.selfBillingData?.paymentTermsDays : undefined;
      const numbering: Numbering = {
        number: DocumentNumber.print(series, next.lastNumber),
        issuedOn: next.lastDate,
        dueDate: terms === undefined ? null : daysLater(next.lastDate, terms),
      };
      return { numbering, change, unchanged };
    });

  /** The e-invoice of a document in UBL, or the rules that it would violate; null without a billing profile. */
  const eInvoiceOf = (
    settlement: Settlement,
    buyer: BillingProfile | undefined,
    {
      parts,
      lines,
      kind,
      ...fields
    }: Omit<EInvoicing.DocumentFields, "kind"> & {
      readonly kind: Document.DocumentKind;
      readonly parts: TaxedParts;
      readonly lines: ReadonlyArray<DetailedLine>;
    },
  ): Uint8Array | ReadonlyArray<Document.EInvoiceProblem> | null => {
    const seller = EInvoicing.sellerOf(settlement.approval);
    if (kind === "report" || buyer === undefined || seller === null) return null;
    const content = EInvoicing.contentOf(settlement, { seller, buyer }, parts, { kind, ...fields }, lines);
    const invoice = EInvoice.make(content);
    const problems = EInvoice.problemsOf(invoice);
    return problems.length > 0 ? problems : EInvoice.write(invoice);
  };

  /** Stores an e-invoice. Returns its facts, or why there is none; no field without a billing profile. */
  const putEInvoice = (
    customerId: CustomerId,
    id: DocumentId,
    eInvoice: ReturnType<typeof eInvoiceOf>,
  ): Effect.Effect<Pick<Document.Document, "eInvoice">, StorageError> =>
    Effect.gen(function* () {
      if (eInvoice === null) return {};
      if (!(eInvoice instanceof Uint8Array)) return { eInvoice: { type: "not_made", problems: eInvoice } };
      yield* bytesOf.put(customerId, id, eInvoice);
      const sha256 = yield* digest.sha256Hex(eInvoice);
      return { eInvoice: { type: "made", id, byteLength: eInvoice.length, sha256 } };
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
      const { numbering, change, unchanged } = yield* allocateNumber(settlement, kind, execution.at, buyer);
      const parts = yield* documentParts(storage, settlement, kind);
      const lines = yield* detailedLines(storage, evaluator, settlement, parts.lines);
      const [cancels = null] =
        missingCounterpart(settlement) === kind ? yield* issuedBy(storage, settlement, [settlement.id]) : [];
      const ubl = eInvoiceOf(settlement, buyer, { parts, lines, kind, ...numbering, cancels });
      const { bytes, extension } = yield* renderInTime({
        kind,
        documentId,
        ...numbering,
        issuedAt: execution.at,
        settlement,
        ...parts,
        lines,
        taxAmount: kind === "report" ? null : settlement.taxAmount,
        buyer: buyer ?? null,
        cancels,
        // Read again, so that the file has what a later download in this syntax has.
        eInvoice: ubl instanceof Uint8Array ? EInvoice.writeCii(EInvoice.read(ubl)) : null,
      });
      yield* bytesOf.put(customerId, documentId, bytes);
      const eInvoice = yield* putEInvoice(customerId, eInvoiceId, ubl);
      // Rendering may take minutes. What is stored has its date from now, as a period that has become final cannot change.
      const linking = { ...execution, at: yield* Clock.currentTimeMillis };
      const record = documentOf(settlement, kind, {
        id: documentId,
        revision: 1,
        number: numbering.number,
        fileName: `${Document.slug(kind)}-${settlement.id}.${extension}`,
        mediaType: sniff(bytes).mediaType,
        byteLength: bytes.length,
        sha256: yield* digest.sha256Hex(bytes),
        createdAt: execution.at,
        issuedOn: numbering.issuedOn,
        ...eInvoice,
      });
      const problems = eInvoice.eInvoice?.type === "not_made" ? eInvoice.eInvoice.problems : [];
      const changes = [change, Save.flat("document", linking, record)];
      return { linking, facts: factsOf(kind, numbering), problems, requires: [unchanged], changes };
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
          const { linking, facts, problems, requires, changes } = rendered;
          const command = linkCommand(kind, {
            documentId,
            origin: "worker",
            facts,
            eInvoiceProblems: problems,
          });
          const linked = yield* transition(linking, settlement, { command, policy, requires, changes });
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
