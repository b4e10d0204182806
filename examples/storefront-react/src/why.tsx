import type { SearchHit } from '@aisle/client/search'

type Explanation = NonNullable<SearchHit['explanation']>

interface Part {
  readonly text: string
  readonly points: number
}

const VARIANTS: Readonly<Record<string, string>> = {
  exact: 'as typed',
  stem: 'in another form',
  joined: 'written as one word',
  split: 'written as two words',
  compound: 'part of a compound word',
  prefix: 'the beginning of a word',
  typo: 'spelt slightly differently',
  neighbour: 'together with the next word',
  infix: 'inside a word',
  synonym: 'a synonym',
}

/** The parts of a score as sentences, the largest first. */
function partsOf({ words, pairs, popularity, boost }: Explanation): Part[] {
  const parts = words
    .filter(({ points }) => points > 0)
    .map(({ word, points, alternatives }): Part => {
      const [best] = alternatives
      const fields = best?.fields.map(({ field }) => field) ?? []
      const where = fields.length === 0 ? '' : ` in ${fields.slice(0, 3).join(', ')}`
      return { text: `“${word}” ${VARIANTS[best?.variant ?? 'exact'] ?? ''}${where}`, points }
    })
  for (const { words: pair, points } of pairs) {
    parts.push({ text: `“${pair.join(' ')}” side by side in the title`, points })
  }
  const sum = parts.reduce((all, { points }) => all + points, 0)
  for (const [text, factor] of [
    ['popular with visitors', popularity?.factor],
    ['a rule of the shop', boost?.factor],
  ] as const) {
    if (factor !== undefined && factor > 1) {
      parts.push({ text: `${text} (× ${factor.toFixed(2)})`, points: sum * (factor - 1) })
    }
  }
  return parts.toSorted((a, b) => b.points - a.points)
}

/** Why a hit was found: a bar and a sentence for each part of its score. */
export function Why({ hit }: { readonly hit: Pick<SearchHit, 'explanation' | 'curated'> }) {
  if (hit.curated === true) return <p className="why">Pinned by a rule of the shop.</p>
  if (hit.explanation === undefined) return null
  const parts = partsOf(hit.explanation)
  if (parts.length === 0) return <p className="why">No search words: sorted by the chosen order.</p>
  const most = parts[0]!.points
  return (
    <ul className="why" aria-label="Why this is here">
      {parts.slice(0, 5).map(({ text, points }) => (
        <li key={text}>
          <svg
            className="why-bar"
            viewBox="0 0 100 4"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect width={Math.max(2, (100 * points) / most)} height="4" rx="1" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  )
}
