/** Links of partners to their uplines: who manages or recruited whom, in which role, from when to when. */
import { Either, Schema } from "effect";
import { Role, SELLER } from "./Credit.ts";
import { type Actor, type Entry, type ShownActor, shownActor } from "./Event.ts";
import { key, means, optionalKey } from "./Field.ts";
import { type CustomerId, LinkSetId, PartnerId, type PartnerLinkId, type WorkspaceId } from "./Ids.ts";
import { UPLINE_DEPTH_MAX } from "./Limits.ts";
import { namedId } from "./NamedId.ts";
import { type Conflict, conflict, type Invalid, invalid } from "./Refusal.ts";
import { DateTime, format, type Timestamp } from "./Timestamp.ts";

/** The role of an upline, such as `manager` or `recruiter`; compared exactly. */
export const UplineRole = Role.pipe(
  Schema.filter((role) => role !== SELLER || `must not be ${SELLER}: sellers have no upline in this role`),
);

const NOT_BEFORE_START = "must not be before start_datetime";

/** What creating a link takes. */
export const Create = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner."),
  uplinePartnerId: key(
    PartnerId,
    "upline_partner_id",
    "Another partner of the same workspace, who is directly above the partner in this role.",
  ),
  role: UplineRole.pipe((role) =>
    key(role, "role", "The role of the upline, such as manager or recruiter; not seller.", "manager"),
  ),
  startDatetime: optionalKey(
    DateTime,
    "start_datetime",
    "Inclusive: the link holds for sales that occurred at this moment or later; now by default.",
  ),
  endDatetime: optionalKey(
    Schema.NullOr(DateTime),
    "end_datetime",
    "Exclusive: the link holds for sales that occurred before this moment. Null or absent: no end.",
  ),
}).pipe(
  Schema.filter(({ partnerId, uplinePartnerId, startDatetime, endDatetime }) => {
    if (partnerId === uplinePartnerId)
      return { path: ["upline_partner_id"], message: "must be another partner than partner_id" };
    return startDatetime === undefined || endDatetime == null || startDatetime <= endDatetime
      ? true
      : { path: ["end_datetime"], message: NOT_BEFORE_START };
  }),
);
export type Create = typeof Create.Type;

/** What updating a link takes; an absent end stays as it is. */
export const Update = Schema.Struct({
  endDatetime: optionalKey(
    Schema.NullOr(DateTime),
    "end_datetime",
    "Exclusive; null: no end. The start itself withdraws the link: it never held.",
  ),
});
export type Update = typeof Update.Type;

/** What a link states: its event, its record and its responses have these fields. */
export const Stated = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner."),
  uplinePartnerId: key(PartnerId, "upline_partner_id", "The partner directly above."),
  role: Schema.String.pipe(means("The role of the upline, such as manager.")),
  startDatetime: key(DateTime, "start_datetime", "Inclusive."),
  endDatetime: key(Schema.NullOr(DateTime), "end_datetime", "Exclusive; null without an end."),
});
type Stated = typeof Stated.Type;

/** The part of a link that its events change. */
export interface View extends Pick<Stated, "startDatetime" | "endDatetime"> {
  readonly createdAt: Timestamp;
}

/** A link as stored. */
export interface PartnerLink extends View, Pick<Stated, "partnerId" | "uplinePartnerId" | "role"> {
  readonly id: PartnerLinkId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
}

/** What decides the chains of partners. */
export type Link = Stated & Pick<PartnerLink, "id">;

/** What can happen to a link. */
export type LinkEvent =
  | (typeof Stated.Encoded & { readonly type: "create_partner_link"; readonly actor: ShownActor })
  | (Pick<typeof Stated.Encoded, "end_datetime"> & {
      readonly type: "update_partner_link";
      readonly actor: ShownActor;
    });

/** The links of a workspace as a whole. Every command on one of them saves it, so that no two decide at the same time. */
export interface LinkSet {
  readonly id: LinkSetId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
}

/** The id of a workspace's set of links. The customer is part of it, because two customers may choose one id for a workspace. */
export const linkSetId = (customerId: CustomerId, workspaceId: WorkspaceId): LinkSetId =>
  LinkSetId.make(namedId("partner links", customerId, workspaceId));

