import type { RulePreview } from '@aisle/contract'
import { hitsOf, type Hit } from '../../parts/hits.ts'
import type { RuleValue } from './rule-draft.ts'

/** A card of the grid: a hit, its place, and its change. */
export interface ResultCard {
  readonly hit: Hit
  /** From 1. */
  readonly place: number
  readonly kind: 'pinned' | 'pinned-elsewhere' | 'up' | 'down' | 'new' | 'same'
  /** A word or two for the corner of the card; absent if nothing changed. */
  readonly mark?: string
  /** The factor of the rules on its score. */
  readonly factor?: number
}

/** The results with the rule, compared with those as they are. */
export function resultCards({ live, preview }: RulePreview, { pin = [] }: RuleValue): ResultCard[] {
  const before = new Map(live.hits.map(({ id }, i) => [id, i + 1]))
  const own = new Set(pin.map(({ id }) => id))
  return hitsOf(preview).map((hit, i) => {
    const place = i + 1
    const was = before.get(hit.id)
    const factor = hit.explanation?.boost?.factor
    const boosted = factor === undefined || factor === 1 ? {} : { factor }
    return { hit, place, ...boosted, ...change(hit, own.has(hit.id), place, was) }
  })
}

/** The results as they are, without marks. */
export function liveCards({ live }: RulePreview): ResultCard[] {
  return hitsOf(live).map((hit, i) =>
    hit.isPinned
      ? { hit, place: i + 1, kind: 'pinned-elsewhere', mark: 'Pinned' }
      : { hit, place: i + 1, kind: 'same' },
  )
}

function change(
  hit: Hit,
  isOwn: boolean,
  place: number,
  was: number | undefined,
): Pick<ResultCard, 'kind' | 'mark'> {
  if (hit.isPinned) {
    return isOwn
      ? { kind: 'pinned', mark: 'Pinned' }
      : { kind: 'pinned-elsewhere', mark: 'Other rule’s pin' }
  }
  if (was === undefined) return { kind: 'new', mark: 'New here' }
  if (was > place) return { kind: 'up', mark: `Up ${was - place}` }
  if (was < place) return { kind: 'down', mark: `Down ${place - was}` }
  return { kind: 'same' }
}

/** Hits of the first page without the rule that are not on the first page with it. */
export function lostHits({ live, preview }: RulePreview): Hit[] {
  const after = new Set(preview.hits.map(({ id }) => id))
  return hitsOf(live).filter(({ id }) => !after.has(id))
}
