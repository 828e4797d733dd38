import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';

const root = fileURLToPath(new URL('../../../services/', import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^\w+\/src\//.test(path) && path.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const useCases = sources.filter(({ path }) => path.includes('/usecases/'));

/** The verbs that names of use cases start with, unless the name is that of an RPC. */
const VERBS = new Set(
  (
    'add apply archive authenticate begin cancel change complete create delete disable downgrade end export find finish ' +
    'get handle import list mail mint preview put queue receive recheck reconcile refresh release remove rename render ' +
    'renew resume retry revoke rotate set store sweep switch sync test update upload verify'
  ).split(' '),
);
const rpcNames = new Set(
  Object.values({ ...rpcServices, ...operatorServices })
    .flatMap((definition) => Object.keys(definition))
    .map((name) => name.toLowerCase()),
);

interface Exported {
  name: string;
  /** Undefined for a value that is not a function. */
  parameters?: readonly ts.ParameterDeclaration[];
}

/** Returns the values that a source exports. */
function exportsOf({ path, text }: { path: string; text: string }): Exported[] {
  const isExported = (node: ts.HasModifiers): boolean =>
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements.flatMap((node): Exported[] => {
    if (ts.isExportDeclaration(node)) return [{ name: 'export' }];
    if (ts.isFunctionDeclaration(node) && isExported(node)) {
      return [{ name: node.name!.text, parameters: node.parameters }];
    }
    if (!ts.isVariableStatement(node) || !isExported(node)) return [];
    return node.declarationList.declarations.map(({ name, initializer }) => ({
      name: (name as ts.Identifier).text,
      ...(initializer && ts.isArrowFunction(initializer) && { parameters: initializer.parameters }),
    }));
  });
}

const typeName = (type: ts.TypeNode | undefined): string =>
  type && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) ? type.typeName.text : '';

const isPrincipal = ({ type }: ts.ParameterDeclaration): boolean =>
  (type && ts.isUnionTypeNode(type) ? [...type.types] : [type]).some((each) =>
    ['Principal', 'Operator'].includes(typeName(each)),
  );

/** Returns whether a parameter is an object, or a list of objects. */
function isInput({ type }: ts.ParameterDeclaration): boolean {
  const list = type && ts.isTypeOperatorNode(type) ? type.type : type;
  const item = list && ts.isArrayTypeNode(list) ? list.elementType : list;
  if (item === undefined || isKeyword(item.kind)) return false;
  return !['Buffer', 'Date', 'AbortSignal', 'Map', 'Set'].includes(typeName(item));
}

const isKeyword = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword;

/** Returns the problems with the name and parameters of a use case. */
function defectsOf({ name, parameters = [] }: Exported): string[] {
  const [deps, second, third, ...more] = parameters;
  const [verb] = name.match(/^[a-z]+/)!;
  const input = second && isPrincipal(second) ? third : second;
  const isFreeOf = {
    'is not a verb and a noun': (VERBS.has(verb) && verb !== name) || rpcNames.has(name.toLowerCase()),
    'does not take its dependencies first': deps !== undefined && !isPrincipal(deps),
    'takes something other than (deps, by, input)': more.length === 0 && (third === undefined || third === input),
    'takes an input that is not an object': input === undefined || isInput(input),
  };
  return Object.entries(isFreeOf).flatMap(([defect, isFine]) => (isFine ? [] : [defect]));
}

const camelCase = (path: string): string =>
  basename(path, '.ts').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('every use case', () => {
  test('is the only function that its file exports, and the file is named after it', () => {
    expect(useCases.length).toBeGreaterThan(90);
    const wrong = useCases.filter((source) => {
      const [useCase, ...others] = exportsOf(source);
      return others.length > 0 || useCase?.name !== camelCase(source.path) || !useCase.parameters;
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('is verbNoun(deps, by, input), without `by` if it acts for no principal', () => {
    const defects = useCases.flatMap((source) =>
      exportsOf(source)
        .flatMap(defectsOf)
        .map((defect) => `${source.path} ${defect}`),
    );
    expect(defects).toEqual([]);
  });

  test('is called by RPCs, events and jobs, and by no use case or step', () => {
    const callers = new Map(useCases.map(({ path }) => [path, [] as string[]]));
    for (const { path, text } of sources) {
      for (const [, specifier] of text.matchAll(/^import (?!type)[^;]*? from '(\.[^']+)\.js';$/gm)) {
        callers.get(join(dirname(path), `${specifier}.ts`))?.push(path);
      }
    }
    const isInner = (path: string): boolean => /\/(usecases|steps|domain|store)\//.test(path);
    expect([...callers].filter(([, files]) => files.length === 0 || files.some(isInner))).toEqual([]);
  });
});
