import assert from 'node:assert/strict'
import test from 'node:test'
import * as contract from '@aisle/contract'
import { readSource } from './lib/source-files.ts'

test('docs/operating.md has every limit of the contract, with its value', () => {
  const files = ['', 'merchandising-', 'experiment-', 'rule-', 'semantic-', 'personalize-'].map(
    (of) => `${of}limits`,
  )
  const source = files.map((file) => readSource(`packages/contract/src/${file}.ts`).text).join('\n')
  const names = [...source.matchAll(/^export const (\w+)/gm)].map((match) => match[1] ?? '')
  const values = contract as unknown as Readonly<Record<string, number>>
  const limits = names.map((name) => `${name} ${values[name]?.toLocaleString('en-US')}`)
  const rows = readSource('docs/operating.md').text.matchAll(/^\| .+ \| ([\d.,]+) \| `(\w+)` \|$/gm)
  assert.deepEqual(
    [...rows].map(([, value, name]) => `${name} ${value}`).toSorted(),
    limits.toSorted(),
  )
})
