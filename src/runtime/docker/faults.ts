import { UserError } from '../../base/index.ts';

/** What the engine answered instead of doing what it was asked. */
export interface EngineFault {
  readonly status: number | undefined; // undefined: it did not answer
  readonly message: string;
}

/** A call to a socket; the message of one to a file begins with the code: `ENOENT: …, open '…'`. */
const SOCKET = /^(connect|read|write) E[A-Z]+\b|^socket hang up$/;
/** Codes that only sockets have. */
const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET'];

/** Reads a rejection of the client; `err.reason` is a fixed word for each endpoint and misleads. */
export function faultOf(error: unknown): EngineFault {
  if (!(error instanceof Error)) return { status: undefined, message: String(error) };
  const { statusCode, json } = error as { statusCode?: number; json?: { message?: string } | null };
  const plain = error.message.replace(/^\(HTTP code \d+\) [^-]* - /, '').trim();
  return { status: statusCode, message: json?.message?.trim() ?? plain };
}

/** Whether the engine is not there any more, as against having refused something. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', statusCode } = error as { code?: string; statusCode?: number };
  return statusCode === undefined && (SOCKET_CODES.includes(code) || SOCKET.test(error.message));
}

/** Whether the engine answered that it failed, as against having refused something. */
export function hasFailed(error: unknown): boolean {
  return (faultOf(error).status ?? 0) >= 500;
}

/** Whether there is nothing more to be done with the engine, and nothing wrong with this tool. */
export function isUnusable(error: unknown): boolean {
  return isLost(error) || hasFailed(error);
}

/** The engine does not answer: what happened, and what to do about it. */
export function engineUnavailable(address: string, error: unknown): UserError {
  const code = error instanceof Error ? ((error as { code?: string }).code ?? '') : '';
  const { message } = faultOf(error);
  const refused = {
    message: `the Docker engine at ${address} may not be used by this user`,
    hint: 'add yourself to the group of the socket (often "docker"), or name another engine in DOCKER_HOST',
  };
  const start =
    'start it, or name another one in DOCKER_HOST; new stacks can run with --runtime simulation';
  const absent = { message: `there is no Docker engine at ${address}`, hint: start };
  const silent = {
    message: `the Docker engine at ${address} does not answer: ${message}`,
    hint: start,
  };
  const fault = code === 'EACCES' ? refused : code === 'ENOENT' ? absent : silent;
  return new UserError('EngineUnavailable', fault.message, { hint: fault.hint, cause: error });
}
