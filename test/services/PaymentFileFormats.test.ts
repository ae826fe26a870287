/** The version in which a payment file was created stays that of the file, whatever is set later. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import {
  BillingProfiles,
  type Directory,
  type Documents,
  type Ids,
  type Outbox,
  PaymentFiles,
  PaymentProvider,
  Quittance,
  Settlements,
  Storage,
} from "quittance";
import { type SepaFormat, sepa, sepaWith } from "quittance/payouts";
import { Build, Scene } from "quittance/testing";
import { problemsOf } from "../payouts/Definition.ts";
import { DEBTOR } from "../payouts/Payers.ts";
import * as Given from "./Given.ts";

type Furnished = Effect.Effect.Success<ReturnType<typeof Given.approved>>;
type Ports = Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore;

const OLD = "pain.001.001.03";
const NEW = "pain.001.001.09";

/** Runs over an engine that pays by files, in this version at first. */
const rule = <A, E>(
  effect: Parameters<typeof Given.rule<A, E>>[0],
  format: SepaFormat,
): Effect.Effect<A, E> => {
  const provider = sepaWith({ format });
  return Given.rule(effect, { send: provider.send, provider });
};

/** Runs on the same store after the setting has changed. */
const withProvider = <A, E>(
  provider: PaymentProvider.PaymentProviderService,
  effect: Effect.Effect<A, E, PaymentFiles.PaymentFiles>,
) =>
  Effect.gen(function* () {
    const ports = yield* Effect.context<Ports>();
    const engine = Quittance.layer().pipe(
      Layer.provide([Given.RENDERER, Layer.succeed(PaymentProvider.PaymentProvider, provider)]),
      Layer.provide(Layer.succeedContext(ports)),
    );
    return yield* Effect.provide(effect, engine);
  });

/** A settlement whose payment was initiated, with an account to pay from. */
const initiated = Effect.gen(function* () {
  const scene = yield* Given.approved([10_000], { selfBilled: true });
  yield* (yield* BillingProfiles.BillingProfiles).write(scene.owner, {
    legalName: "Havn & Mark GmbH",
    address: Given.SELF_BILLING.address,
    vatNumber: "DE123456789",
    bankAccount: DEBTOR,
  });
  yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, scene.settlementId);
  return scene;
});

const create = ({ owner }: Furnished) =>
  Effect.flatMap(PaymentFiles.PaymentFiles, (files) => Effect.map(files.create(owner), ({ id }) => id));

const text = ({ owner }: Furnished, id: Ids.PaymentFileId) =>
  Effect.flatMap(PaymentFiles.PaymentFiles, ({ read }) =>
    Effect.map(read(owner, id), ({ bytes }) => new TextDecoder().decode(bytes)),
  );

const handOver = ({ owner }: Furnished, id: Ids.PaymentFileId) =>
  Effect.flatMap(PaymentFiles.PaymentFiles, (files) => files.handOver(owner, id));

describe("a payment file", () => {
  it.effect.each([
    [OLD, NEW],
    [NEW, OLD],
  ] as const)("that was created in %s stays the same when %s is set", ([format, other]) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        const written = yield* text(scene, id);
        expect(problemsOf(written, format)).toEqual([]);
        const later = sepaWith({ format: other });
        expect(yield* withProvider(later, text(scene, id))).toBe(written);
        yield* withProvider(later, handOver(scene, id));
        expect(yield* withProvider(later, text(scene, id))).toBe(written);
        expect(yield* text(scene, id)).toBe(written);
      }),
      format,
    ),
  );

  it.effect("of the same payment after the first was discarded is in the version that is set then", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const files = yield* PaymentFiles.PaymentFiles;
        const first = yield* create(scene);
        yield* files.discard(scene.owner, first, { reason: "the bank takes the older version" });
        yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, scene.settlementId);
        const later = sepaWith({ format: OLD });
        const second = yield* withProvider(later, create(scene));
        expect(problemsOf(yield* text(scene, second), OLD)).toEqual([]);
        expect(yield* Given.refusal(text(scene, first))).toContain("the file was discarded");
      }),
      NEW,
    ),
  );

  it.effect("that was created before versions were recorded is in 09, also when 03 is set", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        const written = yield* text(scene, id);
        const storage = yield* Storage.Storage;
        const [file] = yield* storage.find(scene.customerId, "paymentFile", [id]);
        if (file === undefined) return yield* Effect.dieMessage("the file was created");
        const { format, ...before } = file;
        expect(format).toBe(NEW);
        yield* Scene.commit(scene.customerId, [Build.flat("paymentFile", before)]);
        const [stored] = yield* storage.find(scene.customerId, "paymentFile", [id]);
        expect(stored).not.toHaveProperty("format");
        expect(yield* withProvider(sepaWith({ format: OLD }), text(scene, id))).toBe(written);
      }),
      NEW,
    ),
  );

  it.effect("in a format that the provider does not know is not written in another one", () => {
    if (sepa.files === null) throw new Error("SEPA pays by files");
    const files = { ...sepa.files, formatOf: () => null };
    return rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        const read = withProvider({ ...sepa, files }, text(scene, id));
        expect(yield* Given.refusal(read)).toBe(`payout_unavailable: files in ${NEW} cannot be written here`);
      }),
      NEW,
    );
  });
});
