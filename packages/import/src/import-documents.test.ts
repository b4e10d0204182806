import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { StoreClient, StoreSchema } from '@aisle/client'
import { importDocuments } from './import-documents.ts'
import { ImportError } from './import-error.ts'
import type { SourceRow } from './source-row.ts'

const SCHEMA: StoreSchema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

suite('an import', () => {
  test('sends the rows before the place where a stream is broken, and then says so', async () => {
    const broken = new ImportError('unreadable', 'line 7')
    async function* rows(): AsyncGenerator<SourceRow> {
      for (let i = 0; i < 700; i++) yield { kind: 'json', text: `{"id":"${i}","title":"x"}` }
      await Promise.resolve()
      throw broken
    }
    const sent: string[] = []
    const bulk = (lines: readonly string[]): Promise<unknown> => {
      sent.push(...lines)
      const results = lines.map((line, index) => {
        return { index, status: 'created', id: (JSON.parse(line) as { id: string }).id }
      })
      return Promise.resolve({ results })
    }
    let settled = 0
    const importing = importDocuments({ bulk } as unknown as StoreClient, rows(), SCHEMA, {
      mapping: new Map(),
      idColumn: 'id',
      generateIds: false,
      listSeparator: '|',
      action: undefined,
      skip: 0,
      keepGoing: false,
      onFailed: () => undefined,
      onSettled: (row) => (settled = row),
      signal: new AbortController().signal,
    })
    await assert.rejects(importing, broken)
    assert.equal(sent.length, 700)
    assert.equal(settled, 700)
  })
})
