/** A receiver of webhooks on this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A receiver of webhooks that takes everything. */
export const startReceiver = async () => {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/quittance`,
    until: async (count: number): Promise<void> => {
      while (received < count) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
