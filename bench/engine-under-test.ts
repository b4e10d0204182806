import type { IndexDocument, Schema, SearchOutcome, SearchPlan } from '@aisle/engine'
import { NaiveIndex } from '../packages/engine/src/naive/naive-index.ts'
import { tinyAnalyzer } from '../packages/engine/src/naive/tiny-analyzer.ts'
import type { EngineUnderTest } from './lib/engine-level.ts'

/** The index that is measured: the one place of the benchmark that knows how an index is made. */
export function createEngine(schema: Schema): EngineUnderTest {
  const index = new NaiveIndex(schema, tinyAnalyzer)
  return {
    name: 'naive twin',
    analyzer: tinyAnalyzer,
    add(documents: readonly IndexDocument[]): void {
      for (const document of documents) index.add(document)
    },
    finish(): void {},
    search: (plan: SearchPlan): SearchOutcome => index.search(plan),
    indexBytes: 0,
    segmentCount: 1,
  }
}
