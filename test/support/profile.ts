/** How long tests with random parts run: whole in `npm test`, short in `npm run quick` and for each mutant. */

/** The first value under the profile `short`, else the second. */
export const shortOr = <A>(short: A, whole: A): A => (process.env.TEST_PROFILE === "short" ? short : whole);
