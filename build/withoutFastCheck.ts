/** Stands in for `fast-check`, with which effect makes random values of schemas: nothing in the package asks for any. */
export {};
