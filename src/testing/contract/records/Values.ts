/** Laws of values: a store returns exactly the stored values, special characters and large numbers included. */
import { Effect } from "effect";
import { MAX_AMOUNT, NAME_MAX } from "../../../domain/Limits.ts";
import type { Properties } from "../../../domain/Properties.ts";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const PLAIN =
  "Rows, events and queries are plain JSON values, so that an adapter stores and returns them without any codec.";

const TEXTS = [
  "",
  " ",
  "\t\r\n",
  "'; DROP TABLE partner; --",
  "$1 $$ $tag$ :name ?",
  "back\\slash \\u0041 \\n",
  "\"quoted\" 'single' `tick`",
  "% _ * ? [a-z]",
  "{}[]<>&amp;",
  "\u0001\u001f\u007f\u0085\u2028\u2029",
  "e\u0301 é ﬁ İ ß ẞ Σς",
  "\u202eright to left\u202c عربى",
  "🦔👩‍👩‍👧‍👦\u{10ffff}\uffff",
  "null",
  '{"type":"injected"}',
  "x".repeat(4096),
];

const NUMBERS = [
  0, 1, -1, 0.1, -0.5, 1e15, -1e15, 1e-7, 1.5e-20, 123456.789, 0.30000000000000004, 999999999999999.9,
];

const NAMES = [
  "hasOwnProperty",
  "toString",
  "valueOf",
  "a b",
  "a.b",
  'a"b',
  "$ref",
  "é",
  "🦔",
  "0",
  "-1",
  "length",
  "id",
];

const properties = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const entries = [
    ...TEXTS.map((text, index): [string, string] => [`text ${index}`, text]),
    ...NUMBERS.map((number, index): [string, number] => [`number ${index}`, number]),
    ...NAMES.map((name): [string, boolean] => [name, name.length % 2 === 0]),
  ];
  const bag: Properties = Object.assign(Object.create(null), Object.fromEntries(entries));
  const saved = Build.attribution(scene, { properties: bag });
  yield* Scene.commit(scene.customerId, [saved]);
  const [found] = yield* storage.find(scene.customerId, "attribution", [saved.row.id]);
  yield* expectSame("an attribution's properties", found?.properties, { ...bag });
  const [entry] = yield* storage.log(scene.customerId, "attribution", saved.row.id);
  yield* expectSame("its first event", entry?.event, { type: "create_attribution", properties: { ...bag } });
  const query = Build.query({ where: { ids: [saved.row.id] } });
  const { items } = yield* storage.list(scene.customerId, "attribution", query);
  yield* expectSame(
    "the properties in a list",
    items.map((item) => item.properties),
    [{ ...bag }],
  );
});

const texts = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  for (const text of TEXTS.filter(({ length }) => length > 0 && length <= NAME_MAX)) {
    const partner = Build.partner(scene, { name: text });
    const attribution = Build.attribution(scene, { externalReference: text });
    const update = Build.next("attribution", attribution.row, [{ type: "cancel_attribution", reason: text }]);
    yield* Scene.commit(scene.customerId, [partner, attribution]);
    yield* Scene.commit(scene.customerId, [update]);
    const [found] = yield* storage.find(scene.customerId, "partner", [partner.row.id]);
    yield* expectSame("a name", found, partner.row);
    const referenced = yield* storage.findByExternalReferences(scene.customerId, [
      { schemaId: scene.schemaId, externalReference: text },
    ]);
    yield* expectSame("by its external reference", referenced, [update.row]);
  }
});

const amounts = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const edges = [0, 1, -1, MAX_AMOUNT, -MAX_AMOUNT, 2 ** 31, -(2 ** 31) - 1, 2 ** 52 + 1];
  const earned = yield* Scene.earn(scene, edges);
  for (const { commission } of earned) {
    const [found] = yield* storage.find(scene.customerId, "commission", [commission.id]);
    yield* expectSame(`a commission of ${commission.computedAmount}`, found, commission);
    const draft = yield* Scene.draft(scene, [commission]);
    const [stored] = yield* storage.find(scene.customerId, "settlement", [draft.id]);
    yield* expectSame(`a settlement of ${commission.computedAmount}`, stored, draft);
  }
});

const moments = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  for (const text of ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]) {
    const saved = Build.attribution(scene, { createdAt: Date.parse(text) });
    yield* Scene.commit(scene.customerId, [saved]);
    const found = yield* storage.find(scene.customerId, "attribution", [saved.row.id]);
    yield* expectSame(`created ${text}`, found, [saved.row]);
  }
});

/** Calendar days that are none, the UTC day, and others; each by itself and all in one commit. */
const calendarDays = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const saved = [null, "2026-01-01", "2026-01-02", "2025-12-31"].map((occurredOn) =>
    [0, 1].map(() => Build.attribution(scene, { createdAt: Date.parse("2026-01-01T12:00:00Z"), occurredOn })),
  );
  for (const [alone] of saved) if (alone !== undefined) yield* Scene.commit(scene.customerId, [alone]);
  yield* Scene.commit(
    scene.customerId,
    saved.flatMap(([, together = []]) => together),
  );
  for (const { row } of saved.flat()) {
    const found = yield* storage.find(scene.customerId, "attribution", [row.id]);
    yield* expectSame(`of the day ${row.occurredOnGiven}`, found, [row]);
  }
});

/** Credits of a sale, from plain ones to those with awkward roles; each sale by itself and all in one commit. */
const credits = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const sale = (role: string) => {
    const origin = Build.attribution(scene, { credit: { role: "seller", share: "1/3", depth: 0 } });
    const other = { role, share: "0.000001", depth: 16, further: true } as const;
    return [
      origin,
      Build.attribution(scene, { credit: other, originId: origin.row.id }),
      Build.attribution(scene, {
        credit: { role, share: "1/7", depth: 2, sellers: [scene.partnerId, Build.fresh.partner()] },
        originId: origin.row.id,
      }),
    ];
  };
  const saved = ["manager", 'a "b"\\\n,{}', "\u{1f600}"].map((role) => [sale(role), sale(role)]);
  for (const [alone = []] of saved) yield* Scene.commit(scene.customerId, alone);
  const together = saved.flatMap(([, sales = []]) => sales);
  yield* Scene.commit(scene.customerId, [...together, Build.attribution(scene)]);
  for (const { row } of saved.flat(2)) {
    const found = yield* storage.find(scene.customerId, "attribution", [row.id]);
    yield* expectSame(`of the role ${row.credit?.role}`, found, [row]);
  }
  const [first, second] = together;
  if (first === undefined || second === undefined) return;
  const changed = [first, second].map(({ row }) =>
    Build.next("attribution", row, [
      { type: "recredit_attribution", reason: "no", credit: { role: "manager", share: "1/20", depth: 3 } },
    ]),
  );
  yield* Scene.commit(scene.customerId, changed);
  for (const { row } of changed)
    yield* expectSame("that changed", yield* storage.find(scene.customerId, "attribution", [row.id]), [row]);
});

export const values: ReadonlyArray<Law> = [
  law(PLAIN, "properties of tricky names, texts and numbers", properties),
  law(PLAIN, "tricky texts in names, reasons and keys", texts),
  law(PLAIN, "amounts at their limits", amounts),
  law(PLAIN, "moments at their limits", moments),
  law(PLAIN, "calendar days of attributions", calendarDays),
  law(PLAIN, "credits of sales", credits),
];
