/** How long tests with random parts run: whole in `npm test`, short when a run of them tries a single mutant. */

/** The first size under the profile `mutation`, else the second. */
export const shortOr = (short: number, whole: number): number =>
  process.env.TEST_PROFILE === "mutation" ? short : whole;
