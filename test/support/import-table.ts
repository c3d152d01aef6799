import { dirname, join } from 'node:path/posix';
import type { ImportLine } from './imports.ts';

/** Room → what it may import; `type`: only its types. */
export type ImportTable = ReadonlyMap<string, ReadonlyMap<string, 'all' | 'type'>>;

/** Packages that live in rooms, and the rooms (`docs/architecture.md`, above the table). */
const PACKAGES: { readonly [name: string]: readonly string[] } = {
  yaml: ['template', 'scenario'],
  ajv: ['registry', 'check'],
  commander: ['cli'],
  chalk: ['render'],
  'jsonc-parser': ['template'],
  dockerode: ['runtime/docker'],
};
const OUTSIDE = /^node:(fs|net|http|https|http2|tls|dgram|child_process|worker_threads)(\/|$)/;
const REACH_OUTSIDE = new Set([
  ...['assembly', 'registry', 'store', 'app', 'cli', 'server'],
  ...['runtime/docker', 'runtime/functions'],
]);
/** Rooms that consist of parts, each with an entry of its own. */
const PARTED = new Set(['aws', 'runtime']);

/** Reads the markdown table under `### src/` of docs/architecture.md. */
export function parseImportTable(markdown: string): ImportTable {
  const section = markdown.split(/^### src\/$/m)[1]?.split(/^###? /m)[0] ?? '';
  const table = new Map<string, ReadonlyMap<string, 'all' | 'type'>>();
  for (const line of section.split('\n').filter((text) => text.startsWith('| `'))) {
    const cells = line.split('|').map((cell) => cell.trim());
    const room = (cells[1] ?? '').replaceAll('`', '').replace(/\/$/, '');
    table.set(room, allowedBy(cells.at(-2) ?? '', [...table.keys()]));
  }
  return table;
}

function allowedBy(cell: string, above: readonly string[]): ReadonlyMap<string, 'all' | 'type'> {
  const allowed = new Map<string, 'all' | 'type'>([['base', 'all']]);
  if (cell === 'all above') for (const room of above) allowed.set(room, 'all');
  else if (cell !== '–') {
    for (const item of cell.split(/,\s*/)) {
      const [room = '', only] = item.split(':');
      allowed.set(room, only === 'type' ? 'type' : 'all');
    }
  }
  return allowed;
}

/**
 * The room of a file under `src/`: `engine`, `index.ts`, and with its part `aws/ecs`,
 * `runtime/simulated`.
 */
export function roomOf(file: string): string {
  const [room = '', part = ''] = file.split('/');
  return PARTED.has(room) ? `${room}/${part}` : room;
}

/** Where a relative import leads, from `src/`; undefined for a package. */
export function targetOf(file: string, { specifier }: ImportLine): string | undefined {
  return specifier.startsWith('.') ? join(dirname(file), specifier) : undefined;
}

/** What is wrong with an import of a file under `src/`, in words; undefined: nothing. */
export function faultOf(table: ImportTable, file: string, line: ImportLine): string | undefined {
  const target = targetOf(file, line);
  const fault =
    target === undefined
      ? packageFault(roomOf(file), line)
      : roomFault(table, { file, target, line });
  if (fault === undefined) return undefined;
  return `src/${file}:${line.line} imports ${line.specifier}: ${fault} (import table, docs/architecture.md)`;
}

function packageFault(room: string, { specifier }: ImportLine): string | undefined {
  if (specifier.startsWith('node:')) {
    if (!OUTSIDE.test(specifier) || REACH_OUTSIDE.has(room)) return undefined;
    return `${room} does not reach outside the process`;
  }
  const rooms = PACKAGES[specifier.split('/')[0] ?? ''];
  if (rooms === undefined) return 'a package that no room has';
  return rooms.includes(room) ? undefined : `this package lives in ${rooms.join(' and ')}`;
}

interface Crossing {
  readonly file: string;
  readonly target: string;
  readonly line: ImportLine;
}

function roomFault(table: ImportTable, { file, target, line }: Crossing): string | undefined {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to) return undefined;
  if (target !== `${to}/index.ts`) return `${to} is entered through its index.ts`;
  const [room, other] = [from.split('/')[0] ?? '', to.split('/')[0] ?? ''];
  if (room === other) return undefined; // one service uses another
  const row = table.get(room);
  if (row === undefined) return `${room} is no room of the table`;
  const allowed = row.get(other);
  if (allowed === undefined) return `${room} may not import ${other}`;
  if (allowed === 'type' && line.kind !== 'type')
    return `${room} may import only types of ${other}`;
  const heavy = room === 'cli' && other === 'app' && line.kind === 'static';
  return heavy ? 'cli imports app dynamically' : undefined;
}

/** A way through the graph that ends where it began, or undefined when there is none. */
export function findCycle(graph: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const done = new Set<string>();
  const walk = (room: string, path: readonly string[]): string | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room].join(' → ');
    if (done.has(room)) return undefined;
    for (const next of graph.get(room) ?? []) {
      const found = walk(next, [...path, room]);
      if (found !== undefined) return found;
    }
    done.add(room);
    return undefined;
  };
  for (const room of graph.keys()) {
    const found = walk(room, []);
    if (found !== undefined) return found;
  }
  return undefined;
}
