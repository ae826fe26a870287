/** The statement of one partner. */
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { Clip, Heading, ReadAt } from "../parts/Basics.tsx";
import { Statement } from "../parts/Statement.tsx";

export const PartnerStatement = ({ id, route }: { readonly id: string; readonly route: Route }) => {
  const { client } = useSession();
  const name = useLoad(
    `name/${id}`,
    async (signal) => (await client.byIds("partners", [id], signal)).get(id)?.name ?? "a partner",
  );
  return (
    <Statement
      partnerId={id}
      route={route}
      heading={(actions, loaded) => (
        <Heading
          above={
            <a href={linkTo(`partners/${id}`)}>
              <Clip>{name.value ?? "Partner"}</Clip>
            </a>
          }
          title={<Clip>{`Statement of ${name.value ?? "…"}`}</Clip>}
        >
          <ReadAt loaded={loaded} />
          {actions}
        </Heading>
      )}
    />
  );
};
