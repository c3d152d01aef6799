import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  engineUnavailable,
  faultOf,
  isLost,
  portOnlyHere,
  pullOnlyHere,
  startOnlyHere,
  takenPort,
} from '../../../../src/runtime/docker/faults.ts';

const NOT_REACHED = /^image (\S+) cannot be pulled from this machine: /;
const NO_LOGIN = /^image (\S+) cannot be pulled with the logins of this machine$/;
const MACHINE = /^the Docker engine of this machine cannot run it: /;
const OWN = /^image (\S+) is in a private registry of AWS, which is not asked from here$/;
const UNKNOWN = 'manifest unknown: manifest unknown';

/** `only`: what is said of this machine; absent where AWS could not pull the image either. */
const pulls: readonly {
  when: string;
  image?: string;
  status?: number;
  message: string;
  only?: RegExp;
  /** Asked for without a login. */
  asAnyone?: true;
}[] = [
  {
    when: 'the registry has no address',
    message: 'Get "https://r.test/v2/": dial tcp: lookup r.test on 10.0.0.2:53: no such host',
    only: NOT_REACHED,
  },
  {
    when: 'the registry is down',
    message: 'Get "http://r.test/v2/": dial tcp 10.0.0.9:5000: connect: connection refused',
    only: NOT_REACHED,
  },
  {
    when: 'the registry is not found by name, in other words',
    message: 'failed to do request: Head "https://r.test/v2/web": dial tcp: address not found',
    only: NOT_REACHED,
  },
  {
    when: 'the registry does not answer',
    message: 'Get "https://r.test/v2/": net/http: TLS handshake timeout',
    only: NOT_REACHED,
  },
  {
    when: 'too much was pulled',
    status: 429,
    message: 'toomanyrequests: You have reached your pull rate limit.',
    only: NOT_REACHED,
  },
  {
    when: 'the disk is full',
    message: 'failed to register layer: write /usr/lib/x: no space left on device',
    only: MACHINE,
  },
  { when: 'the tag is unknown', status: 404, message: `manifest for web:1 not found: ${UNKNOWN}` },
  {
    when: 'the tag is unknown, and the name of the image has a word for a connection',
    image: 'debezium/connect:9',
    status: 404,
    message: `manifest for debezium/connect:9 not found: ${UNKNOWN}`,
  },
  {
    when: 'the tag is unknown, as newer engines say it',
    status: 404,
    message: 'failed to resolve reference "docker.io/org/web:1": docker.io/org/web:1: not found',
  },
  {
    when: 'the repository is unknown',
    status: 404,
    message: 'name unknown: repository org/web not found',
  },
  {
    when: 'the image is for other platforms',
    status: 404,
    message:
      'no matching manifest for linux/arm64/v8 in the manifest list entries: no match for platform in manifest: not found',
    only: NOT_REACHED,
  },
  {
    when: 'the reference is none',
    status: 400,
    message: 'invalid reference format: repository name must be lowercase',
  },
  {
    when: 'it is private, or is not there',
    status: 404,
    message:
      "pull access denied for org/web, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    only: NO_LOGIN,
  },
  {
    when: 'a login is wrong',
    message: 'Get "https://r.test/v2/": unauthorized: authentication required',
    only: NO_LOGIN,
  },
  {
    when: 'there is no login',
    message: 'Head "https://r.test/v2/web/manifests/1": no basic auth credentials',
    only: NO_LOGIN,
  },
  {
    when: 'it is private, or is not there, and was asked for as anyone',
    status: 404,
    message:
      "pull access denied for org/web, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    asAnyone: true,
  },
  {
    when: 'the registry wants a login, and was asked as anyone',
    message: 'Get "https://r.test/v2/": unauthorized: authentication required',
    asAnyone: true,
  },
  {
    when: 'the registry is down, and was asked as anyone',
    message: 'Get "http://r.test/v2/": dial tcp 10.0.0.9:5000: connect: connection refused',
    only: NOT_REACHED,
    asAnyone: true,
  },
  {
    when: 'it is in a registry of this account that speaks FIPS',
    image: '000000000000.dkr.ecr-fips.us-east-1.amazonaws.com/web:1',
    message: 'no basic auth credentials',
    only: OWN,
    asAnyone: true,
  },
  {
    when: 'it is in a registry of this account',
    image: '000000000000.dkr.ecr.eu-west-1.amazonaws.com/web:1',
    status: 404,
    message: `manifest for web:1 not found: ${UNKNOWN}`,
    only: OWN,
  },
  {
    when: 'it is in a registry of an account in China',
    image: '000000000000.dkr.ecr.cn-north-1.amazonaws.com.cn/web:1',
    message: 'no basic auth credentials',
    only: OWN,
  },
  {
    when: 'it is in the public registry of AWS',
    image: 'public.ecr.aws/nginx/nginx:0',
    status: 404,
    message: `manifest for public.ecr.aws/nginx/nginx:0 not found: ${UNKNOWN}`,
  },
];

