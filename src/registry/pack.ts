import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { assert, isObject } from '../base/index.ts';
import type { TypeFacts } from './type-facts.ts';

/** Where the facts of a type lie in the file of blobs. */
export interface PackEntry {
  readonly typeName: string;
  readonly offset: number; // bytes
  readonly length: number; // bytes
  /** Its validator was compiled at build time. */
  readonly precompiled: boolean;
}

/** Names in `dist/schema-pack/`: the index, the blobs, and the folder of compiled validators. */
export const PACK_FILES = {
  index: 'index.tsv',
  blobs: 'types.bin',
  validators: 'validators',
} as const;

const INDEX_HEAD = 'overcast-cfn schema pack 1';

/** The file of a type's compiled validator, from the pack's folder. */
export function validatorFile(typeName: string): string {
  return join(PACK_FILES.validators, `${typeName.replaceAll('::', '-')}.cjs`);
}

/** The index as text: a line that says what it is, then one a type. */
export function formatIndex(entries: readonly PackEntry[]): string {
  const lines = entries.map(({ typeName, offset, length, precompiled }) =>
    [typeName, offset, length, precompiled ? 1 : 0].join('\t'),
  );
  return `${[INDEX_HEAD, ...lines].join('\n')}\n`;
}

export interface Pack {
  typeNames(): readonly string[];
  /** Reads the facts of one type; undefined when the pack has none. */
  read(typeName: string): { readonly facts: TypeFacts; readonly precompiled: boolean } | undefined;
}

/** Opens the schema pack of the package at `root`. Reads the index now and each type on demand. */
export function openPack(root: string): Pack {
  const folder = join(root, 'dist/schema-pack');
  // Searched as text: to parse 1,800 entries takes longer than to find the dozen a stack needs.
  const index = readFileSync(join(folder, PACK_FILES.index), 'latin1');
  assert(index.startsWith(`${INDEX_HEAD}\n`), 'the schema pack was built by this version');
  const blobs = join(folder, PACK_FILES.blobs);
  return {
    typeNames: () =>
      index
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.slice(0, line.indexOf('\t'))),
    read(typeName) {
      const entry = findEntry(index, typeName);
      if (entry === undefined) return undefined;
      return { facts: readFacts(blobs, entry), precompiled: entry.precompiled };
    },
  };
}

function findEntry(index: string, typeName: string): PackEntry | undefined {
  const before = index.indexOf(`\n${typeName}\t`);
  if (before < 0 || typeName.includes('\n')) return undefined;
  const line = index.slice(before + 1, index.indexOf('\n', before + 1));
  const [, offset, length, precompiled] = line.split('\t');
  return {
    typeName,
    offset: Number(offset),
    length: Number(length),
    precompiled: precompiled === '1',
  };
}

function readFacts(file: string, { offset, length }: PackEntry): TypeFacts {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  try {
    const count = readSync(descriptor, bytes, 0, length, offset);
    assert(count === length, 'the schema pack is as long as its index says');
  } finally {
    closeSync(descriptor);
  }
  const facts: TypeFacts = JSON.parse(inflateRawSync(bytes).toString('utf8'));
  assert(isObject(facts.schema), 'a blob of the schema pack holds facts');
  return facts;
}
