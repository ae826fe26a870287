/** What erasing reports of a record, and what it works with. */
import type { CustomerId } from "../../domain/Ids.ts";
import type { Kept, Subject } from "../../domain/PersonalData.ts";
import type { DigestService } from "../../ports/Digest.ts";
import type { DocumentStoreService } from "../../ports/Documents.ts";
import type { Feed, Records, Reporting, Settling } from "../../ports/Storage.ts";
import type { Caller, PipelineService } from "../commands/Pipeline.ts";
import type { Relay } from "../feed/Relay.ts";

/** What a record may have of a person. */
export const CONTENTS = ["partner_data", "documents", "payments", "texts", "names"] as const;
export type Content = (typeof CONTENTS)[number];

/** The records that are erased for a partner. */
export const RECORD_TYPES = [
  "partner",
  "settlement",
  "commission_formula",
  "plan_acceptance",
  "api_key",
] as const;

/** What was erased of a record, or why it is kept. */
export interface Erasure {
  readonly recordType: (typeof RECORD_TYPES)[number];
  readonly recordId: string;
  readonly contents: ReadonlyArray<Content>;
  /** Null when it was erased, or would be in a dry run. */
  readonly kept: Kept | null;
}

/** What erasing works with. */
export interface Tools {
  readonly storage: Records & Settling & Reporting & Feed;
  readonly bytes: DocumentStoreService;
  readonly digest: DigestService;
  readonly pipeline: PipelineService;
  /** Null where no feed is kept. */
  readonly relay: Relay | null;
  readonly retentionYears: number;
}

/** Whose data is erased, by whom. */
export interface Task {
  readonly customerId: CustomerId;
  readonly subject: Subject;
  readonly caller: Caller;
  readonly isDryRun: boolean;
}
