import assert from 'node:assert/strict'
import test from 'node:test'
import * as contract from '@aisle/contract'
import { readSource } from './lib/source-files.ts'

test('docs/operating.md has every limit of packages/contract/src/limits.ts, with its value', () => {
  const source = readSource('packages/contract/src/limits.ts').text
  const names = [...source.matchAll(/^export const (\w+)/gm)].map((match) => match[1] ?? '')
  const values = contract as unknown as Readonly<Record<string, number>>
  const limits = names.map((name) => `${name} ${values[name]?.toLocaleString('en-US')}`)
  const rows = readSource('docs/operating.md').text.matchAll(/^\| .+ \| ([\d,]+) \| `(\w+)` \|$/gm)
  assert.deepEqual(
    [...rows].map(([, value, name]) => `${name} ${value}`).toSorted(),
    limits.toSorted(),
  )
})