const textOrNull = (moment: Timestamp | null): string | null => (moment === null ? null : format(moment));
const momentOrNull = (text: string | null): Timestamp | null => (text === null ? null : Date.parse(text));

/** The event of a new link whose place was checked. */
export const create = (link: Omit<Link, "id">, by: Actor): LinkEvent => ({
  type: "create_partner_link",
  actor: shownActor(by),
  partner_id: link.partnerId,
  upline_partner_id: link.uplinePartnerId,
  role: link.role,
  start_datetime: format(link.startDatetime),
  end_datetime: textOrNull(link.endDatetime),
});

/** The events of a link that gets another end; none when it has this end. */
export const update = (
  link: Pick<Link, "endDatetime">,
  endDatetime: Timestamp | null,
  by: Actor,
): ReadonlyArray<LinkEvent> =>
  link.endDatetime === endDatetime
    ? []
    : [{ type: "update_partner_link", actor: shownActor(by), end_datetime: textOrNull(endDatetime) }];

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<LinkEvent>): View => {
  if (event.type === "create_partner_link")
    return {
      startDatetime: Date.parse(event.start_datetime),
      endDatetime: momentOrNull(event.end_datetime),
      createdAt: at,
    };
  if (state === null) throw new Error("the log of a link begins with create_partner_link");
  return { ...state, endDatetime: momentOrNull(event.end_datetime) };
};

/** Succeeds when the end is not before the start; where both are the same, the link never holds. */
export const checkDates = (
  startDatetime: Timestamp,
  endDatetime: Timestamp | null,
): Either.Either<void, Invalid> =>
  endDatetime !== null && endDatetime < startDatetime
    ? Either.left(invalid("end_datetime", NOT_BEFORE_START))
    : Either.void;

/** True if a link holds at a moment. */
export const covers = (
  { startDatetime, endDatetime }: Pick<Link, "startDatetime" | "endDatetime">,
  moment: Timestamp,
): boolean => startDatetime <= moment && (endDatetime === null || moment < endDatetime);

/** Chooses the links that may hold at a moment of a span; both its ends belong to it. */
export const holdsWithin =
  (from: Timestamp, to: number) =>
  ({ startDatetime, endDatetime }: Pick<Link, "startDatetime" | "endDatetime">): boolean =>
    startDatetime <= to && (endDatetime === null || endDatetime > from);

/** A span of time that is not empty; `to` is exclusive. */
interface Span {
  readonly from: Timestamp;
  readonly to: number;
}

const spanOf = ({ startDatetime, endDatetime }: Pick<Link, "startDatetime" | "endDatetime">): Span => ({
  from: startDatetime,
  to: endDatetime ?? Number.POSITIVE_INFINITY,
});

const intersect = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) });
const isEmpty = ({ from, to }: Span): boolean => from >= to;

/** The links by a key, in the order in which they are given. */
export const groupBy = <Key extends string>(
  links: ReadonlyArray<Link>,
  keyOf: (link: Link) => Key,
): ReadonlyMap<Key, ReadonlyArray<Link>> => {
  const groups = new Map<Key, Array<Link>>();
  for (const link of links) {
    const group = groups.get(keyOf(link));
    if (group === undefined) groups.set(keyOf(link), [link]);
    else group.push(link);
  }
  return groups;
};

/** The partners above another one during a span, nearest first. */
interface Ascent {
  readonly span: Span;
  readonly partners: ReadonlyArray<PartnerId>;
}

/**
 * The chain above a partner at every instant of a span. It stops at `last`, which it may meet, and one partner beyond the most
 * that a chain may have, so that it also ends in a store that is damaged.
 */
