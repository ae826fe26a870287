declare module "autocannon" {
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  interface Load {
    readonly url: string;
    readonly connections: number;
    readonly duration?: number;
    readonly amount?: number;
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  const autocannon: (load: Load) => Promise<Result>;
  export default autocannon;
}
