/** Splits text into runs of one font and one direction. */
import * as Bidi from "./Bidi.ts";
import * as Fonts from "./Fonts.ts";
import { memoize } from "./Memoize.ts";

/** A character as readers see it (a grapheme cluster), and the family that draws it. */
export interface Cluster {
  readonly text: string;
  /** Null when no font has it. */
  readonly family: Fonts.Family | null;
  /** Even from left to right, odd from right to left. */
  readonly level: number;
}

/** Text of one font, in the order that the library expects. */
export interface Run {
  readonly text: string;
  readonly family: Fonts.Family;
  /** True if the text must be laid out in one piece, because words from right to left would lose their spaces. */
  readonly isWhole: boolean;
}

const ELLIPSIS = "…";

/** ASCII text needs no analysis: every base font has its characters, and they run from left to right. */
export const isSimple = (text: string, base: Fonts.Family): boolean =>
  /^[\x20-\x7e]*$/.test(text) || (/^[\x20-\x7e…]*$/.test(text) && base.covers(codePointsOf(ELLIPSIS)));

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Joiners change the letters next to them; other ignorable characters would appear as a box or a hyphen. */
const JOINERS = /[\u200c\u200d]/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** The layout library reverses these digits, although numbers run from left to right. */
const REVERSED_DIGIT = /[\u0660-\u0669\u066b\u066c\u06f0-\u06f9]/;
const NEUTRAL = /^[\p{P}\p{Z}\p{S}]+$/u;

const codePointsOf = (text: string): ReadonlyArray<number> =>
  [...text].map((character) => character.codePointAt(0) ?? 0);

const visibleText = (text: string): string =>
  [...text].filter((character) => !IGNORABLE.test(character)).join("");

/** The properties of a cluster that do not depend on the text around it. */
const factsOf = memoize((cluster: string) => ({
  isVisible: visibleText(cluster) !== "",
  isNeutral: NEUTRAL.test(cluster),
  isRightToLeft: RIGHT_TO_LEFT.test(cluster),
  hasReversedDigit: REVERSED_DIGIT.test(cluster),
}));

const drawableText = (text: string, family: Fonts.Family): string =>
  [...text]
    .filter(
      (character) =>
        !IGNORABLE.test(character) || (JOINERS.test(character) && family.covers(codePointsOf(character))),
    )
    .join("");

type AssignedCluster = Pick<Cluster, "text" | "family">;

/** The cluster in the first font that has all its characters; else each character in a font of its own. */
const assign = (
  families: ReadonlyArray<Fonts.Family>,
  cluster: string,
  text: string,
  beside: Fonts.Family | null,
): ReadonlyArray<AssignedCluster> => {
  for (const form of [cluster, cluster.normalize("NFC")]) {
    const visibleForm = visibleText(form);
    const codePoints = codePointsOf(visibleForm);
    const preferredFamilies = Fonts.preferredFamilies(families, visibleForm, text);
    const family = [...(beside === null ? [] : [beside]), ...preferredFamilies].find(({ covers }) =>
      covers(codePoints),
    );
    if (family !== undefined) return [{ text: drawableText(form, family), family }];
  }
  const characters = [...visibleText(cluster)];
  return characters.length > 1
    ? characters.flatMap((character) => assign(families, character, text, null))
    : [{ text: cluster, family: null }];
};

/** Scripts by which a text selects the font of characters that East Asian languages share. */
const HINTS = [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, /\p{Script=Bopomofo}/u, /\p{Script=Hangul}/u];

/** The number of assignments that are cached for each list of families; a document of random letters has more. */
const ASSIGNED_MAX = 100_000;
const assignments = new WeakMap<ReadonlyArray<Fonts.Family>, Map<string, ReadonlyArray<AssignedCluster>>>();

