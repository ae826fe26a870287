/** What pages about sales show while nobody has stated what a sale has. */
import { Empty } from "../parts/Basics.tsx";

export const NoSchema = () => (
  <Empty title="First state what a sale has">
    Such as the value of the order, from which plans compute. <a href="#/">The first steps</a> ask for it.
  </Empty>
);
