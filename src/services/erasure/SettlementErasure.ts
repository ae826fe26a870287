/** Erases the personal data of settlements: the partner as it was approved, documents, payments and texts. */
import { Clock, Effect } from "effect";
import { dateOf } from "../../domain/CalendarDate.ts";
import type { Document } from "../../domain/Document.ts";
import type { Entry } from "../../domain/Event.ts";
import { DocumentId, type SettlementId } from "../../domain/Ids.ts";
import type { BankPayment } from "../../domain/PaymentFile.ts";
import * as PersonalData from "../../domain/PersonalData.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import type { Settlement, SettlementEvent } from "../../domain/Settlement.ts";
import type { Change, StorageError, Versioned } from "../../ports/Storage.ts";
import { type Decision, type Execution, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { Content, Erasure, Task, Tools } from "./Erasure.ts";
import { readPlaces } from "./FeedPlaces.ts";
import { type Erasing, eraseRecord, isShown } from "./Redaction.ts";

type Row = Versioned<Settlement>;
type Log = ReadonlyArray<Entry<SettlementEvent>>;

/** What belongs to a settlement in addition to its row. */
interface Beside {
  readonly log: Log;
  readonly documents: ReadonlyArray<Versioned<Document>>;
  readonly payments: ReadonlyArray<Versioned<BankPayment>>;
}

const besideOf = ({ storage }: Tools, { customerId, id }: Row, log: Log) =>
  Effect.gen(function* () {
    const references = log.flatMap(({ event }) =>
      event.type === "initiate_payment" ? [event.payment_reference] : [],
    );
    return {
      log,
      documents: yield* storage.documentsOf(customerId, id),
      payments: references.length === 0 ? [] : yield* storage.find(customerId, "bankPayment", references),
    };
  });

const contentsOf = ({ approval }: Row, { log, documents, payments }: Beside, task: Task) => [
  ...(approval === null ? [] : ["partner_data" as const]),
  ...(documents.length === 0 ? [] : ["documents" as const]),
  ...(payments.length === 0 ? [] : ["payments" as const]),
  ...(isShown(log, task.subject) ? ["texts" as const] : []),
];

/** The uploaded documents among those that a log links. */
const uploadsIn = (log: Log): ReadonlySet<string> =>
  new Set(
    log.flatMap(({ event }) => {
      switch (event.type) {
        case "link_report":
          return event.stored?.uploaded === true ? [event.report_reference] : [];
        case "link_invoice":
          return event.stored.uploaded === true ? [event.invoice_reference] : [];
        case "link_credit_note":
          return event.stored.uploaded === true ? [event.credit_note_reference] : [];
        default:
          return [];
      }
    }),
  );

const changesOf = (
  erasing: Erasing,
  execution: Execution,
  row: Row,
  { log, documents, payments }: Beside,
): Effect.Effect<ReadonlyArray<Change>, Refusal> => {
  const uploads = uploadsIn(log);
  return Effect.map(eraseRecord(erasing, execution, { kind: "settlement", row, log }), (changes) => [
    ...changes,
    ...documents.map((document) =>
      Save.flat("document", execution, PersonalData.leftOfDocument(document, uploads.has(document.id))),
    ),
    ...payments.map((payment) => Save.flat("bankPayment", execution, PersonalData.leftOfPayment(payment))),
  ]);
};

/** Removes the bytes of documents whose records say that they were erased; again where an earlier try was cut short. */
const removeBytes = ({ storage, bytes }: Tools, { customerId, id }: Row): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    for (const document of yield* storage.documentsOf(customerId, id)) {
      if (document.isErased !== true) continue;
      yield* bytes.remove(customerId, document.id);
      if (document.eInvoice?.type === "made")
        yield* bytes.remove(customerId, DocumentId.make(document.eInvoice.id));
    }
  });

interface Examined {
  readonly kept: PersonalData.Kept | null;
  readonly contents: ReadonlyArray<Content>;
}

/** Erases one settlement, unless something has happened to it since it was listed. */
const erase = (erasing: Erasing, id: SettlementId): Effect.Effect<Examined, Refusal | StorageError> => {
  const { tools, task } = erasing;
  const { storage, pipeline, retentionYears } = tools;
  const { customerId, caller } = task;
  return pipeline.run(customerId, caller, {}, (execution) =>
    Effect.gen(function* () {
      const [settlement] = yield* storage.find(customerId, "settlement", [id]);
      const [logged] = yield* storage.settlementLogs(customerId, [id]);
      if (settlement === undefined || logged === undefined || settlement.erasedAt !== null)
        return noEffect<Examined>({ kept: null, contents: [] });
      const beside = yield* besideOf(tools, settlement, logged.log);
      const contents = contentsOf(settlement, beside, task);
      const kept = PersonalData.keptOfSettlement(settlement, dateOf(execution.at), retentionYears);
      if (kept !== null || contents.length === 0) return noEffect<Examined>({ kept, contents });
      const changes = yield* changesOf(erasing, execution, settlement, beside);
      return { result: { kept, contents }, requires: [], changes } satisfies Decision<Examined>;
    }),
  );
};

/** Erases what may be erased of settlements. Lists those that have something, of which some are kept. */
export const eraseSettlements = (
  tools: Tools,
  task: Task,
  settlements: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<Erasure>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const { storage, relay, retentionYears } = tools;
    const { customerId, subject, isDryRun } = task;
    const today = dateOf(yield* Clock.currentTimeMillis);
    const ids = settlements.map(({ id }) => id);
    const logs = new Map((yield* storage.settlementLogs(customerId, ids)).map(({ id, log }) => [id, log]));
    const shown = ids.filter((id) => isShown(logs.get(id) ?? [], subject));
    const find = yield* readPlaces(storage, relay, customerId, isDryRun ? [] : shown);
    const examine = (settlement: Row): Effect.Effect<Examined, Refusal | StorageError> => {
      const { id, erasedAt } = settlement;
      if (erasedAt !== null) return Effect.succeed({ kept: null, contents: [] });
      const kept = PersonalData.keptOfSettlement(settlement, today, retentionYears);
      return isDryRun || kept !== null
        ? Effect.map(besideOf(tools, settlement, logs.get(id) ?? []), (beside) => ({
            kept,
            contents: contentsOf(settlement, beside, task),
          }))
        : erase({ tools, task, find }, id);
    };
    const erasures: Array<Erasure> = [];
    for (const settlement of settlements) {
      const { contents, kept } = yield* examine(settlement);
      if (!isDryRun && kept === null) yield* removeBytes(tools, settlement);
      if (contents.length > 0)
        erasures.push({ recordType: "settlement", recordId: settlement.id, contents, kept });
    }
    return erasures;
  });
