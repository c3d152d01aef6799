import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  buildImage,
  engineRequest,
  type ImageConfig,
  type ImageFiles,
  pushImage,
  removeImage,
} from './images.ts';

test('a container of a built image runs its command', async (t) => {
  const image = await built(t, freshReference(), {}, { cmd: ['sh', '-c', 'echo hello'] });
  assert.equal(await outputOf(t, image), 'hello\n');
});

test('an image has its files, user, environment and entrypoint', async (t) => {
  const script =
    '#!/bin/sh\nid -u\nid -un\necho "$GREETING"\necho "$@"\ntouch /tmp/mine && ls /tmp';
  const image = await built(
    t,
    freshReference(),
    { '/opt/app/run.sh': script },
    {
      entrypoint: ['/opt/app/run.sh'],
      cmd: ['a "b" $c', '\\'],
      user: 'app',
      env: ['GREETING=it\'s "1=1" for $5 \\'],
    },
  );
  const output = await outputOf(t, image);
  assert.equal(output, '1000\napp\nit\'s "1=1" for $5 \\\na "b" $c \\\nmine\n');
});

test('every applet is in the image', async (t) => {
  const names =
    'cat date dd echo env false head httpd id kill ls mkdir nc pwd sh sleep tail test touch tr true wget';
  const script = `for name in ${names}; do test -x /bin/$name || echo no $name; done
    httpd -f -p 127.0.0.1:80 -h /etc & sleep 1
    wget -q -O - http://127.0.0.1/passwd | head -n 1 | tr a-z A-Z
    echo hello | nc -l -p 81 >/dev/null & sleep 1; nc 127.0.0.1 81 </dev/null
    env | tail -n 1 >/dev/null && date >/dev/null && pwd && kill %1`;
  const image = await built(t, freshReference(), {}, { cmd: ['sh', '-c', script] });
  assert.equal(await outputOf(t, image), 'ROOT:X:0:0:ROOT:/ROOT:/BIN/SH\nhello\n/\n');
});

test('a pushed image can be pulled again', async (t) => {
  const image = await built(t, `${process.env['OVERCAST_TEST_REGISTRY']}/${freshReference()}`);
  await pushImage(image);
  await removeImage(image);
  assert.equal((await engineRequest('GET', `/images/${image}/json`)).status, 404);
  const query = new URLSearchParams({ fromImage: image });
  const { text } = await engineRequest('POST', `/images/create?${query}`);
  assert.match(text, /Downloaded newer image/);
  assert.equal((await engineRequest('GET', `/images/${image}/json`)).status, 200);
});

test('what the engine refuses is thrown with its message', async () => {
  await assert.rejects(removeImage('overcast-test/none:v1'), /No such image: overcast-test\/none/);
  await assert.rejects(buildImage('Not/Lowercase:v1'), /must be lowercase/);
  const image = `${process.env['OVERCAST_TEST_REGISTRY']}/overcast-test/none:v1`;
  await assert.rejects(pushImage(image), /does not exist locally/);
  await assert.rejects(pushImage('overcast-test/none:v1'), /is not of the test registry/);
});

function freshReference(): string {
  return `overcast-test/${randomUUID()}:v1`;
}

/** Builds an image that is removed when the test is over; answers its reference. */
async function built(
  t: TestContext,
  reference: string,
  files: ImageFiles = {},
  config: ImageConfig = {},
): Promise<string> {
  await buildImage(reference, files, config);
  t.after(() => removeImage(reference));
  return reference;
}

/** What a container of the image writes until it ends; the container is removed with the test. */
async function outputOf(t: TestContext, image: string): Promise<string> {
  const created = await engineRequest('POST', '/containers/create', { Image: image, Tty: true });
  assert.equal(created.status, 201, created.text);
  const path = `/containers/${(created.json as { Id: string }).Id}`;
  t.after(() => engineRequest('DELETE', `${path}?force=1`));
  const started = await engineRequest('POST', `${path}/start`);
  assert.equal(started.status, 204, started.text);
  await engineRequest('POST', `${path}/wait`);
  const { text } = await engineRequest('GET', `${path}/logs?stdout=1&stderr=1`);
  return text.replaceAll('\r\n', '\n'); // a terminal's line ends
}
