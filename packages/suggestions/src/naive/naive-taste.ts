/** docs/personal-results.md in plain code, with its own numbers. */

export interface NaiveDocument {
  readonly id: string
  readonly step: 'look' | 'cart' | 'order'
  readonly ageDays: number
  readonly values: readonly (readonly string[])[]
  readonly price: number | undefined
}

export interface NaiveSearch {
  readonly stems: ReadonlySet<string>
  readonly ageDays: number
}

/** How much a visitor prefers a value of a field to what the catalog offers. */
export function naiveAffinity(
  documents: readonly NaiveDocument[],
  searches: readonly NaiveSearch[],
  field: number,
  value: string,
  stems: readonly string[],
  catalogShare: number,
): number {
  const holders = documents.filter(({ values }) => values[field]!.slice(0, 10).includes(value))
  if (documents.length < 3 || holders.length < 2) return 0
  let named = 0
  for (const { stems: words, ageDays } of searches) {
    const isNamed = stems.length > 0 && stems.every((stem) => words.has(stem))
    if (isNamed) named += 0.5 * Math.pow(0.5, ageDays / 30)
  }
  const known = documents.filter(({ values }) => values[field]!.length > 0)
  return preference(sumOf(holders) + named, sumOf(known) + named, catalogShare)
}

/** The same for the price band of a category, and the band; undefined: too little is known. */
export function naiveBand(
  documents: readonly NaiveDocument[],
  field: number,
  value: string,
  shareOf: (low: number, high: number) => number,
): { readonly low: number; readonly high: number; readonly affinity: number } | undefined {
  const own = documents.filter(
    ({ values, price }) =>
      price !== undefined && price > 0 && values[field]!.slice(0, 10).includes(value),
  )
  if (documents.length < 3 || own.length < 3) return undefined
  const prices = own.map(({ price }) => price!).sort((a, b) => a - b)
  const middle = prices[Math.ceil(prices.length / 2) - 1]!
  // Ends of bands are the tenth roots of powers of ten, with three digits.
  const ends = Array.from({ length: 241 }, (_, i) => 10 ** ((i - 120) / 10))
  const low = Number(ends.findLast((end) => end <= (middle / 1.5) * (1 + 1e-12))!.toPrecision(3))
  const high = Number(ends.find((end) => end >= middle * 1.5 * (1 - 1e-12))!.toPrecision(3))
  const within = own.filter(({ price }) => price! >= low && price! <= high)
  if (within.length < 3) return undefined
  return { low, high, affinity: preference(sumOf(within), sumOf(own), shareOf(low, high)) }
}

interface NaiveLook {
  readonly id: string
  readonly values: readonly (readonly string[])[]
}

/**
 * What is usual: each look of another visitor, and 20 that are spread like the catalog.
 *
 * @param looks of others
 * @param own documents that the visitor looked at once each; their categories weigh the looks
 */
export function naiveCrowdShare(
  looks: readonly NaiveLook[],
  own: readonly NaiveLook[],
  field: number,
  value: string,
  categoryField: number,
  catalogShare: number,
): number {
  const categoryOf = ({ values }: NaiveLook): string => values[categoryField]![0] ?? ''
  const shareIn = (some: readonly NaiveLook[], category: string): number =>
    some.filter((one) => categoryOf(one) === category).length / some.length
  let having = 20 * catalogShare
  let all = 20
  for (const look of looks) {
    const category = categoryOf(look)
    const weight = field === categoryField ? 1 : shareIn(own, category) / shareIn(looks, category)
    all += weight
    if (look.values[field]!.includes(value)) having += weight
  }
  return having / all
}

function sumOf(documents: readonly NaiveDocument[]): number {
  let sum = 0
  for (const { step, ageDays } of documents) {
    const evidence = step === 'order' ? 3 : step === 'cart' ? 2 : 1
    sum += evidence * Math.pow(0.5, ageDays / 30)
  }
  return sum
}

/** Lower end of Wilson's interval at two standard errors, above what is usual. */
function preference(count: number, total: number, catalogShare: number): number {
  if (total === 0 || catalogShare >= 1) return 0
  const p = count / total
  const low =
    (p + 2 / total - 2 * Math.sqrt((p * (1 - p)) / total + 1 / (total * total))) / (1 + 4 / total)
  return low <= catalogShare ? 0 : (low - catalogShare) / (1 - catalogShare)
}
