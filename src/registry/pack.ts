import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { assert, isObject, present } from '../base/index.ts';
import type { TypeFacts } from './type-facts.ts';

/** Where a type's facts lie in the file of blobs: offset and length in bytes; 1: has a validator. */
export type PackEntry = readonly [offset: number, length: number, precompiled: 0 | 1];

/** `dist/schema-pack/index.json`, written by `scripts/build-schema-pack.ts`. */
export interface PackIndex {
  readonly formatVersion: number;
  readonly types: { readonly [typeName: string]: PackEntry };
}

export const PACK_FORMAT = 1;

/** Names in `dist/schema-pack/`: the index, the blobs, and the folder of compiled validators. */
export const PACK_FILES = {
  index: 'index.json',
  blobs: 'types.bin',
  validators: 'validators',
} as const;

/** The file of a type's compiled validator, from the pack's folder. */
export function validatorFile(typeName: string): string {
  return join(PACK_FILES.validators, `${typeName.replaceAll('::', '-')}.cjs`);
}

export interface Pack {
  readonly typeNames: readonly string[];
  /** Reads the facts of one type; undefined when the pack has none. */
  read(typeName: string): { readonly facts: TypeFacts; readonly precompiled: boolean } | undefined;
}

/** Opens the schema pack of the package at `root`. Reads the index now and each type on demand. */
export function openPack(root: string): Pack {
  const folder = join(root, 'dist/schema-pack');
  const index = readIndex(join(folder, PACK_FILES.index));
  const blobs = join(folder, PACK_FILES.blobs);
  return {
    typeNames: Object.keys(index.types),
    read(typeName) {
      if (!Object.hasOwn(index.types, typeName)) return undefined;
      const [offset, length, precompiled] = present(
        index.types[typeName],
        'an own key has a value',
      );
      const facts = parseFacts(readBytes(blobs, offset, length));
      return { facts, precompiled: precompiled === 1 };
    },
  };
}

function readIndex(file: string): PackIndex {
  const index: PackIndex = JSON.parse(readFileSync(file, 'utf8'));
  assert(index.formatVersion === PACK_FORMAT, 'the schema pack was built by this version');
  return index;
}

function readBytes(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  try {
    const count = readSync(descriptor, bytes, 0, length, offset);
    assert(count === length, 'the schema pack is as long as its index says');
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

function parseFacts(blob: Buffer): TypeFacts {
  const facts: TypeFacts = JSON.parse(inflateRawSync(blob).toString('utf8'));
  assert(isObject(facts.schema), 'a blob of the schema pack holds facts');
  return facts;
}
