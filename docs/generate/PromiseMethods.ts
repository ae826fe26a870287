/** The methods of `quittance/promise` as the compiler sees them: names and types of parameters, fields of inputs. */
import ts from "typescript";

const ROOT = new URL("../../", import.meta.url).pathname;
const SOURCE = `${ROOT}adapters/promise/Services.ts`;

/** The fields that an input may have; null where any name is one. */
export type Fields = ReadonlyMap<string, Fields | null>;

/** A parameter of a method. */
export interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly fields: Fields | null;
}

/** A method of a service. */
export interface Method {
  readonly service: string;
  readonly name: string;
  /** The first paragraph of its comment. */
  readonly description: string;
  /** Without the options of calls, which every method takes last. */
  readonly parameters: ReadonlyArray<Parameter>;
}

const programOf = (): ts.Program => {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  return ts.createProgram({
    rootNames: [SOURCE],
    options: { ...options, noEmit: true, types: ["node"], customConditions: ["quittance-source"] },
  });
};

/** Formulas have a language of their own, whose decoder refuses what it does not know. */
const LANGUAGE = "expression";

/** Reads the fields of types. */
const reader = (checker: ts.TypeChecker) => {
  const fieldsOf = (type: ts.Type, within: ReadonlyArray<ts.Type> = []): Fields | null => {
    if (within.includes(type)) return null;
    const members = type.isUnion() ? type.types : [type];
    const merged = new Map<string, Fields | null>();
    let hasObject = false;
    for (const member of members) {
      if ((member.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) continue;
      if (checker.isArrayType(member) || checker.isTupleType(member)) {
        const item = checker.getIndexTypeOfType(member, ts.IndexKind.Number);
        const fields = item === undefined ? null : fieldsOf(item, [...within, type]);
        if (fields === null) continue;
        hasObject = true;
        for (const [name, below] of fields) merged.set(name, below);
        continue;
      }
      const isOpen = checker.getIndexInfosOfType(member).length > 0 || member.getCallSignatures().length > 0;
      if (isOpen || ["Date", "Uint8Array"].includes(member.symbol?.name)) return null;
      hasObject = true;
      for (const property of member.getProperties()) {
        const below =
          property.name === LANGUAGE ? null : fieldsOf(checker.getTypeOfSymbol(property), [...within, type]);
        merged.set(property.name, below);
      }
    }
    return hasObject ? merged : null;
  };
  return fieldsOf;
};

const OPTIONS = "options";

/** The parameters of a signature, those of a rest parameter under the labels of its tuple. */
const parametersOf = (
  checker: ts.TypeChecker,
  signature: ts.Signature,
): ReadonlyArray<{ readonly name: string; readonly isOptional: boolean; readonly type: ts.Type }> =>
  signature.getParameters().flatMap((parameter) => {
    const { valueDeclaration } = parameter;
    const type = checker.getTypeOfSymbol(parameter);
    const isRest =
      valueDeclaration !== undefined &&
      ts.isParameter(valueDeclaration) &&
      valueDeclaration.dotDotDotToken !== undefined;
    if (!isRest || !checker.isTupleType(type)) {
      const isOptional =
        valueDeclaration !== undefined &&
        ts.isParameter(valueDeclaration) &&
        checker.isOptionalParameter(valueDeclaration);
      return [{ name: parameter.name, isOptional, type }];
    }
    const { elementFlags, labeledElementDeclarations } = (type as ts.TupleTypeReference).target;
    return checker.getTypeArguments(type as ts.TypeReference).map((element, index) => {
      const label = labeledElementDeclarations?.[index]?.name;
      if (label === undefined || !ts.isIdentifier(label))
        throw new Error(`a parameter of ${checker.signatureToString(signature)} has no name`);
      const isOptional = ((elementFlags[index] ?? 0) & ts.ElementFlags.Optional) !== 0;
      return { name: label.text, isOptional, type: element };
    });
  });

/** Every method of every service, in the order of the services. */
export const promiseMethods = (): ReadonlyArray<Method> => {
  const program = programOf();
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(SOURCE);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const derivation = (module === undefined ? [] : checker.getExportsOfModule(module)).find(
    ({ name }) => name === "Derivation",
  );
  if (derivation === undefined) throw new Error(`${SOURCE} exports no Derivation`);
  const fieldsOf = reader(checker);
  return checker
    .getDeclaredTypeOfSymbol(derivation)
    .getProperties()
    .flatMap((service) =>
      checker
        .getTypeOfSymbol(service)
        .getProperties()
        .map((method): Method => {
          const [signature] = checker.getTypeOfSymbol(method).getCallSignatures();
          if (signature === undefined) throw new Error(`${service.name}.${method.name} is no method`);
          return {
            service: service.name,
            name: method.name,
            description: ts.displayPartsToString(method.getDocumentationComment(checker)),
            parameters: parametersOf(checker, signature)
              .filter(({ name }) => name !== OPTIONS)
              .map(({ type, ...parameter }) => ({ ...parameter, fields: fieldsOf(type) })),
          };
        }),
    );
};
