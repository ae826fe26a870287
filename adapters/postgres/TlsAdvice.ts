/** Adds to the failures of TLS what to change in the address of the database. */

/** The codes of certificates whose authority is not known. */
const UNKNOWN_AUTHORITY: ReadonlySet<unknown> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const adviceOn = (error: Error): string | null => {
  const code: unknown = Reflect.get(error, "code");
  if (UNKNOWN_AUTHORITY.has(code))
    return "the authority of the certificate is not known here: name its file in the address, with sslrootcert=…";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "connect to a name that is in the certificate of the server";
  if (error.message === "The server does not support SSL connections")
    return "turn on ssl there, or remove sslmode from the address";
  if (code === "28000" && error.message.endsWith("no encryption"))
    return "add sslmode=require to the address";
  return null;
};

/** Adds the advice to the message of an error, if there is any. */
export const advise = (error: Error): Error => {
  const advice = adviceOn(error);
  if (advice !== null) error.message = `${error.message}: ${advice}`;
  return error;
};
