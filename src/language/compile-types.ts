import type { Place } from '../base/index.ts';
import type { StackModel } from './model.ts';
import type { HiddenValues } from './no-echo.ts';

/** What a template is compiled with. */
export interface Inputs extends Place {
  readonly stackName: string;
  readonly stackId: string;
  /** Values given for parameters, as text; lists comma-separated. */
  readonly parameters: { readonly [name: string]: string };
  /** Make up what the environment would supply, and list it. */
  readonly invent: boolean;
}

/** Something made up because of `--invent`. */
export interface Invention {
  readonly kind: 'parameter' | 'export' | 'ssm';
  readonly name: string;
  readonly value: string;
}

/** What a template asks its environment. Answered by `app` from the account. */
export interface Lookups {
  /**
   * Value and type of an SSM parameter (`name` or `name:version`); `assumed`: it is taken to exist,
   * and nobody knows its value; undefined: there is none.
   */
  ssmParameter(
    name: string,
  ): { readonly type: string; readonly value: string } | 'assumed' | undefined;
  /** The value under which another stack of the place exports `name`; undefined: nobody does. */
  exportValue(name: string): string | undefined;
  /** Availability Zones of a region with a default subnet, in order. */
  availabilityZones(region: string): readonly string[];
  /** Attribute names of a type (dotted for nested ones); undefined: any name may be asked for. */
  attributesOf(typeName: string): readonly string[] | undefined;
  /** Whether CloudFormation knows the type. */
  isKnownType(typeName: string): boolean;
}

export interface Compiled {
  readonly model: StackModel;
  readonly inventions: readonly Invention[];
  /** What stands behind the placeholders of NoEcho parameters: for the memory of one command. */
  readonly hidden: HiddenValues;
  /** What was taken for granted in the user's favour, one sentence each. */
  readonly assumptions: readonly string[];
  /**
   * A fault that AWS finds after it accepted the request, before any resource: the stack goes to
   * ROLLBACK_IN_PROGRESS with this reason (rule 0.4).
   */
  readonly preflightFailure?: string;
}
