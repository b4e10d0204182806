import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import {
  filled,
  find,
  idsOf,
  idsOfHits,
  statuses,
  STORE,
  textOf,
  write,
} from './catalog-fixture.ts'
import type { DocumentWrite } from './catalog-writer.ts'

type Step =
  | { readonly kind: 'write'; readonly writes: readonly DocumentWrite[] }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'clear' }

/**
 * Goal: any sequence of operations leaves the content that a plain Map of parsed documents would
 * have.
 */
export function catalogModelConformance(create: CreateCatalog): void {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const data = fc.constantFrom(
    '{"title":"red shoe"}',
    '{"title":"blue","price":1}',
    '{"price":null,"tags":["x"]}',
    '{"sku":5}',
    '{"price":"bad"}',
  )
  const action = fc.constantFrom('upsert', 'insert', 'update')
  const one = fc
    .tuple(action, id, data)
    .map(([a, i, d]) => write(a as DocumentWrite['action'], i, d))
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .array(one, { maxLength: 5 })
        .map((writes) => ({ kind: 'write' as const, writes })),
    },
    { weight: 3, arbitrary: id.map((i) => ({ kind: 'delete' as const, id: i })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const }) },
  )
  test('any sequence of operations leaves the content that a Map would have', async () => {
    await using catalog = await filled(create)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps: readonly Step[]) => {
        await catalog.writer.clearDocuments(STORE)
        const model = new Map<string, Record<string, unknown>>()
        for (const one of steps) await checkStep(catalog, model, one)
        // A Map keeps its keys in order of insertion too.
        const { hits } = await find(catalog)
        assert.deepEqual(await idsOfHits(catalog, hits), [...model.keys()].toReversed())
        for (const [key, value] of model) {
          assert.deepEqual(JSON.parse((await textOf(catalog, key))!), value)
        }
        const red = [...model]
          .filter(([, value]) => value['title'] === 'red shoe')
          .map(([key]) => key)
        assert.deepEqual(await idsOf(catalog, { words: ['red'] }), red.toSorted())
      }),
      { numRuns: generatedRuns(25) },
    )
  })
}

async function checkStep(
  catalog: CatalogPorts,
  model: Map<string, Record<string, unknown>>,
  step: Step,
): Promise<void> {
  if (step.kind === 'clear') {
    assert.equal(await catalog.writer.clearDocuments(STORE), model.size)
    model.clear()
  } else if (step.kind === 'delete') {
    assert.equal(await catalog.writer.deleteDocument(STORE, step.id), model.delete(step.id))
  } else {
    const outcomes = await catalog.writer.writeDocuments(STORE, step.writes)
    assert.deepEqual(
      statuses(outcomes),
      step.writes.map((one) => applyToModel(model, one)),
    )
  }
}

function applyToModel(model: Map<string, Record<string, unknown>>, one: DocumentWrite): string {
  const id = one.id!
  const data = JSON.parse(Buffer.from(one.json).toString()) as Record<string, unknown>
  const existing = model.get(id)
  if (one.action === 'insert' && existing !== undefined) return 'document_exists'
  if (one.action === 'update' && existing === undefined) return 'document_not_found'
  if (data['price'] === 'bad') return 'invalid_type'
  const patch = Object.entries(data)
  const merged = new Map(Object.entries(one.action === 'update' ? existing! : {}))
  for (const [key, value] of patch) {
    if (one.action === 'update' && value === null) merged.delete(key)
    else merged.set(key, value)
  }
  model.set(id, Object.fromEntries(merged))
  return existing === undefined ? 'created' : 'updated'
}
