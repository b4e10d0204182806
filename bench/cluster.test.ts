import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import type { BenchSide } from './lib/bench-side.ts'
import type { SizeRow } from './lib/cluster-size-level.ts'
import { clusterSizeText } from './lib/cluster-size-text.ts'
import { clusterText } from './lib/cluster-text.ts'
import { demoBenchCatalog } from './lib/demo-bench-catalog.ts'
import { loadInTurns } from './lib/load-in-turns.ts'
import { latencyOf } from './lib/measure.ts'

// The part that runs without a cluster; `npm run bench cluster -- --demo` tests the rest.

/** Accepts documents, and stores them. */
class Kept implements Pick<BenchSide, 'bulk'> {
  readonly lines: string[] = []

  async bulk(lines: readonly string[]): Promise<void> {
    this.lines.push(...lines)
  }
}

suite('benchmark on a cluster', () => {
  test('all sides get all documents', async () => {
    const catalog = demoBenchCatalog(1_200)
    const [one, two] = [new Kept(), new Kept()]
    const sides = { one: one as unknown as BenchSide, two: two as unknown as BenchSide }
    const rates = await loadInTurns(catalog, sides)
    const expected = await Array.fromAsync(catalog.lines())
    for (const { lines } of [one, two]) assert.deepEqual(lines.toSorted(), expected.toSorted())
    assert.equal(rates?.one?.documents, catalog.docCount)
    assert.equal(await loadInTurns(catalog, {}), undefined)
  })

  test('the report puts the cluster over OpenSearch alone', () => {
    const text = clusterText({
      nodes: 3,
      shards: 1,
      bulk: {
        cluster: { documents: 10, docsPerSecond: 40 },
        plain: { documents: 10, docsPerSecond: 100 },
      },
      classes: {
        two_terms: {
          cluster: latencyOf([3, 3]),
          plain: latencyOf([2, 2]),
          embedded: latencyOf([1]),
        },
        letters: { cluster: latencyOf([3]), embedded: latencyOf([1]) },
      },
      costs: { two_terms: { requests: 1.25, nodeMs: 4 } },
      changing: { two_terms: { cluster: latencyOf([4, 4]), plain: latencyOf([2, 2]) } },
      recurring: { two_terms: { cluster: latencyOf([1, 1]), plain: latencyOf([2, 2]) } },
    })
    assert.match(
      text,
      /2 terms, OR .*1\.50 \/ 1\.50 \|\s+1\.3 \|\s+4\.0 \|\s+4\.00 \/ 4\.00 \|\s+2\.00 \/ 2\.00 \|\s+1\.00 \/ 1\.00 \|\s+0\.500 \/ 0\.500/,
    )
    assert.match(text, /0\.40 of OpenSearch alone/)
  })

  test('the size of a store has a slope for each further document', () => {
    const row = (documents: number): SizeRow => ({
      documents,
      jsonBytes: 500 * documents,
      indexBytes: 1_000_000 + 1_600 * documents,
      heapBytes: undefined,
      apiNodeBytes: 4e8,
      medianMs: { two_terms: 3 + documents / 1e5 },
    })
    const text = clusterSizeText({ rows: [row(0), row(1_000), row(3_000), row(9_000)] })
    assert.match(text, /bytes of index +\| +1600 +\|/)
    assert.match(text, /ms of 2 terms, OR, a million +\| +10 +\|/)
    assert.match(text, /\| +1000 \| +500 \| +2600 \| +\| +381 \| +3\.0 \|/)
  })
})
