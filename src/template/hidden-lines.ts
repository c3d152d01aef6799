import { isObject, type JsonObject, type Path, type SourceSpan } from '../base/index.ts';

type Locate = (path: Path) => SourceSpan;

/** Shown instead of a line that must not be seen. */
const HIDDEN = '****';

/**
 * Places whose line is not shown where the default of a NoEcho parameter stands on it (P17): in a
 * template that is written in one line, that is every place.
 */
export function hidingDefaults(locate: Locate, body: JsonObject): Locate {
  const secret = namesOfDefaults(body);
  if (secret.length === 0) return locate;
  let lines: ReadonlySet<number> | undefined;
  return (path) => {
    lines ??= new Set(secret.map((name) => locate(['Parameters', name, 'Default']).line));
    const span = locate(path);
    return lines.has(span.line) ? { ...span, lineText: HIDDEN } : span;
  };
}

/** Parameters that hide their value and have one by default. */
function namesOfDefaults({ Parameters }: JsonObject): readonly string[] {
  const declarations = isObject(Parameters) ? Object.entries(Parameters) : [];
  const secret = declarations.filter(
    ([, declaration]) =>
      isObject(declaration) &&
      Object.hasOwn(declaration, 'Default') &&
      String(declaration['NoEcho'] ?? false).toLowerCase() === 'true',
  );
  return secret.map(([name]) => name);
}
