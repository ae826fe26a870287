import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../adapters/pdf/Rendering.ts";
import { pagesOf, structureOf } from "./extract.ts";
import { FOLDER, SAMPLES } from "./samples.ts";

const families = Fonts.open(Fonts.installedSources());

it.each(Object.entries(SAMPLES))(
  "docs/samples/%s.pdf equals the renderer's output",
  async (name, content) => {
    const kept = readFileSync(new URL(`${name}.pdf`, FOLDER));
    const drawn = await Rendering.render(content, families);
    expect(pagesOf(kept).map(({ lines }) => lines)).toEqual(pagesOf(drawn).map(({ lines }) => lines));
    expect(structureOf(kept)).toEqual(structureOf(drawn));
  },
);
