import { analyzeCandidate } from '@aisle/engine/candidates'
import type { CandidateDocument } from '@aisle/engine/candidates'
import type { Analyzer, Schema, SearchPlan } from '@aisle/engine'
import { toIndexDocument } from '../../../domain/documents/indexed-document.ts'
import type { ProductHit } from './product-searches.ts'

/** Documents as they came, by docKey. */
export type ReadProducts = Map<number, { readonly id: string; readonly json: Uint8Array }>

/**
 * Documents of hits, as our own formula needs them.
 * @param products takes the documents as they came
 */
export function readCandidates(
  hits: readonly ProductHit[],
  plan: SearchPlan,
  { schema, analyzer }: { readonly schema: Schema; readonly analyzer: Analyzer },
  products: ReadProducts,
): CandidateDocument[] {
  const { slots, phrases, exclusions } = plan
  const needsWords = slots.length + phrases.length + exclusions.length > 0
  return hits.flatMap(({ _source }) => {
    if (_source === undefined) return []
    const { id, key: docKey, json } = _source
    const bytes = Buffer.from(json)
    products.set(docKey, { id, json: bytes })
    const document = toIndexDocument({ docKey, id, json: bytes }, schema)
    return [
      needsWords
        ? analyzeCandidate(document, schema, analyzer)
        : { ...document, fields: schema.fields, tokens: [], titleWords: [] },
    ]
  })
}
