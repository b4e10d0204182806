import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { missingOptionalPackages, withMissingPackages } from './lockfile-platforms.ts'
import type { Lockfile } from './lockfile-platforms.ts'
import { readSource } from './source-files.ts'

const small: Lockfile = {
  packages: {
    'node_modules/tool': {
      version: '1.2.0',
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-musl': '1.2.0',
        '@tool/linux-x64-gnu': '1.2.0',
        '@tool/darwin-arm64': '1.2.0',
      },
    },
    'node_modules/@tool/linux-x64-gnu': { version: '1.2.0' },
  },
}

suite('platform packages in the lockfile', () => {
  test('packages missing in a mirror are added with their platform', () => {
    const { packages } = withMissingPackages(small)
    assert.deepEqual(packages['node_modules/@tool/darwin-arm64'], {
      version: '1.2.0',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    })
    assert.deepEqual(packages['node_modules/@tool/linux-x64-musl'], {
      version: '1.2.0',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    })
    assert.deepEqual(missingOptionalPackages({ packages }), [])
    assert.deepEqual(packages['node_modules/@tool/linux-x64-gnu'], { version: '1.2.0' })
  })

  test('package-lock.json is complete, or npm ci would refuse it (npm run lockfile)', () => {
    const lockfile = JSON.parse(readSource('package-lock.json').text) as Lockfile
    assert.deepEqual(missingOptionalPackages(lockfile), [])
  })
})
