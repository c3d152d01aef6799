import type { Terminal } from './terminal.ts';

/** The use cases the commands call; a test hands in its own. */
export type App = Pick<
  typeof import('../app/index.ts'),
  | 'deploy'
  | 'deleteStacks'
  | 'validate'
  | 'listStacks'
  | 'describeStack'
  | 'stackEvents'
  | 'stackResources'
  | 'stackOutputs'
  | 'listServices'
  | 'listTasks'
  | 'containerLogs'
  | 'doctor'
>;

export type LoadApp = () => Promise<App>;

/** What every command is given. */
export interface Context {
  readonly terminal: Terminal;
  readonly loadApp: LoadApp;
  /** Called once by the command that ran, with its exit code. */
  end(exitCode: number): void;
}
