/** Where a line of text may break. */

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

/** The offsets of words in a script without spaces. */
const wordStarts = (text: string): ReadonlySet<number> =>
  UNSPACED.test(text) ? new Set([...words.segment(text)].map(({ index }) => index)) : new Set();

const mayBreak = (before: string, after: string, isWordStart: boolean): boolean => {
  if (after === " ") return false;
  if (before === " ") return true;
  if (NEVER_FIRST.test(after) || NEVER_LAST.test(before)) return false;
  if (UNSPACED.test(before) && UNSPACED.test(after)) return isWordStart;
  return (
    IDEOGRAPHIC.test(before) || IDEOGRAPHIC.test(after) || (HYPHEN.test(before) && /^\p{L}/u.test(after))
  );
};

/** The indices of the clusters that may begin a line, in order; the first is 0. */
export const starts = (clusters: ReadonlyArray<string>): ReadonlyArray<number> => {
  const wordBegins = wordStarts(clusters.join(""));
  let offset = 0;
  return clusters.flatMap((cluster, index) => {
    const isStart = index === 0 || mayBreak(clusters[index - 1] ?? "", cluster, wordBegins.has(offset));
    offset += cluster.length;
    return isStart ? [index] : [];
  });
};
