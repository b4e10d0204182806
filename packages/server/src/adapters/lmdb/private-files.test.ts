import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FORMAT_VERSION, openDataFolder } from './data-folder.ts'

test('a data folder of an older version, and what is in it, is closed to others at the start', () => {
  const parent = mkdtempSync(join(tmpdir(), 'aisle-private-'))
  const folder = join(parent, 'data')
  mkdirSync(join(folder, 'lmdb'), { recursive: true })
  writeFileSync(join(folder, 'aisle.json'), `{"format": ${FORMAT_VERSION}}`)
  const outside = join(parent, 'outside')
  writeFileSync(outside, 'not ours')
  symlinkSync(outside, join(folder, 'link'))
  for (const name of ['', 'lmdb', 'aisle.json']) chmodSync(join(folder, name), 0o755)
  chmodSync(outside, 0o644)
  const { release, warnings } = openDataFolder(folder)
  release()
  assert.deepEqual(warnings, [])
  const modeOf = (path: string): number => statSync(path).mode & 0o777
  for (const name of ['', 'lmdb', 'aisle.json']) assert.equal(modeOf(join(folder, name)), 0o700)
  assert.equal(modeOf(outside), 0o644, 'links are not followed')
  rmSync(parent, { recursive: true })
})
