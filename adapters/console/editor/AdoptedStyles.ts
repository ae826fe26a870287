/**
 * Styles of the code editor as constructed style sheets instead of `<style>` elements, which the pages' content security policy
 * forbids. Stands for the package `style-mod` in the bundle of the pages.
 */
import { StyleModule as Module } from "../../../node_modules/style-mod/src/style-mod.js";

interface Adopted {
  readonly sheet: CSSStyleSheet;
  readonly modules: Set<Module>;
}

const adopted = new WeakMap<DocumentOrShadowRoot, Adopted>();

/** Rules of the editor; those of all modules that were mounted in a document are one sheet, in the order of mounting. */
export class StyleModule extends Module {
  static override mount(root: Document | ShadowRoot, given: Module | ReadonlyArray<Module>): void {
    const { sheet, modules } = adopted.get(root) ?? {
      sheet: new CSSStyleSheet(),
      modules: new Set<Module>(),
    };
    const before = modules.size;
    for (const one of [given].flat()) modules.add(one);
    if (modules.size === before) return;
    sheet.replaceSync([...modules].map((item) => item.getRules()).join("\n"));
    if (!adopted.has(root)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    adopted.set(root, { sheet, modules });
  }
}
