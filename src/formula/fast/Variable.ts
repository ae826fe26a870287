import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";

/** Stores the value of a binding in the frame and gives the code that reads it; constants need no place. */
export const slot = (
  value: Code.Code,
  index: number,
): { readonly store: (frame: Frame) => void; readonly load: Code.Code } => {
  switch (value.type) {
    case "number": {
      const { denominator } = value;
      const run = value.times(1);
      if (value.constant !== undefined) return { store: () => undefined, load: value };
      return {
        store: (frame) => {
          frame.numbers[index] = run(frame);
        },
        load: Code.storedNumber(denominator, index),
      };
    }
    case "ratio":
      return {
        store: (frame) => {
          frame.numbers[index] = value.run(frame);
          frame.numbers[index + 1] = frame.divisor;
        },
        load: {
          type: "ratio",
          run: (frame) => {
            frame.divisor = frame.numbers[index + 1] as number;
            return frame.numbers[index] as number;
          },
        },
      };
    case "date":
      return {
        store: (frame) => {
          frame.numbers[index] = value.run(frame);
        },
        load: { type: "date", run: (frame) => frame.numbers[index] as number },
      };
    case "string":
      return {
        store: (frame) => {
          frame.texts[index] = value.run(frame);
        },
        load: { type: "string", run: (frame) => frame.texts[index] },
      };
    case "boolean":
      return {
        store: (frame) => {
          frame.truths[index] = value.run(frame);
        },
        load: { type: "boolean", run: (frame) => frame.truths[index] },
      };
  }
};

/** The run of a body once its bindings have been stored. */
export const after =
  <A>(stores: ReadonlyArray<(frame: Frame) => void>, run: (frame: Frame) => A): ((frame: Frame) => A) =>
  (frame) => {
    for (const store of stores) store(frame);
    return run(frame);
  };
