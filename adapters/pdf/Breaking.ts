/** Where a line of text may break. */
import { memoize } from "./Memoize.ts";

const IDEOGRAPHIC =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff9f\p{Emoji_Presentation}]/u;
/** Never at the start of a line: closing punctuation, small kana, and marks that belong to the character before them. */
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{M}!,.:;?、。，．・：；？！ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
/** Never at the end of a line. */
const NEVER_LAST = /^[\p{Ps}\p{Pi}]/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HYPHEN = /^[-\u2010\u2013\u2014/]$/u;

const words = new Intl.Segmenter("th", { granularity: "word" });

/** What decides whether a line may break next to a cluster. */
const factsOf = memoize((cluster: string) => ({
  isIdeographic: IDEOGRAPHIC.test(cluster),
  isNeverFirst: NEVER_FIRST.test(cluster),
  isNeverLast: NEVER_LAST.test(cluster),
  isUnspaced: UNSPACED.test(cluster),
  isHyphen: HYPHEN.test(cluster),
  isLetter: /^\p{L}/u.test(cluster),
}));

/** Adds the indices of the clusters that begin a word, of neighbours in scripts without spaces. */
const addWords = (begins: Set<number>, clusters: ReadonlyArray<string>, from: number, to: number): void => {
  const offsets = new Set([...words.segment(clusters.slice(from, to).join(""))].map(({ index }) => index));
  let offset = 0;
  for (let index = from; index < to; index += 1) {
    if (offsets.has(offset)) begins.add(index);
    offset += clusters[index]?.length ?? 0;
  }
};

/** The indices of the clusters that begin a word in a script without spaces; a word of one cluster is left out. */
const wordStarts = (clusters: ReadonlyArray<string>): ReadonlySet<number> => {
  const begins = new Set<number>();
  for (let from = 0; from < clusters.length; from += 1) {
    let to = from;
    while (to < clusters.length && factsOf(clusters[to] ?? "").isUnspaced) to += 1;
    if (to - from > 1) addWords(begins, clusters, from, to);
    from = Math.max(from, to);
  }
  return begins;
};

const mayBreak = (before: string, after: string, isWordStart: boolean): boolean => {
  if (after === " ") return false;
  if (before === " ") return true;
  const [left, right] = [factsOf(before), factsOf(after)];
  if (right.isNeverFirst || left.isNeverLast) return false;
  if (left.isUnspaced && right.isUnspaced) return isWordStart;
  return left.isIdeographic || right.isIdeographic || (left.isHyphen && right.isLetter);
};

/** The indices of the clusters that may begin a line, in order; the first is 0. */
export const starts = (clusters: ReadonlyArray<string>): ReadonlyArray<number> => {
  const wordBegins = wordStarts(clusters);
  return clusters.flatMap((cluster, index) =>
    index === 0 || mayBreak(clusters[index - 1] ?? "", cluster, wordBegins.has(index)) ? [index] : [],
  );
};
