/** The length of random runs: whole in `npm test`, short in `npm run quick` and for each mutant, long in `npm run verify`. */

/** The first value under the profile `short`, else the second. */
export const shortOr = <A>(short: A, whole: A): A => (process.env.TEST_PROFILE === "short" ? short : whole);

/** The first value under the profile `long`, else the second. */
export const longOr = <A>(long: A, whole: A): A => (process.env.TEST_PROFILE === "long" ? long : whole);