for (const { when, image = 'web:1', status = 500, message, only, asAnyone = false } of pulls) {
  test(`a pull fails when ${when}: ${only === undefined ? 'in AWS too' : 'here'}`, () => {
    const fault = pullOnlyHere(image, { status, message }, asAnyone);
    if (only === undefined) return assert.equal(fault, undefined);
    const found = only.exec(fault?.text ?? '');
    assert(found, fault?.text);
    if (only === MACHINE) return assert(fault?.hint.includes('make room'), fault?.hint);
    assert.equal(found[1], image);
    assert(fault?.hint.includes(`--image ${image}=<image>`), fault?.hint);
  });
}

const RUNC =
  'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process';
const NETWORK = 'driver failed programming external connectivity on endpoint web (0a1b)';

/** Where `port` is not said no port is taken; `here`: the machine alone is to blame. */
const starts: readonly { when: string; message: string; port?: number; here?: true }[] = [
  { when: 'the image is absent', message: 'No such image: nope:1' },
  { when: 'the reference is none', message: 'invalid reference format' },
  {
    when: 'the entry point is absent',
    message: `${RUNC}: exec: "/nope": stat /nope: no such file or directory: unknown`,
  },
  {
    when: 'the command is not in PATH',
    message: `${RUNC}: exec: "nosuch": executable file not found in $PATH: unknown`,
  },
  {
    when: 'the command that is not in PATH is one of the network',
    message: `${RUNC}: exec: "iptables": executable file not found in $PATH: unknown`,
  },
  {
    when: 'the user is unknown',
    message: 'unable to find user app: no matching entries in passwd file',
  },
  {
    when: 'a container has the port',
    message: `${NETWORK}: Bind for 0.0.0.0:18999 failed: port is already allocated`,
    port: 18_999,
  },
  {
    when: 'a process has the port',
    message: `${NETWORK}: Error starting userland proxy: listen tcp4 127.0.0.1:18998: bind: address already in use`,
    port: 18_998,
  },
  {
    when: 'a process has the port, and the engine is in a machine of its own',
    message:
      'Ports are not available: exposing port TCP 0.0.0.0:8080 -> 127.0.0.1:0: listen tcp 0.0.0.0:8080: bind: address already in use',
    port: 8080,
  },
  {
    when: 'a process has the port of IPv6',
    message: `${NETWORK}: Error starting userland proxy: listen tcp6 [::]:8081: bind: address already in use`,
    port: 8081,
  },
  {
    when: 'a process has the port, as newer engines say it',
    message: `failed to set up container networking: ${NETWORK}: failed to bind host port for 0.0.0.0:8000:172.31.0.2:80/tcp: address already in use`,
    port: 8000,
  },
  {
    when: 'a process has the port, as the newest engines say it',
    message: `failed to set up container networking: ${NETWORK}: failed to bind host port 127.0.0.1:5432/tcp: address already in use`,
    port: 5432,
  },
  {
    when: 'a process has the port of IPv6, as the newest engines say it',
    message: `${NETWORK}: failed to bind host port [::1]:5433/tcp: address already in use`,
    port: 5433,
  },
  { when: 'a port is taken that is not named', message: 'address already in use', port: 0 },
  { when: 'the network is absent', message: 'network nonet not found' },
  { when: 'the container of the network is absent', message: 'No such container: nocont' },
  {
    when: 'the container of the network has ended',
    message: 'cannot join network of a non running container: 0a1b',
  },
  {
    when: 'ports and the network exclude each other',
    message: 'conflicting options: port publishing and the container type network mode',
  },
  {
    when: 'a host name and the network exclude each other',
    message: 'conflicting options: hostname and the network mode',
  },
  { when: 'it has too little memory', message: 'Minimum memory limit allowed is 6MB' },
  {
    when: 'it asks for more CPUs than there are',
    message: 'Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available',
  },
  {
    when: 'the log driver is unknown',
    message: 'error looking up logging plugin nolog: plugin "nolog" not found',
  },
  {
    when: 'a folder of the host is absent',
    message: 'invalid mount config for type "bind": bind source path does not exist: /nope',
  },
  {
    when: 'there is no driver for a GPU',
    message: 'could not select device driver "" with capabilities: [[gpu]]',
  },
  {
    when: 'the disk is full',
    message: 'mkdir /var/lib/docker/overlay2/0a1b: no space left on device',
    here: true,
  },
  {
    when: 'the rules of its network cannot be set',
    message: `${NETWORK}: (iptables failed: iptables --wait -t nat -A DOCKER: No chain/target/match by that name.)`,
    here: true,
  },
  {
    when: 'the networks of the machine are used up',
    message: 'could not find an available, non-overlapping IPv4 address pool among the defaults',
    here: true,
  },
  {
    when: 'the addresses of its network are used up',
    message: 'no available IPv4 addresses on this network’s address pools: bridge (0a1b)',
    here: true,
  },
  {
    when: 'the limits of the machine cannot be set',
    message: 'cgroups: cannot find cgroup mount destination: unknown',
    here: true,
  },
];

