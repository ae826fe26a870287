/** `quittance openapi`: prints the OpenAPI document of the HTTP interface. */
import { printText } from "../Output.ts";
import { type Declare, load } from "../Shell.ts";

export const declare: Declare = (program, shell) => {
  program
    .command("openapi")
    .summary("print the OpenAPI document of the HTTP interface")
    .description(
      "Prints the OpenAPI 3.0 document of the HTTP interface, as the server has it at /openapi.json.",
    )
    .action(() =>
      shell.run(
        load(
          () => import("quittance/http"),
          ({ openApi }) => printText(JSON.stringify(openApi(), null, 2)),
        ),
      ),
    );
};
