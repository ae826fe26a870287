/** Says on every page of the example company what it is, and leads back. */
import { apiBase, isExample } from "../api/BrowserSession.ts";
import { t } from "../words/Language.ts";

export const ExampleNotice = () =>
  isExample() ? (
    <div class="notice wait example">
      <p>
        <strong>{t("Example company")}</strong>{" "}
        {t("Nothing here is real, and it is gone when the server stops.")}
      </p>
      <a href={new URL("../console/", apiBase()).href}>{t("Back to your company")}</a>
    </div>
  ) : null;
