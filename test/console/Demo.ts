/** The server as an operator starts it to look around: in memory, with the example company. */
import { call, folder, listening, run } from "../server/running.ts";

export interface Demo {
  readonly url: string;
  readonly key: string;
  readonly partnerKey: string;
  /** Milliseconds from "the store is open" to the address. */
  readonly milliseconds: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of many shapes
  readonly get: (path: string) => Promise<any>;
  readonly stop: () => Promise<void>;
}

const found = (text: string, pattern: RegExp): string => {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`the start did not print ${pattern}`);
  return value;
};

/** Starts it on a free port, or on the port of the settings. */
export const startDemo = async (
  database = "memory:",
  settings: Readonly<Record<string, string>> = {},
): Promise<Demo> => {
  const place = folder();
  const started = run(
    place.path,
    ["serve", "--demo", "--port", settings.PORT ?? "0", "--database-url", database],
    {
      LOG_LEVEL: "off",
      // The receivers of the tests are on this machine.
      QUITTANCE_WEBHOOKS_PRIVATE: "on",
      ...settings,
    },
  );
  let openedAt = 0;
  while (openedAt === 0 && started.process.exitCode === null) {
    if (started.output().includes("filling the store")) openedAt = performance.now();
    else await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const url = await listening(started);
  const milliseconds = performance.now() - openedAt;
  const key = found(started.output(), /^development key, .*: (qk_\S+)$/m);
  return {
    url,
    key,
    partnerKey: found(started.output(), /^partner key of .*: (qk_\S+)$/m),
    milliseconds,
    get: async (path) => (await call(url, key, "GET", path)).body,
    stop: async () => {
      started.process.kill("SIGTERM");
      await started.ended;
      place.remove();
    },
  };
};

/** Creates a key with which a partner may use everything in the portal. */
export const createPortalKey = async (
  { url, key }: Pick<Demo, "url" | "key">,
  partnerId: string,
): Promise<string> => {
  const { body } = await call(url, key, "POST", "api-keys", {
    kind: "partner",
    partner_ids: [partnerId],
    scopes: [
      "partners:read",
      "partners:write",
      "commissions:read",
      "attributions:read",
      "formulas:read",
      "settlements:read",
      "settlements:write",
    ],
  });
  return body.key;
};