/** Assigns the clusters of a text; choosing a font takes longer than a look-up in the cache. */
const assigner = (families: ReadonlyArray<Fonts.Family>, text: string) => {
  const cache = assignments.get(families) ?? new Map<string, ReadonlyArray<AssignedCluster>>();
  assignments.set(families, cache);
  const hints = HINTS.map((script) => (script.test(text) ? "1" : "0")).join("");
  return (cluster: string, beside: Fonts.Family | null): ReadonlyArray<AssignedCluster> => {
    const key = `${hints}${beside?.name ?? ""} ${cluster}`;
    const found = cache.get(key);
    if (found !== undefined) return found;
    if (cache.size >= ASSIGNED_MAX) cache.clear();
    const assignedClusters = assign(families, cluster, text, beside);
    cache.set(key, assignedClusters);
    return assignedClusters;
  };
};

/** The clusters of a text in reading order, each with its font and direction. White space becomes a space; a no-break space stays one. */
export const clustersOf = (families: ReadonlyArray<Fonts.Family>, value: string): ReadonlyArray<Cluster> => {
  const text = value.replace(/[^\S\u00a0]/gu, " ").replace(/\p{Cc}/gu, "");
  const parts = Array.from(graphemes.segment(text), ({ segment }) => ({ segment, facts: factsOf(segment) }));
  const levels = Bidi.levelsOf(text);
  const assignCluster = assigner(families, text);
  let beside: Fonts.Family | null = null;
  let index = 0;
  return parts.flatMap(({ segment, facts }) => {
    const level = levels[index] ?? 0;
    index += segment.length;
    if (!facts.isVisible) return [];
    // Characters between words from right to left use the font of those words; others prefer the base font.
    const isBetween: boolean = level % 2 === 1 && facts.isNeutral;
    const clusters = assignCluster(segment, isBetween ? beside : null);
    if (facts.isRightToLeft) beside = clusters[0]?.family ?? null;
    return clusters.map(({ text, family }) => ({ text, family, level }));
  });
};

const isAlone = ({ text, level }: Cluster): boolean =>
  level % 2 === 1 ? Bidi.mirrorOf(text) !== null : factsOf(text).hasReversedDigit;

/** The text for a run from right to left; a font may lack the mirrored character. */
const mirrored = (text: string, family: Fonts.Family): string => {
  const mirror = Bidi.mirrorOf(text);
  return mirror !== null && family.covers(codePointsOf(mirror)) ? mirror : text;
};

/** The run of neighbours of one family and level; throws when they have no font. */
const makeRun = (clusters: ReadonlyArray<Cluster>, { text, family, level }: Cluster): Run => {
  if (family === null) throw new Error(`no font has ${text}`);
  const isRightToLeft = level % 2 === 1;
  const isReversedByLibrary = clusters.some((cluster) => factsOf(cluster.text).isRightToLeft);
  const texts = clusters.map((cluster) => (isRightToLeft ? mirrored(cluster.text, family) : cluster.text));
  if (isRightToLeft && isReversedByLibrary) texts.reverse();
  return { text: texts.join(""), family, isWhole: isRightToLeft || isReversedByLibrary };
};

/** The run of a cluster by itself; throws when it has no font. */
export const runOf = (cluster: Cluster): Run => makeRun([cluster], cluster);

/**
 * The runs of a line from left to right, given its clusters in reading order. The layout library reverses runs that begin
 * with a letter of a right-to-left script; this function reverses all other runs from right to left, with their brackets
 * mirrored. Throws when a cluster has no font.
 */
export const runsOf = (line: ReadonlyArray<Cluster>): ReadonlyArray<Run> => {
  const groups: Array<Array<Cluster>> = [];
  let before: Cluster | null = null;
  for (const cluster of Bidi.reorder(line, ({ level }) => level)) {
    const joins: boolean =
      before !== null &&
      before.family === cluster.family &&
      before.level === cluster.level &&
      !isAlone(before) &&
      !isAlone(cluster);
    if (joins) groups.at(-1)?.push(cluster);
    else groups.push([cluster]);
    before = cluster;
  }
  return groups.flatMap((clusters) => (clusters[0] === undefined ? [] : makeRun(clusters, clusters[0])));
};
