/** The page of an address that leads nowhere. */
import { Heading } from "./Basics.tsx";

export const NoPage = () => (
  <>
    <Heading title="There is no such page" />
    <p>
      <a href="#/">To the overview</a>
    </p>
  </>
);
