import type { IndexDocument, SearchOutcome } from '@aisle/engine'
import { textTable } from '../../tools/lib/text-table.ts'
import { quantile } from '../../tools/lib/metrics.ts'
import { seededRandom } from '@aisle/testing'
import { planSearch } from '../../packages/server/src/domain/plan/plan-search.ts'
import { checkDocument } from '../../packages/server/src/domain/documents/document-rules.ts'
import {
  checkSchemaFields,
  mergeSchema,
} from '../../packages/server/src/domain/documents/schema-rules.ts'
import type { EngineUnderTest } from './engine-level.ts'

const COLORS = 'black white grey red blue green brown beige pink yellow orange purple'.split(' ')
const SIZES = ['XS', 'S', 'M', 'L', 'XL', 'XXL']
const VARIANTS_MAX = 4
const BATCH_DOCUMENTS = 500
const QUERIES = 60
const PASSES = 5

export const ELEMENT_FIELDS = mergeSchema(
  undefined,
  'replace',
  checkSchemaFields([
    { name: 'variants', type: 'object[]' },
    { name: 'variants.color', type: 'string', facet: true },
    { name: 'variants.size', type: 'string', facet: true },
    { name: 'variants.price', type: 'float', facet: true },
  ]),
).schema

/** Milliseconds of filters on one element, and of the same conditions on the document. */
export interface ElementsReport {
  readonly docCount: number
  readonly elementCount: number
  readonly flat: { readonly p50: number; readonly p99: number }
  readonly byElement: { readonly p50: number; readonly p99: number }
}

/**
 * Generated products with 1 to 4 variants. Each query has a color, some sizes and a new price, so
 * that no answer is cached as a whole. Flat filters and those by element run in turns.
 */
export function elementsLevel(engine: EngineUnderTest, docCount: number): ElementsReport {
  const random = seededRandom(1)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  let elementCount = 0
  let batch: IndexDocument[] = []
  for (let docKey = 1; docKey <= docCount; docKey++) {
    const variants = Array.from({ length: 1 + Math.floor(random() * VARIANTS_MAX) }, () => ({
      color: pick(COLORS),
      size: pick(SIZES),
      price: Math.floor(random() * 20_000) / 100,
    }))
    elementCount += variants.length
    const json = Buffer.from(JSON.stringify({ variants }))
    const id = String(docKey)
    batch.push({ docKey, id, values: checkDocument(json, id, ELEMENT_FIELDS).values })
    if (batch.length < BATCH_DOCUMENTS && docKey < docCount) continue
    engine.add(batch)
    batch = []
  }
  void engine.finish()
  const search = (filter: string): SearchOutcome => {
    const context = { schema: ELEMENT_FIELDS, analyzer: engine.analyzer, nowMs: performance.now() }
    return engine.search(planSearch({ q: '*', filter_by: filter }, context).plan)
  }
  const times = { flat: [] as number[], byElement: [] as number[] }
  for (let i = -QUERIES; i < QUERIES * PASSES; i++) {
    const tests = [
      `color:=${pick(COLORS)}`,
      `size:=[${pick(SIZES)},${pick(SIZES)}]`,
      `price:<${(20 + random() * 150).toFixed(4)}`,
    ]
    const queries = {
      flat: tests.map((test) => `variants.${test}`).join(' && '),
      byElement: `variants:{${tests.join(' && ')}}`,
    }
    for (const kind of ['flat', 'byElement'] as const) {
      const startMs = performance.now()
      search(queries[kind])
      if (i >= 0) times[kind].push(performance.now() - startMs)
    }
  }
  const of = (all: readonly number[]) => ({ p50: quantile(all, 0.5), p99: quantile(all, 0.99) })
  return { docCount, elementCount, flat: of(times.flat), byElement: of(times.byElement) }
}

export function elementsText({ docCount, elementCount, flat, byElement }: ElementsReport): string {
  const row = (name: string, { p50, p99 }: { p50: number; p99: number }) => [
    name,
    p50.toFixed(2),
    p99.toFixed(2),
  ]
  return [
    `${docCount} documents, ${elementCount} elements; milliseconds of an uncached filter`,
    textTable([['', 'p50', 'p99'], row('on the document', flat), row('on one element', byElement)]),
    `on one element: ${(byElement.p50 / flat.p50).toFixed(2)} times as long`,
  ].join('\n')
}
