/** What the headers `Accept` and `Accept-Language` of a request name. */

/** A media range or a language, without its parameters, with its weight from 0 to 1. */
interface Range {
  readonly name: string;
  readonly weight: number;
}

const rangesOf = (accept: string): ReadonlyArray<Range> =>
  accept.split(",").map((text) => {
    const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });

/**
 * True if a header `Accept` names the media type and does not prefer another one that it names (RFC 9110, section 12.5.1).
 * A range with a wildcard names no type: then the default representation is sent.
 */
export const prefers = (accept: string | undefined, mediaType: string): boolean => {
  if (accept === undefined) return false;
  const ranges = rangesOf(accept);
  const weight = ranges.find((range) => range.name === mediaType)?.weight ?? 0;
  return weight > 0 && ranges.every((range) => range.name.includes("*") || !(range.weight > weight));
};

/** The languages of a header `Accept-Language`, the most wanted first (RFC 9110, section 12.5.4). */
export const languages = (accepted: string | undefined): ReadonlyArray<string> =>
  rangesOf(accepted ?? "")
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name }) => name);
