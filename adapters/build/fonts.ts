/** Copies the fonts of documents into the package: the two weights that are used of the 18 faces that their packages have. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FACES, fileOf, SHIPPED } from "../pdf/FontPackages.ts";

/** Copies the files, and their licence with the copyright line of each, which it requires next to every copy. */
export const copyFonts = (root: string): void => {
  const target = join(root, "dist/fonts");
  mkdirSync(target, { recursive: true });
  const licences = SHIPPED.map((each) => {
    const folder = join(root, "node_modules/@expo-google-fonts", each.name);
    for (const face of FACES)
      copyFileSync(join(folder, face, fileOf(each, face)), join(target, fileOf(each, face)));
    const [copyright = "", ...licence] = readFileSync(join(folder, "LICENSE_FONT"), "utf8").split("\n");
    return { copyright, licence: licence.join("\n") };
  });
  const texts = new Set(licences.map(({ licence }) => licence));
  if (texts.size !== 1) throw new Error("the licences of the fonts differ");
  const copyrights = licences.map(({ copyright }) => copyright).join("\n");
  writeFileSync(join(target, "OFL.txt"), `${copyrights}\n${[...texts].join()}`);
};
