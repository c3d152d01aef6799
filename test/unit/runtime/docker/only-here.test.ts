import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takenPort } from '../../../../src/runtime/docker/host-ports.ts';
import {
  networkOnlyHere,
  pullOnlyHere,
  startOnlyHere,
} from '../../../../src/runtime/docker/only-here.ts';

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
  {
    when: 'the engine may not write what it pulls',
    message: 'failed to register layer: open /var/lib/docker/x: permission denied',
    only: MACHINE,
  },
  {
    when: 'the engine may not write, and was asked as anyone',
    message: 'write /var/lib/docker/tmp/GetImageBlob1: permission denied',
    only: MACHINE,
    asAnyone: true,
  },
  {
    when: 'a layer that the engine keeps is lost',
    status: 404,
    message: 'failed to prepare: parent snapshot sha256:0a1b does not exist: not found',
    only: MACHINE,
  },
  {
    when: 'content that the engine keeps is lost',
    status: 404,
    message: 'content digest sha256:0a1b: not found',
    only: MACHINE,
  },
  {
    when: 'a layer cannot be unpacked',
    message: 'failed to extract layer sha256:0a1b: mount callback failed: not found',
    only: MACHINE,
  },
  {
    when: 'the proxy wants a login, and was asked as anyone',
    message: 'Get "https://r.test/v2/": Proxy Authentication Required',
    only: NOT_REACHED,
    asAnyone: true,
  },
  {
    when: 'the proxy is down',
    message: 'Get "https://r.test/v2/": proxyconnect tcp: lookup proxy.test: address not found',
    only: NOT_REACHED,
  },
  {
    when: 'the tag is unknown, and the names have words for a machine',
    image: 'org/proxy-snapshot:1-SNAPSHOT',
    status: 404,
    message: `manifest for org/proxy-snapshot:1-SNAPSHOT not found: ${UNKNOWN}`,
  },
  {
    when: 'the repository is unknown, and is named as something that can be lost',
    image: 'org/web-snapshot:1',
    status: 404,
    message:
      "pull access denied for org/web-snapshot, repository does not exist or may require 'docker login'",
    asAnyone: true,
  },
  {
    when: 'the registry denies it in one word',
    message: 'Head "https://ghcr.io/v2/org/web/manifests/1": denied',
    only: NO_LOGIN,
  },
  {
    when: 'the registry denies it, and says by which right',
    message:
      'Head "https://r.test/v2/web/manifests/1": denied: Permission "get" denied on resource',
    only: NO_LOGIN,
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

/**
 * Where `port` is not said no port is taken: `address:port/protocol`, as far as it is told. `here`: the
 * machine alone is to blame; `address`: by what it publishes at.
 */
const starts: readonly { when: string; message: string; port?: string; here?: true | 'address' }[] =
  [
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
      port: '0.0.0.0:18999',
    },
    {
      when: 'a process has the port',
      message: `${NETWORK}: Error starting userland proxy: listen tcp4 127.0.0.1:18998: bind: address already in use`,
      port: '127.0.0.1:18998/tcp',
    },
    {
      when: 'a process has the port, and the engine is in a machine of its own',
      message:
        'Ports are not available: exposing port TCP 0.0.0.0:8080 -> 127.0.0.1:0: listen tcp 0.0.0.0:8080: bind: address already in use',
      port: '0.0.0.0:8080/tcp',
    },
    {
      when: 'a process has the port of IPv6',
      message: `${NETWORK}: Error starting userland proxy: listen tcp6 [::]:8081: bind: address already in use`,
      port: ':::8081/tcp',
    },
    {
      when: 'a process has the port, as newer engines say it',
      message: `failed to set up container networking: ${NETWORK}: failed to bind host port for 0.0.0.0:8000:172.31.0.2:80/tcp: address already in use`,
      port: '0.0.0.0:8000/tcp',
    },
    {
      when: 'a process has the port, as the newest engines say it',
      message: `failed to set up container networking: ${NETWORK}: failed to bind host port 127.0.0.1:5432/tcp: address already in use`,
      port: '127.0.0.1:5432/tcp',
    },
    {
      when: 'a process has the port of IPv6, as the newest engines say it',
      message: `${NETWORK}: failed to bind host port [::1]:5433/tcp: address already in use`,
      port: '::1:5433/tcp',
    },
    { when: 'a port is taken that is not named', message: 'address already in use', port: ':0' },
    {
      when: 'a container has the port of UDP, as newer engines say it',
      message: `${NETWORK}: failed to bind host port for 0.0.0.0:53:172.31.0.2:53/udp: address already in use`,
      port: '0.0.0.0:53/udp',
    },
    {
      when: 'a container has the port of IPv6',
      message: `${NETWORK}: Bind for :::8082 failed: port is already allocated`,
      port: ':8082',
    },
    {
      when: 'a process has the port on Windows',
      message:
        'Ports are not available: exposing port TCP 127.0.0.1:80 -> 127.0.0.1:0: listen tcp 127.0.0.1:80: bind: Only one usage of each socket address (protocol/network address/port) is normally permitted.',
      port: '127.0.0.1:80/tcp',
    },
    {
      when: 'the machine has no such address',
      message: `${NETWORK}: Error starting userland proxy: listen tcp4 10.9.9.9:80: bind: cannot assign requested address`,
      here: 'address',
    },
    {
      when: 'the engine has not the rights of root',
      message: `${NETWORK}: Error starting userland proxy: error while calling PortManager.AddPort(): cannot expose privileged port 80, you can add 'net.ipv4.ip_unprivileged_port_start=80' to /etc/sysctl.conf: listen tcp4 127.0.0.1:80: bind: permission denied`,
      here: 'address',
    },
    {
      when: 'Windows keeps the port for itself',
      message:
        'Ports are not available: listen tcp 127.0.0.1:80: bind: An attempt was made to access a socket in a way forbidden by its access permissions.',
      here: 'address',
    },
    {
      when: 'its name is still that of another container',
      message:
        'Conflict. The container name "/overcast-web" is already in use by container "0a1b". You have to remove (or rename) that container to be able to reuse that name.',
      here: true,
    },
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

for (const { when, message, port, here } of starts) {
  const then = port === undefined ? (here === undefined ? 'in AWS too' : 'here') : `port ${port}`;
  test(`a start fails when ${when}: ${then}`, () => {
    const fault = { status: 500, message };
    assert.equal(portText(takenPort(fault)), port);
    const only = startOnlyHere(fault);
    const text =
      here === 'address'
        ? `a port cannot be published on this machine: ${message}`
        : `the Docker engine of this machine cannot run it: ${message}`;
    assert.equal(only?.text, here === undefined ? undefined : text);
    if (here !== undefined) assert.notEqual(only?.hint, '');
    if (port === undefined) assert.equal(networkOnlyHere(fault).text, text);
  });
}

function portText(taken: ReturnType<typeof takenPort>): string | undefined {
  if (taken === undefined) return undefined;
  const { address = '', port, protocol } = taken;
  return `${address}:${port}${protocol === undefined ? '' : `/${protocol}`}`;
}
