/** Joins the metrics of several processes into one text, with the number of its process as a label of each sample. */

/** Metrics that describe the store, of which every process would report the same. */
const OF_STORE = /^quittance_outbox_/;

/** The metrics of one process. */
export interface Metrics {
  readonly process: number;
  readonly text: string;
}

interface Family {
  readonly head: ReadonlyArray<string>;
  readonly samples: Array<string>;
}

/** The name of the metric that a line of a head describes: `# HELP name …`, `# TYPE name …`. */
const nameOf = (head: string): string => head.split(" ", 3)[2] ?? "";

const addProcessLabel = (sample: string, process: number): string =>
  sample.replace(/^([a-zA-Z_:][\w:]*)(\{)?/, (_, name: string, brace: string | undefined) =>
    brace === undefined ? `${name}{process="${process}"}` : `${name}{process="${process}",`,
  );

/** The families of a text, in its order. */
const familiesOf = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, Family>();
  let current: { head: Array<string>; samples: Array<string> } = { head: [], samples: [] };
  for (const line of text.split("\n")) {
    if (line === "") continue;
    if (!line.startsWith("#")) {
      current.samples.push(line);
      continue;
    }
    const name = nameOf(line);
    if (!families.has(name)) {
      current = { head: [], samples: [] };
      families.set(name, current);
    }
    current.head.push(line);
  }
  return families;
};

/** One text for all processes; metrics of the store are those of the first. */
export const join = (all: ReadonlyArray<Metrics>): string => {
  const families = new Map<string, Family>();
  for (const [index, { process, text }] of all.entries()) {
    for (const [name, { head, samples }] of familiesOf(text)) {
      const isOfStore = OF_STORE.test(name);
      if (isOfStore && index > 0) continue;
      const family = families.get(name) ?? { head, samples: [] };
      family.samples.push(
        ...(isOfStore ? samples : samples.map((sample) => addProcessLabel(sample, process))),
      );
      families.set(name, family);
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`).join("");
};
