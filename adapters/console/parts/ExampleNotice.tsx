/** Says on every page of the example company what it is, and leads back to the console that opened it. */
import { isExample } from "../api/BrowserSession.ts";
import { t } from "../words/Language.ts";

export const ExampleNotice = () =>
  isExample() ? (
    <div class="notice wait example">
      <strong>{t("Example company: nothing here is real, and it is gone when the server stops.")}</strong>
      <a href="../../console/">{t("Back to your company")}</a>
    </div>
  ) : null;
