import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { StoreSchema } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import type { SourceBatch, SourceReader } from '@aisle/sources'
import { partEntries } from '../../domain/documents/source-parts.ts'
import type { ComparedRows } from '../../ports/catalog/source-readings.ts'
import { SourceComparison } from './source-comparison.ts'

const SCHEMA = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
} as StoreSchema

suite('the comparison of a source', () => {
  test('describes a row that is repeated once: the store may have refused it', async () => {
    const row = { kind: 'json', text: '{"id":"a","title":"tent"}' } as const
    const other = { kind: 'json', text: '{"id":"a","title":"bag"}' } as const
    const [first, second] = await compared([row, row, row, other, other, row], 3)
    assert.deepEqual(
      [first!.rows, first!.unchanged, idsIn(first!)],
      [6, 3, ['a', 'a', 'a']],
      'the repeated rows are unchanged, and each other text is described',
    )
    assert.equal(second, undefined)
  })

  test('passes on the batches of a reader, whatever their length', async () => {
    const rows = Array.from({ length: 1_201 }, (_, i): SourceRow => {
      return { kind: 'json', text: `{"id":"p${i}","title":"tent ${i}"}` }
    })
    for (const length of [1, 7, 500, 2_000]) {
      const batches = await compared(rows, length)
      assert.deepEqual(
        batches.map(({ changed }) => changed.length),
        [500, 500, 201],
      )
      assert.deepEqual(
        batches.flatMap(({ changed }) => changed.map(({ row }) => row)),
        rows.map((_, i) => i + 1),
      )
    }
  })
})

function idsIn({ part }: ComparedRows): string[] {
  return [...partEntries(part)].map(({ id }) => id)
}

/** @param length of the batches of the reader */
async function compared(rows: readonly SourceRow[], length: number): Promise<ComparedRows[]> {
  const reader: SourceReader = {
    async *readAll(): AsyncGenerator<SourceBatch> {
      for (let at = 0; at < rows.length; at += length) {
        yield { kind: 'rows', rows: rows.slice(at, at + length) }
      }
      yield { kind: 'end', position: undefined }
    },
    async close() {},
  }
  const request = {
    connection: { kind: 'feed', url: 'https://shop.example/feed', format: 'ndjson' },
    secrets: {},
    owner: 'test',
    mapping: {},
    idColumn: 'id',
    schema: SCHEMA,
  } as const
  const comparison = new SourceComparison(reader, request, new AbortController().signal)
  const batches: ComparedRows[] = []
  for (;;) {
    const batch = await comparison.next()
    if (batch.kind !== 'rows') return batches
    batches.push(batch)
  }
}
