import { FileType, Limits, SettlementMachine, Upload } from "quittance";
import { describe, expect, it } from "vitest";

const { DEFAULT_POLICY } = SettlementMachine;

describe("a file", () => {
  const problem = (
    mediaType: FileType.FileType,
    { byteLength = 5, ...limits }: { readonly byteLength?: number } & Partial<Upload.UploadLimits> = {},
  ) => Upload.fileProblem({ ...DEFAULT_POLICY, ...limits }, { byteLength, mediaType });
  const ALL: Upload.UploadLimits["uploadTypes"] = FileType.FILE_TYPES;

  it.each(["application/pdf", "image/png", "image/jpeg", "application/xml"] as const)("may be %s", (type) => {
    expect(problem(type)).toBeNull();
  });

  it.each(["application/zip", "application/octet-stream"] as const)("may be %s if it is allowed", (type) => {
    expect(problem(type)).toMatchObject({
      field: "file",
      message: "file: must be a PDF, PNG, JPEG or XML file; its first bytes are of none",
    });
    expect(problem(type, { uploadTypes: ALL })).toBeNull();
  });

  it("may be of less types than by default", () => {
    const limits = { uploadTypes: ["application/pdf"] } as const;
    expect(problem("application/pdf", limits)).toBeNull();
    expect(problem("image/png", limits)?.message).toBe(
      "file: must be a PDF file; its first bytes are of none",
    );
  });

  it("has at least one byte and at most the limit", () => {
    const most = Limits.UPLOAD_BYTES_MAX;
    expect(problem("application/octet-stream", { byteLength: 0 })?.message).toBe("file: must not be empty");
    expect(problem("application/pdf", { byteLength: most })).toBeNull();
    expect(problem("application/pdf", { byteLength: most + 1 })?.message).toBe(
      `file: must have at most ${most} bytes`,
    );
  });
});

describe("a settlement", () => {
  const uploads = (count: number, byteLength = 1) => Array.from({ length: count }, () => ({ byteLength }));
  const problem = (uploaded: ReturnType<typeof uploads>, byteLength = 1) =>
    Upload.limitProblem(DEFAULT_POLICY, uploaded, byteLength);

  it("keeps at most 20 uploaded documents", () => {
    expect(problem(uploads(19))).toBeNull();
    expect(problem(uploads(20))).toMatchObject({
      token: "upload_limit",
      message: "upload_limit: the settlement has 20 uploaded documents, and keeps at most 20",
    });
  });

  it("keeps at most 50 MiB of them", () => {
    const tenMiB = 10 * 1024 * 1024;
    expect(problem(uploads(4, tenMiB), tenMiB)).toBeNull();
    expect(problem(uploads(5, tenMiB), 1)?.message).toBe(
      "upload_limit: the settlement keeps at most 52428800 bytes of uploaded documents, and would have 52428801",
    );
  });
});
