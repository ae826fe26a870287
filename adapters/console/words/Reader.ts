/** The reader of the pages: the team, unless the application says otherwise. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { TEAM } from "./TeamWords.ts";
import type { Words } from "./Words.ts";

export const WordsContext = createContext<Words>(TEAM);

/** The words for the reader. */
export const useWords = (): Words => useContext(WordsContext);
