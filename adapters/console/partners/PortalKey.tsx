/** A key with which a partner signs in to the portal. */
import { useState } from "preact/hooks";
import type { Partner, Principal, Scope } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { ActionButton, Secret } from "../parts/Forms.tsx";

const SCOPES: ReadonlyArray<Scope> = [
  "attributions:read",
  "partners:read",
  "formulas:read",
  "commissions:read",
  "settlements:read",
  "settlements:write",
];

/** The request of a key for the portal of partners: everything there that the caller may give. */
export const portalKey = ({ scopes }: Principal, partnerIds: ReadonlyArray<string>) => ({
  kind: "partner" as const,
  partnerIds,
  scopes: SCOPES.filter((scope) => scopes.includes(scope)),
});

export const PortalKey = ({ partner }: { readonly partner: Partner }) => {
  const { principal } = useSession();
  const [key, setKey] = useState<string | null>(null);
  if (!useMay()("keys:admin")) return null;
  return (
    <>
      <ActionButton
        words="Give access to the portal"
        title={`Give ${partner.name} access to the portal`}
        consequence={[
          "A key is made. Whoever has it sees what the partner earns, and may send its invoices.",
          "It is shown once. The page of keys revokes it.",
        ]}
        run={(commands) =>
          commands.apiKeys.create({
            name: `Portal of ${partner.name}`.slice(0, 255),
            ...portalKey(principal, [partner.id]),
          })
        }
        done={(created) => setKey(created.key)}
      />
      {key !== null && (
        <Secret title="The key of the partner" secret={key} close={() => setKey(null)}>
          <p>
            The partner signs in with it at <code>{new URL("../portal/", document.baseURI).href}</code>.
          </p>
        </Secret>
      )}
    </>
  );
};