const ascentsOf = (
  walk: { readonly uplines: ReadonlyMap<string, ReadonlyArray<Link>>; readonly last: PartnerId },
  partnerId: PartnerId,
  span: Span,
  room = UPLINE_DEPTH_MAX,
): ReadonlyArray<Ascent> => {
  const { uplines, last } = walk;
  const links = (uplines.get(partnerId) ?? [])
    .map((link) => ({ link, common: intersect(spanOf(link), span) }))
    .filter(({ common }) => !isEmpty(common))
    .toSorted((a, b) => a.common.from - b.common.from);
  const ascents: Array<Ascent> = [];
  let { from } = span;
  const none = (to: number) => {
    if (from < to) ascents.push({ span: { from, to }, partners: [] });
  };
  for (const { link, common } of links) {
    none(common.from);
    const upline = link.uplinePartnerId;
    const above =
      upline === last || room === 0
        ? [{ span: common, partners: [] }]
        : ascentsOf(walk, upline, common, room - 1);
    for (const ascent of above) ascents.push({ span: ascent.span, partners: [upline, ...ascent.partners] });
    from = common.to;
  }
  none(span.to);
  return ascents;
};

/** The partners below another one that are the most links away at an instant of the spans, beginning with the lowest. */
const deepest = (
  downlines: ReadonlyMap<string, ReadonlyArray<Link>>,
  partnerId: PartnerId,
  span: Span,
  above: ReadonlyArray<Ascent>,
): ReadonlyArray<PartnerId> => {
  let chain: ReadonlyArray<PartnerId> = [];
  const visit = (at: PartnerId, during: Span, below: ReadonlyArray<PartnerId>): void => {
    const path = [...below, at];
    for (const ascent of above) {
      const length = path.length + ascent.partners.length;
      if (length > chain.length && !isEmpty(intersect(ascent.span, during)))
        chain = [...path.toReversed(), ...ascent.partners];
    }
    for (const link of downlines.get(at) ?? []) {
      const common = intersect(spanOf(link), during);
      if (!isEmpty(common)) visit(link.partnerId, common, path);
    }
  };
  visit(partnerId, span, []);
  return chain;
};

/** Why a link cannot have its place; the chain is that of the partners concerned, from below to above. */
export interface Misplaced {
  readonly type: "overlap" | "loop" | "depth";
  readonly chain: ReadonlyArray<PartnerId>;
}

/**
 * Why a link cannot have its place among other links of its role, which were checked before; null when it can. At every instant
 * a partner has at most one upline in a role, no chain meets itself, and no chain has more than 16 links. Links of other
 * partners matter only if they are above the upline or below the partner.
 */
export const findMisplaced = (others: ReadonlyArray<Link>, link: Link): Misplaced | null => {
  const span = spanOf(link);
  if (isEmpty(span)) return null;
  const { partnerId, uplinePartnerId, role } = link;
  const rest = others.filter((other) => other.role === role && other.id !== link.id);
  const uplines = groupBy(rest, (other) => other.partnerId);
  const own = (uplines.get(partnerId) ?? []).find((other) => !isEmpty(intersect(spanOf(other), span)));
  if (own !== undefined) return { type: "overlap", chain: [partnerId, own.uplinePartnerId] };
  const above = ascentsOf({ uplines, last: partnerId }, uplinePartnerId, span).map((ascent) => ({
    span: ascent.span,
    partners: [uplinePartnerId, ...ascent.partners],
  }));
  const loop = above.find(({ partners }) => partners[partners.length - 1] === partnerId);
  if (loop !== undefined) return { type: "loop", chain: [partnerId, ...loop.partners] };
  const downlines = groupBy(rest, (other) => other.uplinePartnerId);
  const chain = deepest(downlines, partnerId, span, above);
  return chain.length - 1 > UPLINE_DEPTH_MAX ? { type: "depth", chain } : null;
};

/** The refusal of a link without a place. `nameOf` names a partner, so that no id is shown to a caller who may not see it. */
export const misplaced = (
  { type, chain }: Misplaced,
  role: string,
  nameOf: (id: PartnerId) => string,
): Conflict => {
  const names = chain.map(nameOf);
  if (type === "overlap")
    return conflict(
      "link_overlap",
      `the partner has ${names[1]} as ${role} at a moment of the link; a partner has one upline of a role at a time`,
    );
  return type === "loop"
    ? conflict("link_loop", `the chain of the role ${role} would meet itself: ${names.join(" → ")}`)
    : conflict(
        "link_depth",
        `the chain of the role ${role} would have ${chain.length - 1} links, more than ${UPLINE_DEPTH_MAX}: ${names.join(" → ")}`,
      );
};
