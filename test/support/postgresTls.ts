/** Turns on TLS in a server of the tests, with a certificate of an authority that only these tests know. */
import * as fs from "node:fs";
import * as path from "node:path";
import pg from "pg";

/** The certificate of the authority. Both are valid until 2126; their only use is in tests. */
export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUOgAwIBAgIUPnKs5kcqK/HH+9Y8SO9lZiixRi0wCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYUXVpdHRhbmNlIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyNDE4
MzYyMVoYDzIxMjYxMDMxMTgzNjIxWjAjMSEwHwYDVQQDDBhRdWl0dGFuY2UgdGVz
dCBhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATB5OevrQ4VjZqK
Jw3i2gl/F2LxuacgsZnk1pNqG408aCRh9o/eVk9XviKcliOAoyPFc5uR66f+87+/
nD0eYhn0o1MwUTAdBgNVHQ4EFgQU0aJPQ0OQb0tJFEDwSBtaAQ/nwvUwHwYDVR0j
BBgwFoAU0aJPQ0OQb0tJFEDwSBtaAQ/nwvUwDwYDVR0TAQH/BAUwAwEB/zAKBggq
hkjOPQQDAgNHADBEAiBACvIg9Y80EN28pypp7nObUkoaCQkZO72v6lmrUezHLQIg
WSfcXFQcFF/O5VQ4MriAfFgdznP5s+BYXm97h2Fq42w=
-----END CERTIFICATE-----
`;

/** The certificate for the name `localhost`, and its key. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqDCCAU6gAwIBAgIUeC7lNxC54JTVBGrprekbc6xR61AwCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYUXVpdHRhbmNlIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyNDE4
MzYyMVoYDzIxMjYxMDMxMTgzNjIxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTAT
BgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJ5KPC7B5EplFAZ618Jxn2gTFQJE6rVnWW
YJHzZ1sKMpLNLGGpX5oTKrOmh+rmDCuCBwkixaCjsRKRFTA8M6Aco20wazAUBgNV
HREEDTALgglsb2NhbGhvc3QwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYE
FBz+W+ORS0Y5SF6yMBsaX6Eu7P3UMB8GA1UdIwQYMBaAFNGiT0NDkG9LSRRA8Egb
WgEP58L1MAoGCCqGSM49BAMCA0gAMEUCIQC+OHupvgkKNg3eUZBqPPeKQ4WAzXgr
DQqeR7YLLcSbSQIgJW13wRp26lIJeGPcPARgh+PCcHdAj/0ePKdsOAdhlkM=
-----END CERTIFICATE-----
`;
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZT9ML6DZXaMH2fVJ
bGXuofg66oRDv4O8So6RX5QrC4WhRANCAAQJ5KPC7B5EplFAZ618Jxn2gTFQJE6r
VnWWYJHzZ1sKMpLNLGGpX5oTKrOmh+rmDCuCBwkixaCjsRKRFTA8M6Ac
-----END PRIVATE KEY-----
`;

/** Lets a running server accept encrypted connections; with `required` no others. The test stops the server afterwards. */
export const turnOnTls = async (url: string, { required }: { readonly required: boolean }): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ readonly folder: string; readonly rules: string }>(
    "select current_setting('data_directory') as folder, current_setting('hba_file') as rules",
  );
  const { folder = "", rules = "" } = rows[0] ?? {};
  const { uid, gid } = fs.statSync(folder);
  for (const [name, text] of [
    ["server.crt", CERTIFICATE],
    ["server.key", KEY],
  ] as const) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text, { mode: 0o600 });
    fs.chownSync(file, uid, gid);
  }
  if (required) fs.writeFileSync(rules, "hostssl all all all trust\n");
  await client.query("alter system set ssl = on");
  await client.query("select pg_reload_conf()");
  await client.end();
};
