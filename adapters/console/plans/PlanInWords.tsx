/** What a plan pays in sentences, as partners read it. */
import type { Expression } from "quittance/formula";
import type { Plan } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { InWords } from "../builder/InWords.tsx";
import { draftOfPlan } from "../builder/Sources.ts";
import { useLoad } from "../data/Load.ts";
import { LoadResult } from "../parts/Basics.tsx";

export const PlanInWords = ({ plan }: { readonly plan: Plan }) => {
  const { client } = useSession();
  const { schemaId } = plan;
  const loaded = useLoad(`schema/${schemaId}`, async (signal) => {
    const schema = (await client.byIds("attributionSchemas", [schemaId], signal)).get(schemaId);
    return { schema };
  });
  return (
    <LoadResult loaded={loaded} what="Reading what a sale has">
      {({ schema }) =>
        schema !== undefined && (
          // Only the units that the schema declares, as in the terms.
          <InWords
            expression={plan.expression as unknown as Expression}
            basis={{ ...draftOfPlan(plan, schema), units: {} }}
          />
        )
      }
    </LoadResult>
  );
};
