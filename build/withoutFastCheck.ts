/** Replaces `fast-check`, by which effect creates random values of schemas: the package creates none. */
export {};
