/** The storage contract for stores that send the same statements as another one that is checked against all of it. */
import { type Law, storageContract } from "quittance/testing";
import { longOr } from "./profile.ts";

/** The laws of the largest settlements, 10,000 lines each, which take longer than all the others. */
const LARGEST = ["(a settlement of the largest size)", "(ten thousand parts)"];

/** The contract; without the laws of the largest settlements except in `npm run verify`. */
export const contractOfSameStatements: ReadonlyArray<Law> = longOr(
  storageContract,
  storageContract.filter(({ name }) => !LARGEST.some((largest) => name.endsWith(largest))),
);
