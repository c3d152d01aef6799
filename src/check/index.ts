/**
 * Whether properties fit their resource type, in CloudFormation's words.
 *
 * Use `checkProperties` on resolved properties before a handler is called, `checkStatic` on those
 * of a template. `propertyFailure` and `propertyWarning` make the sentences a stack shows.
 */
export type { Checked } from './check-properties.ts';
export {
  checkProperties,
  checkStatic,
  propertyFailure,
  propertyWarning,
} from './check-properties.ts';
export type { Violation } from './violation.ts';
