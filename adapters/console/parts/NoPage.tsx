/** The page of an address that leads nowhere. */
import { t } from "../words/Language.ts";
import { Heading } from "./Basics.tsx";

export const NoPage = () => (
  <>
    <Heading title={t("There is no such page")} />
    <p>{t("The address may be mistyped, or of an earlier version.")}</p>
    <p>
      <a href="#/">{t("To the overview")}</a>
    </p>
  </>
);
