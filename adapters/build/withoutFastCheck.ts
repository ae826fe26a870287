/** An empty replacement of `fast-check`, which effect uses to create random values of schemas; the package creates none. */
export {};
