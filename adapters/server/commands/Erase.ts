/** `quittance erase`: erases personal data. */
import type { Command } from "commander";
import { Effect } from "effect";
import { print, printTable } from "../Output.ts";
import { type Declare, load, type Shell, type Task, withJson } from "../Shell.ts";
import type { Reply, Target } from "../Target.ts";
import { withTarget } from "./Keys.ts";

interface Erasure {
  readonly record_type: string;
  readonly record_id: string;
  readonly contents: ReadonlyArray<string>;
  readonly kept: { readonly reason: string; readonly until: string | null } | null;
}

interface PartnerErasure {
  readonly records: ReadonlyArray<Erasure>;
  readonly next_page: number | null;
}

interface PartnerOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

type Work = (target: Target, module: typeof import("../Target.ts")) => Task;

const onTarget = (command: Command, shell: Shell, work: Work): Task =>
  load(
    () => import("../Target.ts"),
    (module) => module.onTarget(command, shell, (target) => work(target, module), true),
  );

const resultOf = ({ kept }: Erasure, isDryRun: boolean): string => {
  if (kept === null) return isDryRun ? "would be erased" : "erased";
  return kept.until === null ? `kept: ${kept.reason}` : `kept until ${kept.until}: ${kept.reason}`;
};

const rowOf = (erasure: Erasure, isDryRun: boolean): ReadonlyArray<string> => [
  erasure.record_type,
  erasure.record_id,
  erasure.contents.join(", "),
  resultOf(erasure, isDryRun),
];

const partner =
  (
    id: string,
    { dryRun = false, json = false }: { readonly [Name in keyof PartnerOptions]?: boolean },
  ): Work =>
  (target, { expectStatus }) =>
    Effect.gen(function* () {
      const records: Array<Erasure> = [];
      let page: number | null = 1;
      while (page !== null) {
        const path = `partners/${encodeURIComponent(id)}/erase`;
        const reply: Reply = yield* target.request("POST", path, { dry_run: dryRun, page });
        const erased: PartnerErasure = yield* expectStatus<PartnerErasure>(
          reply,
          200,
          "nothing more was erased",
        );
        records.push(...erased.records);
        page = erased.next_page;
      }
      if (json)
        return yield* Effect.forEach(records, (record) => print(JSON.stringify(record)), { discard: true });
      if (records.length === 0) return yield* print("there is no personal data");
      const rows = records.map((record) => rowOf(record, dryRun));
      return yield* printTable(["record", "id", "personal data", "result"], rows);
    });

const events =
  (customer: string, cursors: ReadonlyArray<string>): Work =>
  (target, { expectStatus }) =>
    Effect.gen(function* () {
      const reply = yield* target.request("POST", "events/erase", { customer_id: customer, cursors });
      const { erased } = yield* expectStatus<{ readonly erased: number }>(reply, 200, "nothing was erased");
      yield* print(`erased ${erased} of ${cursors.length}`);
    });

export const declare: Declare = (program, shell) => {
  const erase = program
    .command("erase")
    .summary("erase personal data")
    .description(
      "Erases personal data, on a store directly or on a server, with the admin token or another platform credential. It cannot be undone.",
    );
  const ofPartner = withJson(withTarget(erase.command("partner")))
    .summary("erase the personal data of a partner")
    .description(
      "Erases the personal data of a partner, as far as nothing has to be kept, and prints what was erased and what is kept, with the reason.",
    )
    .argument("<id>", "the id of the partner")
    .option("--dry-run", "show what would be erased, and erase nothing");
  ofPartner.action((id: string, options: PartnerOptions) =>
    shell.run(onTarget(ofPartner, shell, partner(id, options))),
  );
  const ofFeed = withTarget(erase.command("events"))
    .summary("erase entries of the event feed")
    .description(
      "Takes the events of these entries out of the event feed. Their records do not change, and the chain of hashes still holds.",
    )
    .argument("<cursors...>", "the cursors of the entries, as the feed shows them")
    .requiredOption("--customer <id>", "the customer whose feed it is");
  ofFeed.action((cursors: ReadonlyArray<string>, { customer }: { readonly customer: string }) =>
    shell.run(onTarget(ofFeed, shell, events(customer, cursors))),
  );
};
