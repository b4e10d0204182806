import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { readSource } from './lib/source-files.ts'

/**
 * Nodes before 22.18 cannot run TypeScript; the next ones can, but lack APIs that the service
 * needs.
 */
const OLD = ['v12.22.0', 'v20.20.2', 'v22.18.0', 'v25.9.0']

suite('an older Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-old-node-'))
  const { dependencies } = JSON.parse(readSource('package.json').text) as {
    dependencies: { node: string }
  }
  const needed = dependencies.node.split('.')[0]!
  after(() => rmSync(folder, { recursive: true }))

  /** The output of a Node that pretends to be another version, and cannot run types. */
  const runAs = (version: string, file: string) => {
    const preload = join(folder, `${version}.cjs`)
    const name = JSON.stringify(version)
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'version', { value: ${name} })
       Object.defineProperty(process, 'versions', { value: { node: ${name}.slice(1) } })`,
    )
    return spawnSync(process.execPath, ['--no-strip-types', '--require', preload, file], {
      cwd: REPOSITORY,
      encoding: 'utf8',
    })
  }

  test('gets one line that says what to run, from the entry and the scripts before it', () => {
    for (const file of ['packages/server/src/main.ts', 'packages/server/entry/node-version.cjs']) {
      for (const version of OLD) {
        const { status, stdout, stderr } = runAs(version, file)
        assert.equal(status, 1, `${version} ${file}: ${stderr}`)
        assert.equal(stdout, '')
        assert.match(
          stderr,
          new RegExp(`^Aisle needs Node ${needed}, and this is ${version}: run "npm ci".*\\n$`),
        )
      }
    }
    const { scripts } = JSON.parse(readSource('package.json').text) as {
      scripts: { prepare: string; prestart: string }
    }
    for (const script of [scripts.prepare, scripts.prestart]) {
      assert.match(script, /^node packages\/server\/entry\/node-version\.cjs && /)
    }
  })

  test('is refused by the command too, if it finds no other Node', () => {
    const home = join(folder, 'elsewhere', 'bin')
    mkdirSync(home, { recursive: true })
    copyFileSync(join(REPOSITORY, 'packages/cli/bin/aisle'), join(home, 'aisle'))
    const path = join(folder, 'path')
    mkdirSync(path)
    // An outdated Node, whatever it runs.
    writeFileSync(
      join(path, 'node'),
      '#!/bin/sh\n[ "$1" = --version ] && echo v20.20.2\n[ "$1" = --version ]\n',
      { mode: 0o755 },
    )
    for (const tool of ['dirname', 'readlink']) symlinkSync(`/usr/bin/${tool}`, join(path, tool))
    const { status, stdout, stderr } = spawnSync('/bin/sh', [join(home, 'aisle'), 'stores'], {
      encoding: 'utf8',
      env: { PATH: path },
    })
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(
      stderr,
      new RegExp(`^aisle needs Node ${needed}, and this is v20\\.20\\.2: .*\\n$`),
    )
  })
})
