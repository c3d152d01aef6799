import type { CollectionTag, ScalarTag } from 'yaml';

/**
 * YAML tags of CloudFormation's functions and the long form each stands for (F31). The functions
 * that only rules know have tags too, although the User Guide leaves them out of its list.
 */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['!Ref', 'Ref'],
  ['!Condition', 'Condition'],
  ...[
    'And',
    'Base64',
    'Cidr',
    'Contains',
    'EachMemberEquals',
    'EachMemberIn',
    'Equals',
    'FindInMap',
    'GetAZs',
    'GetAtt',
    'If',
    'ImportValue',
    'Join',
    'Not',
    'Or',
    'RefAll',
    'Select',
    'Split',
    'Sub',
    'Transform',
    'ValueOf',
    'ValueOfAll',
  ].map((name): [string, string] => [`!${name}`, `Fn::${name}`]),
]);

/** The function that a node's tag stands for: `Fn::Sub` of `!Sub`; undefined for other tags. */
export function longForm(tag: string | undefined): string | undefined {
  return tag === undefined ? undefined : SHORT_FORMS.get(tag);
}

export const SHORT_FORM_TAGS: readonly string[] = [...SHORT_FORMS.keys()];

/**
 * Tags that leave the node as it is: `yaml-values.ts` turns a tagged node into the long form. A
 * scalar stays text, so that `!Ref 012` is not read as a number.
 */
export const shortFormTags: readonly (ScalarTag | CollectionTag)[] = SHORT_FORM_TAGS.flatMap(
  (tag): (ScalarTag | CollectionTag)[] => [
    { tag, resolve: (text: string) => text },
    { tag, collection: 'seq' },
    { tag, collection: 'map' },
  ],
);
