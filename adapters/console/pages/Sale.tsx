/** One attribution: its properties, its commissions and its cancellation. */
import type { Attribution, Partner } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import {
  Badge,
  Clip,
  Fact,
  Heading,
  Id,
  LoadResult,
  propertyWords,
  ReadAt,
  SoldOn,
  When,
} from "../parts/Basics.tsx";
import { CommissionTable } from "../parts/CommissionTable.tsx";
import { ActionButton, Reason, text } from "../parts/Forms.tsx";
import { useWords } from "../words/Reader.ts";

const Cancel = ({ sale, done }: { readonly sale: Attribution; readonly done: () => void }) => (
  <ActionButton
    title="Cancel this sale"
    words="Cancel this sale"
    danger
    consequence={[
      "Every commission of this sale becomes 0 at once.",
      "What was paid for it already is taken back in the partner's next settlement.",
      "This cannot be undone.",
    ]}
    run={(commands, fields) => commands.attributions.cancel(sale.id, { reason: text(fields, "reason") })}
    done={done}
  >
    <Reason />
  </ActionButton>
);

const stateOf = ({ status, replacedBy }: Attribution): string => {
  if (status === "confirmed") return "Confirmed";
  return replacedBy === undefined ? "Cancelled" : "Replaced";
};

/** The other sale of a replacement. A partner may not see it, where it belongs to another one. */
const Other = ({ name, id }: { readonly name: string; readonly id: string | undefined }) =>
  id === undefined ? null : (
    <Fact name={name}>
      <a href={linkTo(`sales/${id}`)}>
        <Id id={id} />
      </a>
    </Fact>
  );

export const Sale = ({ id }: { readonly id: string }) => {
  const { client, principal, signOut } = useSession();
  const may = useMay();
  const { noCommissions } = useWords();
  const loaded = useLoad(`sale/${id}`, async (signal) => {
    const sale = (await client.byIds("attributions", [id], signal)).get(id);
    if (sale === undefined) throw new Error("This sale does not exist, or this key cannot see it.");
    const partners = await client
      .byIds("partners", [sale.partnerId], signal)
      .catch(() => new Map<string, Partner>());
    return { sale, name: partners.get(sale.partnerId)?.name ?? "" };
  });
  return (
    <LoadResult loaded={loaded} what="Reading the sale" signOut={signOut}>
      {({ sale, name }) => (
        <>
          <Heading
            above={
              principal.kind === "partner" ? undefined : (
                <a href={linkTo(`partners/${sale.partnerId}`)}>
                  <Clip>{name}</Clip>
                </a>
              )
            }
            title={
              <>
                {sale.externalReference === undefined ? (
                  <>
                    Sale <Id id={sale.id} />
                  </>
                ) : (
                  <Clip>{`Sale ${sale.externalReference}`}</Clip>
                )}{" "}
                <Badge family={sale.status === "confirmed" ? "done" : "stopped"}>{stateOf(sale)}</Badge>
              </>
            }
          >
            <ReadAt loaded={loaded} />
          </Heading>
          <section class="panel lead">
            {sale.cancelReason !== undefined && (
              <p class="next">
                {sale.replacedBy === undefined ? "Cancelled" : "Replaced"}: {sale.cancelReason}
              </p>
            )}
            <dl class="facts">
              <Fact name="Date of the sale">
                <SoldOn sale={sale} />
              </Fact>
              <Fact name="Occurred">
                <When at={sale.occurredAt} exact />
              </Fact>
              <Fact name="Recorded">
                <When at={sale.createdAt} exact />
              </Fact>
              {Object.entries(sale.properties).map(([property, value]) => (
                <Fact key={property} name={property.replaceAll("_", " ")}>
                  {propertyWords(value)}
                </Fact>
              ))}
              <Fact name="Id">
                <Id id={sale.id} />
              </Fact>
              <Other name="Replaced by" id={sale.replacedBy} />
              <Other name="Replaces" id={sale.replaces} />
            </dl>
            {sale.status === "confirmed" && principal.kind !== "partner" && may("attributions:write") && (
              <Cancel sale={sale} done={loaded.reload} />
            )}
          </section>
          <section class="panel">
            <h2>What it earns</h2>
            <CommissionTable key={sale.status} query={{ attributionIds: [id] }} empty={noCommissions} />
          </section>
        </>
      )}
    </LoadResult>
  );
};
