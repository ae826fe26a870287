/** Turns rows into attributions, as the interface takes them, and checks each without storing anything. */
import { Effect, Either, Schema } from "effect";
import { Attribution, type AttributionSchema, Properties, Refusal } from "quittance";
import type { CommandFailed } from "../CommandFailed.ts";
import { refusal, type Target } from "../Target.ts";
import { asDateTime, asType, fieldValue, type Mapping } from "./Mapping.ts";
import type { Row } from "./Rows.ts";

/** An attribution as the interface takes it. */
export type Body = Readonly<Record<string, unknown>>;

/** A row's attribution, or what is wrong with the row. */
export type Prepared = Either.Either<Body, string>;

type Definition = AttributionSchema.AttributionSchema["properties"][number];

const PAGE = 100;

/** Every record of a list that a target shows. */
const all = <Item>(
  target: Target,
  path: string,
  field: string,
  filters = "",
): Effect.Effect<ReadonlyArray<Item>, CommandFailed> =>
  Effect.gen(function* () {
    const items: Array<Item> = [];
    for (let page = 1; ; page++) {
      const reply = yield* target.request("GET", `${path}?page=${page}&per_page=${PAGE}${filters}`);
      if (reply.status !== 200) return yield* refusal(reply, `${path} cannot be read`);
      const found = (reply.body as Readonly<Record<string, ReadonlyArray<Item>>>)[field] ?? [];
      items.push(...found);
      if (found.length < PAGE) return items;
    }
  });

interface SchemaRecord {
  readonly id: string;
  readonly properties: ReadonlyArray<Definition>;
}

interface PartnerRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly view?: { readonly name?: string };
  readonly name?: string;
}

/** Schemas by id; partners by id, and by workspace and name, with an empty id for a name that several have. */
interface Known {
  readonly schemas: ReadonlyMap<string, ReadonlyArray<Definition>>;
  readonly partners: ReadonlySet<string>;
  readonly partnersByName: ReadonlyMap<string, string>;
}

const AMBIGUOUS = "";

const nameKey = (workspaceId: string, name: string): string => `${workspaceId} ${name.normalize("NFC")}`;

/** What rows are checked against. */
const known = (target: Target): Effect.Effect<Known, CommandFailed> =>
  Effect.gen(function* () {
    const schemas = yield* all<SchemaRecord>(target, "attribution-schemas", "attribution_schemas");
    const partners = yield* all<PartnerRecord>(target, "partners", "partners");
    const partnersByName = new Map<string, string>();
    for (const { id, workspace_id, name, view } of partners) {
      const key = nameKey(workspace_id, name ?? view?.name ?? "");
      partnersByName.set(key, partnersByName.has(key) ? AMBIGUOUS : id);
    }
    return {
      schemas: new Map(schemas.map(({ id, properties }) => [id, properties])),
      partners: new Set(partners.map(({ id }) => id)),
      partnersByName,
    };
  });

const decode = Schema.decodeUnknownEither(Attribution.Create);

/** A required text field of a row. */
const text = (
  name: string,
  field: Parameters<typeof fieldValue>[0],
  row: Row,
): Either.Either<string, string> =>
  Either.flatMap(fieldValue(field, row), (value) =>
    value === undefined ? Either.left(`${name} is empty`) : Either.right(String(value).trim()),
  );

const partnerOf = (
  { partner_id: field }: Mapping,
  workspaceId: string,
  { partners, partnersByName }: Known,
  row: Row,
): Either.Either<string, string> =>
  Either.flatMap(text("partner_id", field, row), (stated) => {
    if (typeof field === "object" && field.by === "name") {
      const id = partnersByName.get(nameKey(workspaceId, stated));
      if (id === AMBIGUOUS) return Either.left(`several partners of the workspace are named "${stated}"`);
      return id === undefined
        ? Either.left(`no partner of the workspace is named "${stated}"`)
        : Either.right(id);
    }
    const id = stated.toLowerCase();
    return partners.has(id) ? Either.right(id) : Either.left(`there is no partner "${stated}"`);
  });

const propertiesOf = (
  mapping: Mapping,
  definitions: ReadonlyArray<Definition>,
  row: Row,
): Either.Either<Readonly<Record<string, unknown>>, string> =>
  Either.gen(function* () {
    const properties: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(mapping.properties)) {
      const value = yield* fieldValue(field, row);
      if (value === undefined) continue;
      const type = definitions.find((definition) => definition.name === name)?.type;
      properties[name] =
        type === undefined
          ? value
          : yield* Either.mapLeft(asType(value, type), (problem) => `properties.${name}: ${problem}`);
    }
    return properties;
  });

/** Makes the attributions of rows; each is checked against what the target knows. */
export const makePrepare = (
  target: Target,
  mapping: Mapping,
): Effect.Effect<(row: Row) => Prepared, CommandFailed> =>
  Effect.map(
    known(target),
    (facts) => (row) =>
      Either.gen(function* () {
        if (row.problem !== null) return yield* Either.left(row.problem);
        const workspace_id = (yield* text("workspace_id", mapping.workspace_id, row)).toLowerCase();
        const schema_id = (yield* text("schema_id", mapping.schema_id, row)).toLowerCase();
        const definitions = facts.schemas.get(schema_id);
        if (definitions === undefined)
          return yield* Either.left(`there is no attribution schema "${schema_id}"`);
        const partner_id = yield* partnerOf(mapping, workspace_id, facts, row);
        const { external_reference: reference, occurred_at: date } = mapping;
        const external_reference =
          reference === undefined ? undefined : yield* text("external_reference", reference, row);
        const stated = date === undefined ? undefined : yield* fieldValue(date, row);
        const occurred_at =
          stated === undefined
            ? undefined
            : yield* Either.mapLeft(asDateTime(stated), (problem) => `occurred_at: ${problem}`);
        const body: Body = {
          workspace_id,
          schema_id,
          partner_id,
          ...(external_reference === undefined ? {} : { external_reference }),
          ...(occurred_at === undefined ? {} : { occurred_at }),
          properties: yield* propertiesOf(mapping, definitions, row),
        };
        const asked = yield* Either.mapLeft(decode(body), (error) => Refusal.fromParseError(error).message);
        yield* Either.mapLeft(Properties.conform(asked.properties, definitions), ({ message }) => message);
        yield* Either.mapLeft(
          Attribution.checkOccurredAt(asked, Date.now() as Parameters<typeof Attribution.checkOccurredAt>[1]),
          ({ message }) => message,
        );
        return body;
      }),
  );
