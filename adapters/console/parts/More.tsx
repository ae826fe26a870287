/** A list that shows its first part, and the next ones on request. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../words/Language.ts";
import { Failure } from "./Basics.tsx";

/** A list as far as it is shown. */
interface Part {
  /** Null when everything is shown. */
  readonly nextCursor: string | null;
}

/** A list as far as it is shown, and how its next part is read. */
interface More<Shown> {
  readonly shown: Shown;
  readonly isLoading: boolean;
  readonly failure: unknown;
  readonly loadMore: () => Promise<void>;
}

/** A list from its first part on; `readNext` returns the list with the part at the cursor. */
export const useMore = <Shown extends Part>(
  first: Shown,
  readNext: (shown: Shown, cursor: string) => Promise<Shown>,
): More<Shown> => {
  const [shown, setShown] = useState(first);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const loadMore = async (): Promise<void> => {
    if (shown.nextCursor === null || isLoading) return;
    setLoading(true);
    setFailure(null);
    try {
      setShown(await readNext(shown, shown.nextCursor));
    } catch (problem) {
      setFailure(problem);
    }
    setLoading(false);
  };
  return { shown, isLoading, failure, loadMore };
};

/** The button for the next part while there is one, and the failure of the last. */
export const ShowMore = ({
  more: { shown, isLoading, failure, loadMore },
  words,
  children,
}: {
  readonly more: More<Part>;
  readonly words: string;
  readonly children?: ComponentChildren;
}) => (
  <>
    {failure !== null && <Failure failure={failure} retry={loadMore} />}
    {shown.nextCursor !== null && (
      <p class="row">
        <button type="button" onClick={loadMore} aria-disabled={isLoading}>
          {isLoading ? t("Reading…") : words}
        </button>
        {children}
      </p>
    )}
  </>
);
