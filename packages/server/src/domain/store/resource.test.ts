import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceTable, type Resource } from './resource.ts'

test('what a later version added is kept by changes of what this one knows', () => {
  const later = { kind: 'tomorrow', name: 'one', json: '{}' } as unknown as Resource
  const table = ResourceTable.of([later])
  const change = {
    puts: [{ kind: 'preset', name: 'a', json: '{}' }],
    removes: [],
  } as const
  assert.equal(table.accepts(change), true)
  const names = table
    .after(change)
    .all()
    .map(({ kind, name }) => `${kind} ${name}`)
  assert.deepEqual(names.toSorted(), ['preset a', 'tomorrow one'])
})
