/** Turns rows into attributions, as the interface takes them, and checks each without storing anything. */
import { Effect, Either, Schema } from "effect";
import { Attribution, type AttributionSchema, Properties, Refusal } from "quittance";
import type { CommandFailed } from "../CommandFailed.ts";
import type { Target } from "../Target.ts";
import { creditsOf } from "./Credits.ts";
import { type KnownPartners, listAll, loadPartners, partnerNamed, partnerWithId } from "./KnownPartners.ts";
import { asType, dayValue, fieldValue, type Mapping, momentValue, propertyValue, takes } from "./Mapping.ts";
import type { Row } from "./Rows.ts";

/** An attribution as the interface takes it. */
export type Body = Readonly<Record<string, unknown>>;

/** A row's attribution, null where the mapping leaves the row out, or what is wrong with the row. */
export type Prepared = Either.Either<Body | null, string>;

export type Definition = AttributionSchema.AttributionSchema["properties"][number];

interface SchemaRecord {
  readonly id: string;
  readonly properties: ReadonlyArray<Definition>;
}

/** Schemas by id, and the partners. */
interface KnownRecords {
  readonly schemas: ReadonlyMap<string, ReadonlyArray<Definition>>;
  readonly partners: KnownPartners;
}

/** Loads the schemas and partners against which rows are checked. */
const loadKnownRecords = (target: Target): Effect.Effect<KnownRecords, CommandFailed> =>
  Effect.gen(function* () {
    const schemas = yield* listAll<SchemaRecord>(target, "attribution-schemas", "attribution_schemas");
    return {
      schemas: new Map(schemas.map(({ id, properties }) => [id, properties])),
      partners: yield* loadPartners(target),
    };
  });

const decode = Schema.decodeUnknownEither(Attribution.Create);

/** A required text field of a row. */
const requiredText = (
  name: string,
  field: Parameters<typeof fieldValue>[0],
  row: Row,
): Either.Either<string, string> =>
  Either.flatMap(fieldValue(field, row), (value) =>
    value === undefined ? Either.left(`${name} is empty`) : Either.right(String(value).trim()),
  );

/** The id of a partner that a row names by its id, or by its name in the workspace. */
const partnerBy = (
  by: "id" | "name" | undefined,
  workspaceId: string,
  { partners }: KnownRecords,
  text: string,
): Either.Either<string, string> =>
  by === "name" ? partnerNamed(partners, workspaceId, text) : partnerWithId(partners, text);

const partnerOf = (
  { partner_id: field }: Mapping,
  workspaceId: string,
  known: KnownRecords,
  row: Row,
): Either.Either<string, string> =>
  Either.flatMap(requiredText("partner_id", field, row), (text) =>
    partnerBy(typeof field === "object" && "by" in field ? field.by : "id", workspaceId, known, text),
  );

/** The credits of a row; no field where it has none. */
const creditsField = (
  { credits: field }: Mapping,
  workspaceId: string,
  known: KnownRecords,
  row: Row,
): Either.Either<Body, string> => {
  if (field === undefined) return Either.right({});
  return Either.flatMap(creditsOf(row.cell(field.column)), (found) =>
    found === null
      ? Either.right({})
      : Either.map(
          Either.all(
            found.map(({ partner, stated }, index) =>
              partnerBy(field.by, workspaceId, known, partner).pipe(
                Either.mapBoth({
                  onLeft: (problem) => `credits.${index}.partner_id: ${problem}`,
                  onRight: (partner_id) => ({ partner_id, ...stated }),
                }),
              ),
            ),
          ),
          (credits) => ({ credits }),
        ),
  );
};

/** The properties of a row; those whose cells are empty are left out. */
const propertiesOf = (
  mapping: Mapping,
  definitions: ReadonlyArray<Definition>,
): ((row: Row) => Either.Either<Readonly<Record<string, unknown>>, string>) => {
  const fields = Object.entries(mapping.properties).map(([name, field]) => ({
    ...{ name, field },
    type: definitions.find((definition) => definition.name === name)?.type,
  }));
  return (row) => {
    const properties: Record<string, unknown> = {};
    for (const { name, field, type } of fields) {
      const cellValue = propertyValue(field, row);
      if (Either.isLeft(cellValue)) return Either.left(cellValue.left);
      if (cellValue.right === undefined) continue;
      const value = type === undefined ? cellValue : asType(cellValue.right, type);
      if (Either.isLeft(value)) return Either.left(`properties.${name}: ${value.left}`);
      properties[name] = value.right;
    }
    return Either.right(properties);
  };
};

