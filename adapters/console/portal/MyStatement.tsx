/** The statement of the partner that is signed in. */

import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import type { Route } from "../data/Route.ts";
import { Clip, Empty, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { Select } from "../parts/Filters.tsx";
import { Statement } from "../parts/Statement.tsx";
import { t } from "../words/Language.ts";

export const MyStatement = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(
    "my partners",
    async (signal) => (await client.list("partners", { perPage: 100 }, signal)).items,
  );
  return (
    <LoadResult loaded={loaded} what="Reading the statement" signOut={signOut}>
      {(partners) => {
        const chosen = partners.find(({ id }) => id === route.query.get("partner")) ?? partners[0];
        if (chosen === undefined)
          return (
            <>
              <Heading title={t("My statement")} />
              <Empty title="There is no partner that you may see" />
            </>
          );
        return (
          <Statement
            key={chosen.id}
            partnerId={chosen.id}
            route={route}
            heading={(actions, statement) => (
              <>
                <Heading title={t("My statement")} above={<Clip>{chosen.name}</Clip>}>
                  <ReadAt loaded={statement} />
                  {actions}
                </Heading>
                {partners.length > 1 && (
                  <div class="filters">
                    <Select
                      route={route}
                      name="partner"
                      label="Partner"
                      value={chosen.id}
                      groups={[[t("Partners"), partners.map(({ id, name }) => [id, name] as const)]]}
                    />
                  </div>
                )}
              </>
            )}
          />
        );
      }}
    </LoadResult>
  );
};
