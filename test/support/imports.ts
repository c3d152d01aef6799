import ts from 'typescript';

/** One import or export-from of a file, as it is written. */
export interface ImportLine {
  readonly specifier: string; // './step.ts', 'node:fs', 'yaml'
  /** `type`: nothing of it is left at run time. `dynamic`: `await import(…)`. */
  readonly kind: 'static' | 'dynamic' | 'type';
  readonly line: number; // from 1
}

/** Every import of a TypeScript text, those inside types and expressions too, in their order. */
export function importsOf(text: string): readonly ImportLine[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const found: ImportLine[] = [];
  const visit = (node: ts.Node): void => {
    const one = importOf(node);
    if (one !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ ...one, line });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function importOf(node: ts.Node): Omit<ImportLine, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) {
    return named(node.moduleSpecifier, isTypeImport(node.importClause) ? 'type' : 'static');
  }
  if (ts.isExportDeclaration(node)) {
    return named(node.moduleSpecifier, isTypeExport(node) ? 'type' : 'static');
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return named(node.argument.literal, 'type');
  }
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isCall ? named(node.arguments[0], 'dynamic') : undefined;
}

function named(specifier: ts.Node | undefined, kind: ImportLine['kind']) {
  const text =
    specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : undefined;
  return text === undefined ? undefined : { specifier: text, kind };
}

/** `import type …`, or braces in which every name has the modifier `type`. */
function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false; // for its effects
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined) return false;
  return ts.isNamedImports(bindings) && bindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true;
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.every((element) => element.isTypeOnly);
}
