/** The media types that the header `Accept` of a request names. */

/** A media range of the header `Accept`, without its parameters, with its weight from 0 to 1. */
interface Range {
  readonly mediaType: string;
  readonly weight: number;
}

const rangesOf = (accept: string): ReadonlyArray<Range> =>
  accept.split(",").map((text) => {
    const [mediaType = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return { mediaType, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });

/**
 * Whether a header `Accept` names the media type and does not prefer another one that it names (RFC 9110, section 12.5.1).
 * A range with a wildcard names no type: then the default representation is sent.
 */
export const prefers = (accept: string | undefined, mediaType: string): boolean => {
  if (accept === undefined) return false;
  const ranges = rangesOf(accept);
  const weight = ranges.find((range) => range.mediaType === mediaType)?.weight ?? 0;
  return weight > 0 && ranges.every((range) => range.mediaType.includes("*") || !(range.weight > weight));
};
