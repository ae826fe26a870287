/** The methods of `quittance/promise` as the compiler sees them: names and types of parameters, fields of inputs. */
import ts from "typescript";

const ROOT = new URL("../../", import.meta.url).pathname;
const SERVICES = `${ROOT}adapters/promise/Services.ts`;
const ENTRY = `${ROOT}adapters/promise/index.ts`;

/** The fields that an input may have; null where any name is one. */
export type Fields = ReadonlyMap<string, Fields | null>;

/** A parameter of a method. */
export interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly fields: Fields | null;
  /** The fields that may be absent. */
  readonly optional: ReadonlySet<string>;
}

/** A method of a service. */
export interface Method {
  /** Empty for a method of the engine itself. */
  readonly service: string;
  readonly name: string;
  /** The first paragraph of its comment. */
  readonly description: string;
  /** Without the options of calls, which every method of a service takes last. */
  readonly parameters: ReadonlyArray<Parameter>;
}

const programOf = (): ts.Program => {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  return ts.createProgram({
    rootNames: [ENTRY],
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

/** Methods whose options are not those of every call. */
const WITH_OPTIONS: ReadonlySet<string> = new Set(["open", "waitFor"]);

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

const optionalOf = (type: ts.Type): ReadonlySet<string> =>
  new Set(
    (type.isUnion() ? type.types : [type])
      .flatMap((member) => member.getProperties())
      .filter(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0)
      .map(({ name }) => name),
  );

/** Reads exported types and functions of the package. */
const read = () => {
  const program = programOf();
  const checker = program.getTypeChecker();
  const fieldsOf = reader(checker);
  const exported = (file: string, name: string): ts.Symbol => {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    const found = (module === undefined ? [] : checker.getExportsOfModule(module)).find(
      (symbol) => symbol.name === name,
    );
    if (found === undefined) throw new Error(`${file} exports no ${name}`);
    return found;
  };
  /** A function as a method; an object of functions as the methods of a service. */
  const methodsOf = (symbol: ts.Symbol, service = ""): ReadonlyArray<Method> => {
    const type = checker.getTypeOfSymbol(symbol);
    const [signature] = type.getCallSignatures();
    if (signature === undefined)
      return type.getProperties().flatMap((method) => methodsOf(method, symbol.name));
    const parameters = parametersOf(checker, signature)
      .filter(({ name }) => name !== OPTIONS || WITH_OPTIONS.has(symbol.name))
      .map(({ type: taken, ...parameter }) => ({
        ...parameter,
        fields: fieldsOf(taken),
        optional: optionalOf(checker.getNonNullableType(taken)),
      }));
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    return [{ service, name: symbol.name, description, parameters }];
  };
  const methodsIn = (file: string, name: string): ReadonlyArray<Method> =>
    checker
      .getDeclaredTypeOfSymbol(exported(file, name))
      .getProperties()
      .filter((property) => !property.name.startsWith("__@"))
      .flatMap((property) => methodsOf(property));
  return { exported, methodsOf, methodsIn };
};

let opened: ReturnType<typeof read> | undefined;

/** The same for each page, because the compiler takes seconds. */
const open = () => {
  opened ??= read();
  return opened;
};

/** Every method of every service that is derived, in the order of the services. */
export const promiseMethods = (): ReadonlyArray<Method> => {
  const { methodsIn } = open();
  return [...methodsIn(SERVICES, "Derivation"), ...methodsIn(SERVICES, "OperatorDerivation")];
};

/** Every method that a host can call: those of the engine, then those of the services of a caller. */
export const callableMethods = (): ReadonlyArray<Method> => {
  const { exported, methodsOf, methodsIn } = open();
  return [
    ...methodsOf(exported(ENTRY, "open")),
    ...methodsIn(ENTRY, "Quittance"),
    ...methodsIn(ENTRY, "Services"),
  ];
};
