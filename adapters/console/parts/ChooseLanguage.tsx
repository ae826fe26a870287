/** The choice of the language; nothing in an application that has one only. */
import { chooseLanguage, LANGUAGES, language, t } from "../words/Language.ts";

export const ChooseLanguage = () => {
  const chosen = language();
  if (chosen === null) return null;
  return (
    <select
      class="language"
      aria-label={t("Language")}
      value={chosen}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
};
