import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

export interface Import {
  /** As it is written. */
  readonly specifier: string;
  /** Path from src/ of a module of this package; undefined for any other. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
  readonly star: boolean;
}

export interface Source {
  /** Path from src/. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
  /** Names that it exports, types too. */
  readonly exports: readonly string[];
}

const SRC = new URL('../../src/', import.meta.url);

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    const names =
      node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    return node.isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly));
  }
  const clause = node.importClause;
  if (clause === undefined) return false;
  const bindings = clause.namedBindings;
  const names = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  return clause.isTypeOnly || (clause.name === undefined && names.length > 0 && names.every((name) => name.isTypeOnly));
}

function targetOf(specifier: string, from: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return new URL(specifier, new URL(from, SRC)).href.slice(SRC.href.length);
}

function exportedNames(file: ts.SourceFile): string[] {
  const names = file.statements.flatMap((statement): string[] => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map((name) => name.name.text) : [];
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map((declaration) => declaration.name.getText(file));
    }
    const named = statement as ts.Statement & { readonly name?: ts.Identifier };
    return named.name === undefined ? [] : [named.name.text];
  });
  return names.sort();
}

function read(path: string): Source {
  const text = readFileSync(new URL(path, SRC), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const imports: Import[] = [];
  const add = (specifier: string, typeOnly: boolean, star: boolean): void => {
    imports.push({ specifier, target: targetOf(specifier, path), typeOnly, star });
  };
  let hasDefaultExport = false;
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      const star =
        ts.isExportDeclaration(node) && (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause));
      add((node.moduleSpecifier as ts.StringLiteral).text, isTypeOnly(node), star);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      add(argument !== undefined && ts.isStringLiteral(argument) ? argument.text : '(computed)', false, false);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      add(node.argument.literal.text, true, false);
    }
    if (ts.isExportAssignment(node)) hasDefaultExport = true;
    if (node.kind === ts.SyntaxKind.DefaultKeyword && node.parent.kind !== ts.SyntaxKind.DefaultClause)
      hasDefaultExport = true;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { path, lines: text.split('\n').length - 1, imports, hasDefaultExport, exports: exportedNames(file) };
}

/** Every module under src/, the generated ones too. */
export const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map(read);
