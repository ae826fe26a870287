/** How long tests with random parts run: whole in `npm test`, short in `npm run quick` and for each mutant. */

/** The first size under the profile `short`, else the second. */
export const shortOr = (short: number, whole: number): number =>
  process.env.TEST_PROFILE === "short" ? short : whole;
