/** Messages between the parent process and the processes that serve. */

/** From a process that serves. */
export type FromServer =
  /** It listens. */
  | { readonly type: "listening"; readonly url: string }
  /** A request for the metrics of all processes; `text` are its own. */
  | { readonly type: "join_metrics"; readonly id: number; readonly text: string }
  /** Its own metrics, as the parent requested. */
  | { readonly type: "metrics"; readonly id: number; readonly text: string };

/** From the parent process. */
export type FromParent =
  | { readonly type: "send_metrics"; readonly id: number }
  | { readonly type: "joined_metrics"; readonly id: number; readonly text: string };

/** How long metrics of other processes are waited for. */
export const METRICS_MILLISECONDS = 1_000;

/** The environment variable with the port that all processes share, once it is known. */
export const PORT_OF_PARENT = "QUITTANCE_PORT_OF_PARENT";
