/** Shows that a page has an error, instead of nothing at all. */

import { Component, type ComponentChildren } from "preact";
import { t } from "../words/Language.ts";
import { Heading } from "./Basics.tsx";

interface Props {
  /** The address of the page; another page is drawn anew. */
  readonly path: string;
  readonly children: ComponentChildren;
}

export class Boundary extends Component<Props, { readonly failure: Error | null }> {
  override state = { failure: null };

  static override getDerivedStateFromError(failure: Error) {
    return { failure };
  }

  override componentDidUpdate(before: Props): void {
    if (before.path !== this.props.path && this.state.failure !== null) this.setState({ failure: null });
  }

  override render({ children }: Props, { failure }: { readonly failure: Error | null }) {
    return failure === null ? (
      children
    ) : (
      <>
        <Heading title={t("This page has an error")} />
        <div class="notice stop" role="alert">
          <p>
            {t(
              "It cannot be shown: {message}. Nothing was changed by it. Load the page again; if the error stays, report it with this text.",
              { message: failure.message },
            )}
          </p>
          <button type="button" onClick={() => location.reload()}>
            {t("Load again")}
          </button>
        </div>
      </>
    );
  }
}
