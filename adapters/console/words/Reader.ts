/** The reader of the pages: the team or a partner, as the application says. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Words } from "./Words.ts";

export const WordsContext = createContext<Words | null>(null);

/** The words for the reader. */
export const useWords = (): Words => {
  const words = useContext(WordsContext);
  if (words === null) throw new Error("nobody reads");
  return words;
};
