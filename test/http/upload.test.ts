import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, type Reply, start } from "./Engine.ts";
import { form, pdf, scene } from "./Scene.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

const MIB = 1024 * 1024;
const BOUNDARY = "frontier";
const TYPE = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

const awaiting = async () => {
  const made = await scene(engine);
  const id = await made.draft();
  await made.act(id, "approve");
  await engine.settle();
  const path = `/api/v1/settlements/${id}/invoice`;
  return { ...made, id, path, upload: (body: FormData) => engine.call("POST", path, { body }) };
};

/** A form written by hand: parts of headers and content. */
const raw = (parts: ReadonlyArray<readonly [string, string]>, end = `--${BOUNDARY}--\r\n`): string =>
  parts.map(([headers, content]) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`).join("") + end;

const file = (name = "file", fileName = "a.pdf") =>
  `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`;

/** Text that a browser would run, in a file of an allowed type. */
const PAGE =
  '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>';

const told = (reply: Reply) => [reply.status, reply.body.message];

describe("uploads", () => {
  it("are refused unless the form has one file in the part file", async () => {
    const { path, statusOf, id } = await awaiting();
    const post = (body: string, headers: Record<string, string> = TYPE) =>
      engine.call("POST", path, { body, headers });
    const field = 'Content-Disposition: form-data; name="note"';
    expect(told(await post(raw([])))).toEqual([400, "file: is required"]);
    expect(told(await post(raw([[field, "x"]])))).toEqual([
      400,
      "note: is not a part of this form: file, number, date, due_date, tax_amount",
    ]);
    expect(told(await post(raw([[file(), ""]])))).toEqual([400, "file: must not be empty"]);
    expect(
      told(
        await post(
          raw([
            [file(), "a"],
            [file(), "b"],
          ]),
        ),
      ),
    ).toEqual([400, "file: must occur once"]);
    expect(
      told(
        await post(
          raw([
            [file(), "a"],
            [file("other"), "b"],
          ]),
        ),
      ),
    ).toEqual([400, "other: is not a part of this form: file, number, date, due_date, tax_amount"]);
    const malformed = [400, "body: is not a well-formed multipart form"];
    expect(told(await post("nonsense"))).toEqual(malformed);
    expect(told(await post(""))).toEqual(malformed);
    expect(told(await post(raw([[file(), "a"]], "")))).toEqual(malformed);
    expect(
      told(await post(raw([[file(), "a"]]), { "content-type": "multipart/form-data; charset=x" })),
    ).toEqual(malformed);
    expect(told(await post(raw([[`${file()}\r\nX-Long: ${"x".repeat(9000)}`, "a"]])))).toEqual(malformed);
    expect(
      told(
        await post(raw([["Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''%E0%A4%A", "a"]])),
      ),
    ).toEqual(malformed);
    expect(
      (await engine.call("POST", path, { body: "x", headers: { "content-type": "application/pdf" } })).status,
    ).toBe(415);
    expect(await statusOf(id)).toBe("awaiting_invoice");
    expect((await engine.call("GET", path)).status).toBe(404);
  });

  it("accept a file of 10 MiB and none larger", async () => {
    const { upload, path } = await awaiting();
    const over = await upload(form("x".repeat(10 * MIB + 1)));
    expect(told(over)).toEqual([413, "The body exceeds 10485760 bytes"]);
    expect((await upload(form("%PDF-".padEnd(10 * MIB, "x")))).status).toBe(200);
    expect((await engine.call("GET", path)).text.length).toBe(10 * MIB);
  });

  it("stop reading an endless form", async () => {
    const { path } = await awaiting();
    let sent = 0;
    const chunk = new Uint8Array(MIB);
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`--${BOUNDARY}\r\n${file()}\r\n\r\n`)),
      pull: (controller) => {
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    });
    const reply = await engine.call("POST", path, { body: endless, headers: TYPE });
    expect(reply.status).toBe(413);
    expect(sent).toBeLessThan(16 * MIB);
  });

  it("repeat under a key with another boundary, but not with another file", async () => {
    const { path } = await awaiting();
    const headers = { "idempotency-key": "upload-1" };
    expect((await engine.call("POST", path, { body: pdf("one"), headers })).status).toBe(200);
    const replay = await engine.call("POST", path, { body: pdf("one"), headers });
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const other = await engine.call("POST", path, { body: pdf("two"), headers });
    expect([other.status, other.body.message]).toEqual([
      409,
      expect.stringMatching(/^idempotency_key_reuse:/),
    ]);
  });
});

describe("attachments", () => {
  it("take one file and no other part, and are saved under a safe name, by either side", async () => {
    const { id, act } = await awaiting();
    const path = `/api/v1/settlements/${id}/attachments`;
    const fact = form("%PDF-1.7");
    fact.set("number", "17");
    expect(told(await engine.call("POST", path, { body: fact }))).toEqual([
      400,
      "number: is not a part of this form: file",
    ]);
    expect(told(await engine.call("POST", path, { body: form("x".repeat(10 * MIB + 1)) }))).toEqual([
      413,
      "The body exceeds 10485760 bytes",
    ]);
    expect(told(await engine.call("POST", path, { body: form("GIF89a") }))).toEqual([
      400,
      "file: must be a PDF, PNG, JPEG or XML file; its first bytes are of none",
    ]);
    const attached = await engine.call("POST", path, { body: form(PAGE, "../page.html") });
    expect(attached.status).toBe(201);
    const file = `${path}/${attached.body.id}`;
    expect((await engine.call("GET", file)).status).toBe(404);
    const said = { text: "the page", attachment_ids: [attached.body.id] };
    expect((await act(id, "comment", said)).status).toBe(200);
    const { headers, text } = await engine.call("GET", file, { headers: { accept: "application/pdf" } });
    expect(text).toBe(PAGE);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="page.html"; filename*=UTF-8''page.html`,
    });
    expect(told(await act(id, "comment", said))).toEqual([
      409,
      "attachment_used: attachment_ids.0: another message has named this attachment",
    ]);
    expect(told(await act(id, "comment", { ...said, attachment_ids: [crypto.randomUUID()] }))).toEqual([
      400,
      "attachment_ids.0: must be an attachment that the same side has uploaded to the settlement",
    ]);
    expect((await engine.call("GET", `/api/v1/settlements/${id}/invoice`)).status).toBe(404);
  });
});

