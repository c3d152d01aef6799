import { EcsException } from '../../src/aws/ecs/index.ts';

/** What the API refuses a call with: `<code>: <message>`; `ok` when it does not. */
export function refusal(call: () => unknown): string {
  try {
    call();
    return 'ok';
  } catch (error) {
    if (error instanceof EcsException) return `${error.code}: ${error.message}`;
    throw error;
  }
}
