import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../../support/root.ts';

/** A Markdown page of the repository, by its path from the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** One fenced block: its language, what it holds, and where that stands in the page. */
export interface Block {
  readonly language: string;
  readonly body: string;
  readonly from: number;
}

/** Pages that promise more than this version does: what is to come is not asked of the command. */
const DESIGN = ['docs/architecture.md', 'docs/cli-contract.md', 'docs/decisions.md'];

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** Every page of the repository's own, wherever it stands. */
export function allPages(): readonly Page[] {
  const inside = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  const here = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  return [...here, ...['docs', 'data', 'src'].flatMap(inside)].map(readPage);
}

/** The pages a user reads. */
export function userPages(): readonly Page[] {
  return allPages().filter(
    ({ path }) => !DESIGN.includes(path) && !path.startsWith('src/') && path !== 'CONTRIBUTING.md',
  );
}

export function blocksOf({ text }: Page): readonly Block[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ({ index, 1: language = '', 2: body = '' }) => ({
      language,
      body,
      from: index + language.length + 4,
    }),
  );
}

/** The text with one block's body replaced. */
export function withBlock(text: string, { from, body }: Block, now: string): string {
  return text.slice(0, from) + now + text.slice(from + body.length);
}

/** What stands in code: fenced blocks line by line, and spans. */
export function codeOf(page: Page): readonly string[] {
  const blocks = blocksOf(page).flatMap(({ body }) => body.split('\n'));
  const prose = page.text.replace(/^```.*?^```$/gms, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans];
}

/** Targets of the page's links that lead into the repository, from the root, without their anchor. */
export function linksOf(page: Page): readonly { readonly path: string; readonly anchor: string }[] {
  const prose = page.text.replace(/^```.*?^```$/gms, '').replace(/`[^`]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      const path = file === '' ? page.path : join(dirname(page.path), file);
      return { path: relative(ROOT, join(ROOT, path)), anchor };
    });
}

/** The anchors that a page's headings make, as forges make them. */
export function anchorsOf({ text }: Page): readonly string[] {
  const headings = [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** A page's sections of a level: heading → text, in order. */
export function sectionsOf({ text }: Page, level: number): ReadonlyMap<string, string> {
  const marks = '#'.repeat(level);
  const parts = text.split(new RegExp(`^${marks} (.+)$`, 'gm')).slice(1);
  const sections = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) {
    sections.set((parts[at] ?? '').replaceAll('`', ''), (parts[at + 1] ?? '').trim());
  }
  return sections;
}
