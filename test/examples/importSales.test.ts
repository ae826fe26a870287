import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { developmentKey, folder, listening, run } from "../server/running.ts";

const root = new URL("../..", import.meta.url).pathname;

it("imports the sample sales, settles and pays each agent, and claws a refund back", async () => {
  const here = folder();
  const server = run(here.path, ["serve"], { DATABASE_URL: "memory:", PORT: "0" });
  try {
    const url = await listening(server);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        "--import",
        "tsx",
        "examples/import-sales/main.ts",
        "--url",
        url,
        "--key",
        developmentKey(here.path),
        "--refund",
        "1",
      ],
      { cwd: root },
    );
    // Per line, in cents: round(price × quantity × 12 % for Rock, 8.5 % else), summed by hand from sales.csv.
    expect(stdout).toMatch(/Ada Lind +12 +17\.42 +17\.42 +17\.42/);
    expect(stdout).toMatch(/Bo Marsh +12 +17\.42 +17\.42 +17\.42/);
    expect(stdout).toMatch(/waits in negative_review/);
  } finally {
    server.process.kill("SIGTERM");
    await server.ended;
    here.remove();
  }
});
