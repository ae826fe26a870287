/** Finds the route of a path: fixed segments take precedence over an id. */

/** The routes of one path, by method. */
interface PathRoutes<A> {
  readonly methods: ReadonlyMap<string, A>;
  /** The value of the Allow header. */
  readonly allow: string;
}

/** The routes of a path, and the escaped texts of its parameters, in their order. */
interface Match<A> {
  readonly routes: PathRoutes<A>;
  readonly parameters: ReadonlyArray<string>;
}

interface Node<A> {
  readonly fixed: Map<string, Node<A>>;
  parameter: Node<A> | null;
  readonly methods: Map<string, A>;
  allow: string;
}

const NONE: ReadonlyArray<string> = [];

const node = <A>(): Node<A> => ({ fixed: new Map(), parameter: null, methods: new Map(), allow: "" });

const child = <A>(parent: Node<A>, segment: string): Node<A> => {
  if (segment.startsWith("{")) {
    parent.parameter ??= node();
    return parent.parameter;
  }
  const existing = parent.fixed.get(segment);
  if (existing !== undefined) return existing;
  const created = node<A>();
  parent.fixed.set(segment, created);
  return created;
};

const allowOf = (methods: Iterable<string>): string =>
  [...methods]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ");

/** Routes by path, such as `/partners/{id}`; returns a function that finds the routes of a path, or null. */
export const make = <A extends { readonly method: string; readonly template: string }>(
  routes: Iterable<A>,
): ((path: string) => Match<A> | null) => {
  const root = node<A>();
  for (const route of routes) {
    const pathNode = route.template.slice(1).split("/").reduce<Node<A>>(child, root);
    pathNode.methods.set(route.method, route);
    pathNode.allow = allowOf(pathNode.methods.keys());
  }
  return (path) => {
    let current = root;
    let parameters = NONE;
    for (let from = 1; from <= path.length; ) {
      const slash = path.indexOf("/", from);
      const to = slash < 0 ? path.length : slash;
      const segment = path.slice(from, to);
      const next = current.fixed.get(segment);
      if (next !== undefined) current = next;
      else if (current.parameter === null || segment === "") return null;
      else {
        current = current.parameter;
        parameters = [...parameters, segment];
      }
      from = to + 1;
    }
    return current.methods.size === 0 ? null : { routes: current, parameters };
  };
};
