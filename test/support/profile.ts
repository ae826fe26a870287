/** The length of random runs: moderate in `npm test`, short in `npm run quick` and for each mutant, long in `npm run verify`. */

const profile = process.env.TEST_PROFILE;

/** The first value under the profile `short`, the last one under `long`, else the one between; without a last one that one. */
export const sized = <A>(short: A, moderate: A, long: A = moderate): A =>
  profile === "short" ? short : profile === "long" ? long : moderate;

/** The first value under the profile `long`, else the second. */
export const longOr = <A>(long: A, otherwise: A): A => (profile === "long" ? long : otherwise);
