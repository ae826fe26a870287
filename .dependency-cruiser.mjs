/** The direction of dependencies. Each rule says why it exists. */
export default {
  forbidden: [
    {
      name: "core-imports-effect-alone",
      comment: "The core runs anywhere, a browser included; whatever else it needs comes through a port.",
      severity: "error",
      from: { path: "^src/" },
      to: {
        dependencyTypes: ["npm", "npm-dev", "npm-peer", "npm-optional", "core"],
        pathNot: "node_modules/effect/",
      },
    },
    {
      name: "core-knows-no-adapter",
      comment: "Adapters depend on the core, never the other way round.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(adapters|examples|test)/" },
    },
    {
      name: "language-stands-alone",
      comment: "The formula language is of use without the engine.",
      severity: "error",
      from: { path: "^src/formula/" },
      to: { path: "^src/(domain|ports|services|testing|index|Quittance)" },
    },
    {
      name: "nodes-know-no-text",
      comment: "The text form is one way to write expressions; evaluating them never depends on it.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/formula/(text/|index)" },
      to: { path: "^src/formula/text/" },
    },
    {
      name: "domain-is-pure",
      comment: "Records and rules are values and functions; ports and services come after them.",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { path: "^src/(ports|services|testing|index|Quittance)" },
    },
    {
      name: "e-invoices-are-pure",
      comment: "An e-invoice is a function of records; services decide when it is made.",
      severity: "error",
      from: { path: "^src/einvoice/" },
      to: { path: "^src/(ports|services|testing|index|Quittance)" },
    },
    {
      name: "ports-know-no-service",
      comment: "A port says what a host supplies, in the words of the domain.",
      severity: "error",
      from: { path: "^src/ports/" },
      to: { path: "^src/(services|testing|index|Quittance)" },
    },
    {
      name: "services-are-not-tests",
      comment: "The test-kit watches the engine; the engine does not know it.",
      severity: "error",
      from: { path: "^src/(services|index|Quittance)" },
      to: { path: "^src/testing/" },
    },
    {
      name: "adapters-use-the-public-core",
      comment: "What an adapter of ours needs, a stranger's adapter needs too: it has to be public.",
      severity: "error",
      from: { path: "^adapters/" },
      to: { path: "^src/", dependencyTypes: ["local"] },
    },
    {
      name: "adapters-know-no-adapter",
      comment:
        "Each is chosen by itself; the server and the promises wire them. Two of them share the SQL dialect, and some send requests.",
      severity: "error",
      from: { path: "^adapters/([^/]+)/", pathNot: "^adapters/(server|promise)/" },
      to: { path: "^adapters/", pathNot: ["^adapters/$1/", "^adapters/(sql|outgoing)/"] },
    },
    {
      name: "client-stands-alone",
      comment: "Browsers load it: it needs nothing but the platform, and types of the formula language.",
      severity: "error",
      from: { path: "^adapters/client/" },
      to: { pathNot: "^adapters/client/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "http-sees-services-only",
      comment: "The HTTP adapter speaks to services; the store is none of its business.",
      severity: "error",
      from: { path: "^adapters/http/" },
      to: { path: "^adapters/(sql|postgres|pglite|memory)/" },
    },
    {
      name: "http-contract-stands-alone",
      comment: "Clients and browsers load the contract without the server.",
      severity: "error",
      from: { path: "^adapters/http/api/" },
      to: { path: "^adapters/http/", pathNot: "^adapters/http/api/" },
    },
    {
      name: "http-wire-knows-the-contract-alone",
      comment: "Text is turned into values and back without a request or a response.",
      severity: "error",
      from: { path: "^adapters/http/wire/" },
      to: { path: "^adapters/http/", pathNot: "^adapters/http/(api|wire)/" },
    },
    {
      name: "http-transport-knows-no-operation",
      comment: "It carries messages for whatever handles them.",
      severity: "error",
      from: { path: "^adapters/http/transport/" },
      to: { path: "^adapters/http/", pathNot: "^adapters/http/(api|wire|transport)/" },
    },
    {
      name: "http-handlers-know-no-server",
      comment:
        "A handler gets a decoded call and returns a response; the server decides whether it is called.",
      severity: "error",
      from: { path: "^adapters/http/handlers/" },
      to: { path: "^adapters/http/(server/|Mount|index)" },
    },
    {
      name: "console-uses-client-and-language",
      comment:
        "The pages talk to the server through the client of the package, and share the formula language alone.",
      severity: "error",
      from: { path: "^console/" },
      to: {
        path: "^(src|adapters|test|examples|build|docs)/",
        pathNot: "^(src/formula|adapters/client)/index",
      },
    },
    {
      name: "no-circles",
      comment: "A circle has no first file to read; types count.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "test/tsconfig.json" },
    enhancedResolveOptions: {
      conditionNames: ["quittance-source", "import", "node", "default"],
      exportsFields: ["exports"],
    },
  },
};
