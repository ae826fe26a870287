declare module "autocannon" {
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  interface Request {
    readonly method: "GET" | "POST";
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  interface Load extends Partial<Request> {
    readonly url: string;
    readonly connections: number;
    readonly duration?: number;
    readonly amount?: number;
    /** Sent one after the other on each connection, again and again. */
    readonly requests?: ReadonlyArray<
      Request & {
        readonly path: string;
        readonly setupRequest: (request: object) => object;
        readonly onResponse: (status: number, body: string) => void;
      }
    >;
  }
  const autocannon: (load: Load) => Promise<Result>;
  export default autocannon;
}
