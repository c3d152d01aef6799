import { present } from '../base/index.ts';
import { isTrue, type LogicContext } from './logic.ts';
import { refusal } from './refusal.ts';
import type { Sections } from './sections.ts';
import { down } from './trail.ts';

/**
 * Answers by name whether a condition holds; each is evaluated once, when first asked for.
 *
 * @throws UserError (ValidationError) for conditions that depend on themselves (F24)
 */
export function createConditions(
  { conditions }: Sections,
  context: Omit<LogicContext, 'condition' | 'ruleFunction'>,
): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const open: string[] = [];
  const condition = (name: string): boolean => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const at = down(undefined, 'Conditions', name);
    if (open.includes(name)) {
      const circle = open.slice(open.indexOf(name)).join(', ');
      const message = `Template format error: Circular dependency between conditions: [${circle}]`;
      throw refusal(context.template, message, at, 'a condition cannot depend on itself');
    }
    open.push(name);
    const value = present(conditions.get(name), 'a condition that is asked for is declared');
    const truth = present(isTrue(value, at, { ...context, condition }), 'conditions are decidable');
    open.pop();
    known.set(name, truth);
    return truth;
  };
  return condition;
}