/** When the sale of a row was settled elsewhere; no field where it was not. */
const elsewhereField = ({ settled_elsewhere: fields }: Mapping, row: Row): Either.Either<Body, string> => {
  if (fields === undefined) return Either.right({});
  const reference =
    fields.reference === undefined ? Either.right(undefined) : fieldValue(fields.reference, row);
  return Either.flatMap(
    Either.all({ at: momentValue("settled_elsewhere.at", fields.at, row), reference }),
    (stated) => {
      if (stated.at !== undefined)
        return Either.right({
          settled_elsewhere: {
            at: stated.at,
            ...(stated.reference === undefined ? {} : { reference: String(stated.reference).trim() }),
          },
        });
      return stated.reference === undefined
        ? Either.right({})
        : Either.left("settled_elsewhere.at is empty, and there is a reference");
    },
  );
};

/** The fields of a row that it may lack. */
const optionalOf = (mapping: Mapping, row: Row): Either.Either<Body, string> => {
  const { external_reference: reference, occurred_at: date, occurred_on: day } = mapping;
  const nothing = Either.right(undefined);
  return Either.flatMap(
    Either.all({
      external_reference:
        reference === undefined ? nothing : requiredText("external_reference", reference, row),
      occurred_at: date === undefined ? nothing : momentValue("occurred_at", date, row),
      occurred_on: day === undefined ? nothing : dayValue(day, row),
    }),
    (fields) =>
      Either.map(elsewhereField(mapping, row), (elsewhere) => ({
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
        ...elsewhere,
      })),
  );
};

/** Turns rows into attributions, and checks them. */
interface Preparation {
  /** The attribution of a row, without the checks that the interface makes. */
  readonly read: (row: Row) => Prepared;
  /** The attribution of a row, where the target's schemas and partners allow it. */
  readonly check: (row: Row) => Prepared;
}

/** Why the interface would refuse an attribution, or null. */
export const problemOf = (body: Body, definitions: ReadonlyArray<Definition>): string | null => {
  const decoded = decode(body);
  if (Either.isLeft(decoded)) return Refusal.fromParseError(decoded.left).message;
  const conforming = Properties.conform(decoded.right.properties, definitions);
  if (Either.isLeft(conforming)) return conforming.left.message;
  const dated = Attribution.checkDates(
    decoded.right,
    Date.now() as Parameters<typeof Attribution.checkDates>[1],
  );
  return Either.isLeft(dated) ? dated.left.message : null;
};

/** A row's schema, and how its properties are read. */
interface SchemaOfRow {
  readonly definitions: ReadonlyArray<Definition>;
  readonly properties: ReturnType<typeof propertiesOf>;
}

/** Reads rows and checks them against the partners and schemas of the target. */
export const prepareRows = (target: Target, mapping: Mapping): Effect.Effect<Preparation, CommandFailed> =>
  Effect.map(loadKnownRecords(target), (facts) => {
    const schemas = new Map<string, SchemaOfRow>();
    for (const [id, definitions] of facts.schemas)
      schemas.set(id, { definitions, properties: propertiesOf(mapping, definitions) });
    const readTaken = (row: Row): Either.Either<readonly [body: Body, schema: SchemaOfRow], string> => {
      const workspace = requiredText("workspace_id", mapping.workspace_id, row);
      if (Either.isLeft(workspace)) return Either.left(workspace.left);
      const workspace_id = workspace.right.toLowerCase();
      const schemaText = requiredText("schema_id", mapping.schema_id, row);
      if (Either.isLeft(schemaText)) return Either.left(schemaText.left);
      const schema_id = schemaText.right.toLowerCase();
      const schema = schemas.get(schema_id);
      if (schema === undefined) return Either.left(`there is no attribution schema "${schema_id}"`);
      const partner = partnerOf(mapping, workspace_id, facts, row);
      if (Either.isLeft(partner)) return Either.left(partner.left);
      const optional = optionalOf(mapping, row);
      if (Either.isLeft(optional)) return Either.left(optional.left);
      const credits = creditsField(mapping, workspace_id, facts, row);
      if (Either.isLeft(credits)) return Either.left(credits.left);
      const properties = schema.properties(row);
      if (Either.isLeft(properties)) return Either.left(properties.left);
      const ids = { workspace_id, schema_id, partner_id: partner.right };
      return Either.right([
        { ...ids, ...optional.right, ...credits.right, properties: properties.right },
        schema,
      ]);
    };
    const read = (row: Row) => {
      const isTaken = row.problem === null ? takes(mapping, row) : Either.left(row.problem);
      return Either.flatMap(isTaken, (taken) => (taken ? readTaken(row) : Either.right(null)));
    };
    return {
      read: (row) => Either.map(read(row), (found) => found?.[0] ?? null),
      check: (row) =>
        Either.flatMap(read(row), (found) => {
          if (found === null) return Either.right(null);
          const [body, { definitions }] = found;
          const problem = problemOf(body, definitions);
          return problem === null ? Either.right(body) : Either.left(problem);
        }),
    };
  });
