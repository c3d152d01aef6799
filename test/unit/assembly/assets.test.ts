import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAssembly } from '../../../src/assembly/index.ts';
import { folderWith, manifest, stack } from './support.ts';

const assetManifest = { type: 'cdk:asset-manifest', properties: { file: 'web.assets.json' } };
const account = '$' + '{AWS::AccountId}'; // K7: kept as it is
const repositoryName = `cdk-hnb659fds-container-assets-${account}-us-east-1`;

test('K6 K8 files are known by their object key, images by their tag', (t) => {
  const folder = folderWith(t, {
    'manifest.json': manifest({ 'web.assets': assetManifest, web: stack(['web.assets']) }),
    't.json': {},
    'web.assets.json': {
      version: '54.0.0',
      files: {
        aaa: {
          source: { path: 'nested.template.json', packaging: 'file' },
          destinations: { here: { bucketName: 'b', objectKey: 'aaa.json' } },
        },
        bbb: {
          source: { path: 'asset.bbb', packaging: 'zip' },
          destinations: {
            here: { bucketName: 'b', objectKey: 'bbb.zip' },
            there: { bucketName: 'c', objectKey: 'other/bbb.zip' },
          },
        },
        ccc: {
          source: { executable: ['make', 'it'] },
          destinations: { here: { bucketName: 'b', objectKey: 'ccc' } },
        },
      },
      dockerImages: {
        ddd: {
          source: {
            directory: 'asset.ddd',
            dockerFile: 'Dockerfile.prod',
            dockerBuildTarget: 'run',
            dockerBuildArgs: { NODE: '22' },
            platform: 'linux/arm64',
          },
          destinations: { here: { repositoryName, imageTag: 'v-ddd' } },
        },
        eee: {
          source: { executable: ['bake'] },
          destinations: { here: { repositoryName, imageTag: 'eee' } },
        },
      },
    },
  });
  const [web] = openAssembly(folder).stacks;
  const zipped = { hash: 'bbb', packaging: 'zip', path: join(folder, 'asset.bbb') };
  assert.deepEqual(web?.files, {
    'aaa.json': { hash: 'aaa', packaging: 'file', path: join(folder, 'nested.template.json') },
    'bbb.zip': zipped,
    'other/bbb.zip': zipped,
    ccc: { hash: 'ccc', packaging: 'file' },
  });
  assert.deepEqual(web.images, {
    'v-ddd': {
      hash: 'ddd',
      repositoryName,
      directory: join(folder, 'asset.ddd'),
      dockerFile: 'Dockerfile.prod',
      target: 'run',
      buildArgs: { NODE: '22' },
      platform: 'linux/arm64',
    },
    eee: { hash: 'eee', repositoryName, dockerFile: 'Dockerfile', buildArgs: {} },
  });
});

test('an asset manifest that is not there is noted', (t) => {
  const folder = folderWith(t, {
    'manifest.json': manifest({ 'web.assets': assetManifest, web: stack() }),
    't.json': {},
  });
  const { stacks, notes } = openAssembly(folder);
  assert.deepEqual(stacks[0]?.files, {});
  const file = join(folder, 'web.assets.json');
  assert.deepEqual(notes, [`${file} is not there: the files and images of web are not known`]);
});

const faults = [
  { when: 'neither place nor program', source: {}, says: /either "path" or "executable"/ },
  { when: 'both', source: { path: 'a', executable: ['b'] }, says: /either "path" or "executable"/ },
  { when: 'another packaging', source: { path: 'a', packaging: 'tar' }, says: /"file" or "zip"/ },
] as const;

for (const { when, source, says } of faults) {
  test(`K6 a file with ${when} is refused`, (t) => {
    const folder = folderWith(t, {
      'manifest.json': manifest({ 'web.assets': assetManifest, web: stack(['web.assets']) }),
      't.json': {},
      'web.assets.json': { version: '54.0.0', files: { aaa: { source } } },
    });
    assert.throws(() => openAssembly(folder), { code: 'InvalidAssembly', message: says });
  });
}

test('K13 the legacy synthesizer asks for its files by parameters; early tags too', (t) => {
  const metadata = {
    '/web': [{ type: 'aws:cdk:stack-tags', data: [{ Key: 'team', Value: 'quill' }] }],
    '/web/Code': [
      { type: 'aws:cdk:logicalId', data: 'Code' },
      {
        type: 'aws:cdk:asset',
        data: {
          path: 'asset.fff',
          id: 'fff',
          packaging: 'zip',
          sourceHash: 'fff',
          s3BucketParameter: 'AssetParametersfffS3Bucket1',
          s3KeyParameter: 'AssetParametersfffS3VersionKey2',
          artifactHashParameter: 'AssetParametersfffArtifactHash3',
        },
      },
      {
        type: 'aws:cdk:asset',
        data: {
          path: 'asset.ggg',
          id: 'ggg',
          packaging: 'container-image',
          sourceHash: 'ggg',
          repositoryName: 'aws-cdk/assets',
          imageTag: 'ggg',
          file: 'Dockerfile.web',
        },
      },
    ],
  };
  const folder = folderWith(t, {
    'manifest.json': manifest({ web: stack([], { metadata }) }),
    't.json': {},
  });
  const [web] = openAssembly(folder).stacks;
  assert.deepEqual(web?.tags, { team: 'quill' });
  assert.deepEqual(web.assetParameters, {
    AssetParametersfffS3Bucket1: 'cdktoolkit-stagingbucket',
    AssetParametersfffS3VersionKey2: 'assets/||fff.zip',
    AssetParametersfffArtifactHash3: 'fff',
  });
  const asset = { hash: 'fff', path: join(folder, 'asset.fff'), packaging: 'zip' };
  assert.deepEqual(web.files, { 'assets/fff.zip': asset });
  assert.deepEqual(web.images, {
    ggg: {
      hash: 'ggg',
      repositoryName: 'aws-cdk/assets',
      directory: join(folder, 'asset.ggg'),
      dockerFile: 'Dockerfile.web',
      buildArgs: {},
    },
  });
});