for (const { when, message, port, here = false } of starts) {
  const then = port === undefined ? (here ? 'here' : 'in AWS too') : `port ${port}`;
  test(`a start fails when ${when}: ${then}`, () => {
    const fault = { status: 500, message };
    assert.equal(takenPort(fault), port);
    const only = startOnlyHere(fault);
    const text = `the Docker engine of this machine cannot run it: ${message}`;
    assert.equal(only?.text, here ? text : undefined);
    if (here) assert.notEqual(only?.hint, '');
  });
}

test('a port is taken by who is named, or by nobody that is known', () => {
  assert.match(
    portOnlyHere(80, 'web-1').text,
    /^port 80 of this machine is taken by container web-1$/,
  );
  assert.match(portOnlyHere(80, undefined).text, /is taken by a process that is no task$/);
  assert.match(portOnlyHere(80, undefined).hint, /--publish/);
});

/** As the client rejects: `json` is the answer where it is JSON, null of a pull or a build. */
function rejection(message: string, more: object = {}): Error {
  return Object.assign(new Error(message), more);
}

const faults: readonly { when: string; error: unknown; is: object }[] = [
  {
    when: 'the answer is JSON',
    error: rejection('(HTTP code 404) no such image - No such image: nope:1 ', {
      statusCode: 404,
      reason: 'no such image',
      json: { message: 'No such image: nope:1\n' },
    }),
    is: { status: 404, message: 'No such image: nope:1' },
  },
  {
    when: 'the answer was a stream',
    error: rejection('(HTTP code 500) server error - Get "http://r.test/v2/": dial - no ', {
      statusCode: 500,
      json: null,
    }),
    is: { status: 500, message: 'Get "http://r.test/v2/": dial - no' },
  },
  {
    when: 'the answer is plain text',
    error: rejection('(HTTP code 503) unexpected - try later ', {
      statusCode: 503,
      json: Buffer.from('try later'),
    }),
    is: { status: 503, message: 'try later' },
  },
  {
    when: 'the word of the endpoint cannot be told from the answer',
    error: rejection('(HTTP code 409) name-in-use - Conflict. ', {
      statusCode: 409,
      json: { message: 'Conflict.' },
    }),
    is: { status: 409, message: 'Conflict.' },
  },
  {
    when: 'the word of the endpoint has a comma',
    error: rejection('(HTTP code 403) client error, permission denied - no ', { statusCode: 403 }),
    is: { status: 403, message: 'no' },
  },
  {
    when: 'it ended half-way',
    error: new Error('toomanyrequests: slow down'),
    is: { status: undefined, message: 'toomanyrequests: slow down' },
  },
  { when: 'it is no error', error: 'gone', is: { status: undefined, message: 'gone' } },
];

for (const { when, error, is } of faults) {
  test(`a fault is read when ${when}`, () => assert.deepEqual(faultOf(error), is));
}

const losses: readonly { error: unknown; lost: boolean }[] = [
  { error: rejection('connect ENOENT /run/docker.sock', { code: 'ENOENT' }), lost: true },
  { error: rejection('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }), lost: true },
  { error: rejection('connect EACCES /run/docker.sock', { code: 'EACCES' }), lost: true },
  { error: rejection('socket hang up', { code: 'ECONNRESET' }), lost: true },
  { error: new Error('socket hang up'), lost: true },
  { error: rejection('write EPIPE'), lost: true },
  { error: rejection('(HTTP code 500) server error - ENOENT ', { statusCode: 500 }), lost: false },
  { error: rejection('dial tcp 10.0.0.9:5000: connect: connection refused'), lost: false },
  { error: new TypeError('undefined is not a function'), lost: false },
  { error: 'ENOENT', lost: false },
];

for (const { error, lost } of losses) {
  test(`${lost ? 'the engine is gone' : 'the engine is there'}: ${String(error)}`, () => {
    assert.equal(isLost(error), lost);
  });
}

const unavailable: readonly { code: string; says: string; hint: RegExp }[] = [
  { code: 'EACCES', says: 'the Docker engine at A may not be used by this user', hint: /group/ },
  { code: 'ENOENT', says: 'there is no Docker engine at A', hint: /start it/ },
  { code: 'ECONNREFUSED', says: 'the Docker engine at A does not answer: sorry', hint: /start it/ },
];

for (const { code, says, hint } of unavailable) {
  test(`an engine that cannot be used, ${code}: ${says}`, () => {
    const cause = rejection('sorry', { code });
    const error = engineUnavailable('A', cause);
    assert.deepEqual([error.code, error.message, error.cause], ['EngineUnavailable', says, cause]);
    assert.match(error.hint, hint);
  });
}
