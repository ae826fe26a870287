/** The library that writes PDF files; a module of its own, so that the build can put it into a file of its own. */
export { default } from "pdfkit";
