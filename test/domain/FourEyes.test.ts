/** Four eyes: the limit that holds for a draft, whatever becomes of the policy. */

import { Currency, Event, FourEyes, SettlementPolicy } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const EUR = Currency.Currency.make("EUR");
const USD = Currency.Currency.make("USD");

type Amounts = SettlementPolicy.AmountByCurrency | null;

const write = (
  at: number,
  person: string,
  fourEyesAbove: Amounts,
): Event.Entry<SettlementPolicy.PolicyEvent> => {
  const [customerId, workspaceId] = [Build.fresh.customer(), Build.fresh.workspace()];
  const id = SettlementPolicy.policyId(customerId, workspaceId, null);
  const place = { id, customerId, workspaceId, partnerId: null };
  const terms = { ...SettlementPolicy.NO_OVERRIDE, fourEyesAbove };
  const by = { actor: `${person}'s key`, person };
  const [event] = SettlementPolicy.write(place, null, terms, { ...by, at });
  if (event === undefined) throw new Error("terms that are no event");
  return Event.entryOf(by, at, event);
};

describe("the changes of a limit", () => {
  it("follow the workspace, until the partner has limits of its own", () => {
    const workspace = [write(1, "ada", { EUR: 500 }), write(3, "bo", { EUR: 700, USD: 9 })];
    const own = [write(2, "cy", { EUR: 100 }), write(4, "dan", null)];
    expect(FourEyes.limitChanges(workspace, own, EUR)).toEqual([
      { at: 1, person: "ada", limit: 500 },
      { at: 2, person: "cy", limit: 100 },
      { at: 4, person: "dan", limit: 700 },
    ]);
    expect(FourEyes.limitChanges(workspace, own, USD)).toEqual([{ at: 4, person: "dan", limit: 9 }]);
  });

  it("are not those of other terms, or of other currencies", () => {
    const workspace = [write(1, "ada", { EUR: 500 }), write(2, "bo", { EUR: 500, USD: 1 })];
    expect(FourEyes.limitChanges(workspace, [], EUR)).toEqual([{ at: 1, person: "ada", limit: 500 }]);
    expect(FourEyes.limitChanges([write(1, "ada", {})], [], EUR)).toEqual([]);
  });
});

describe("the limit of a draft", () => {
  const limit = (
    changes: ReadonlyArray<readonly [at: number, person: string, limit: number | null]>,
    createdBy = "ada",
  ) =>
    FourEyes.strictestLimit(
      changes.map(([at, person, limit]) => ({ at, person, limit })),
      { createdAt: 10, createdBy },
    );

  it.each([
    ["none where none was ever written", [], null],
    ["that of its creation", [[1, "bo", 500]], 500],
    [
      "that of its creation, where it was raised since",
      [
        [1, "bo", 500],
        [11, "cy", 900],
      ],
      500,
    ],
    [
      "that of its creation, where it was removed since",
      [
        [1, "bo", 500],
        [11, "cy", null],
      ],
      500,
    ],
    [
      "a lower one since",
      [
        [1, "bo", 500],
        [11, "cy", 300],
        [12, "cy", 900],
      ],
      300,
    ],
    ["one that was introduced since", [[11, "bo", 500]], 500],
    [
      "the last of those before",
      [
        [1, "bo", 500],
        [2, "cy", 900],
      ],
      900,
    ],
    [
      "one that somebody has removed before",
      [
        [1, "bo", 500],
        [2, "cy", null],
      ],
      null,
    ],
    [
      "not what its creator made of it",
      [
        [1, "bo", 500],
        [2, "ada", 900],
        [3, "ada", null],
      ],
      500,
    ],
    [
      "not what its creator made of it, then restored",
      [
        [1, "bo", 500],
        [2, "ada", null],
        [11, "ada", 500],
      ],
      500,
    ],
    [
      "a lower one of its creator",
      [
        [1, "bo", 500],
        [2, "ada", 300],
      ],
      300,
    ],
    [
      "the creator's own, where nobody else has written any",
      [
        [1, "ada", 500],
        [2, "ada", null],
      ],
      500,
    ],
    [
      "what somebody else has written after its creator",
      [
        [1, "bo", 500],
        [2, "ada", null],
        [3, "bo", 800],
      ],
      800,
    ],
  ] as const)("%s", (_words, changes, expected) => expect(limit(changes)).toBe(expected));
});

describe("who has changed the limit since the draft", () => {
  it("is whoever wrote it after the creation", () => {
    const changes = [
      { at: 10, person: "bo", limit: 500 },
      { at: 11, person: "cy", limit: 900 },
    ];
    const draft = { createdAt: 10 };
    expect(["bo", "cy", "ada"].map((person) => FourEyes.hasChangedLimit(changes, draft, person))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