describe("downloads", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\invoice.pdf", "invoice.pdf"],
    ['a"b\\c.pdf', "c.pdf"],
    ["fakturë 2026.pdf", "fakturë 2026.pdf"],
    ["請求書 – 2026 №1 €.pdf", "請求書 – 2026 №1 €.pdf"],
    ['名; filename="x".pdf', "x"],
    ["x".repeat(300), "x".repeat(100)],
    ["..", "invoice-"],
  ])("suggest a safe name for %j", async (given, kept) => {
    const { upload, path } = await awaiting();
    expect((await upload(form("%PDF-1.7", given))).status).toBe(200);
    const { headers } = await engine.call("GET", path);
    const disposition = headers.get("content-disposition") ?? "";
    const [, ascii = "", extended = ""] =
      /^attachment; filename="([^"\\\r\n]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(disposition) ?? [];
    expect(decodeURIComponent(extended)).toContain(kept);
    expect(ascii).not.toMatch(/[/\\]/);
    expect(decodeURIComponent(extended).length).toBeLessThanOrEqual(100);
  });

  it("are PDF only where the header Accept asks for it and the file is one", async () => {
    const { upload, path } = await awaiting();
    await upload(form("%PDF-1.7", "invoice.pdf"));
    const typeFor = async (accept: string, at = path) =>
      (await engine.call("GET", at, { headers: { accept } })).headers.get("content-type");
    for (const accept of [
      "application/pdf",
      "Application/PDF",
      "text/html;q=0.2, application/pdf;q=0.9, */*",
      "application/octet-stream, application/pdf",
    ])
      expect(await typeFor(accept), accept).toBe("application/pdf");
    for (const accept of [
      "*/*",
      "application/*",
      "application/octet-stream",
      "application/pdf;q=0",
      "application/pdf;q=0.1, application/octet-stream;q=0.5",
      "application/pdfx",
      "",
    ])
      expect(await typeFor(accept), accept).toBe("application/octet-stream");
    const other = await awaiting();
    await other.upload(form(PAGE, "page.html"));
    expect(await typeFor("application/pdf", other.path)).toBe("application/octet-stream");
    const { headers } = await engine.call("GET", path, { headers: { accept: "application/pdf" } });
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("content-security-policy")).toBe("sandbox");
  });

  it("are saved, never shown", async () => {
    const { upload, path } = await awaiting();
    await upload(form(PAGE, "page.html"));
    const { headers } = await engine.call("GET", path);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "cache-control": "no-store",
      "content-disposition": expect.stringMatching(/^attachment;/),
    });
  });
});
