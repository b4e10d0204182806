/** One line in the text format of Prometheus. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics of the service at one moment. */
export class Metrics {
  readonly atMs: number
  readonly #samples: ReadonlyMap<string, readonly Sample[]>

  /** @param text in the text format of Prometheus, version 0.0.4 */
  constructor(text: string, atMs: number) {
    this.atMs = atMs
    this.#samples = Map.groupBy(parseSamples(text), ({ name }) => name)
  }

  samples(name: string): readonly Sample[] {
    return this.#samples.get(name) ?? []
  }

  /** The sum over all label values; 0 if there are none yet. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples(name)
      .filter((sample) =>
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .reduce((total, { value }) => total + value, 0)
  }

  /**
   * A quantile of a histogram, over what was counted since an earlier moment. Within a bucket,
   * values are assumed to be evenly distributed, as in Prometheus (`histogram_quantile`).
   *
   * @param quantile 0..1
   * @returns undefined: nothing was counted since
   */
  quantile(name: string, quantile: number, since?: Metrics): number | undefined {
    const buckets = this.samples(`${name}_bucket`)
      .map(({ labels, value }) => ({
        bound: labels['le'] === '+Inf' ? Infinity : Number(labels['le']),
        count: value - (since?.sum(`${name}_bucket`, { le: labels['le']! }) ?? 0),
      }))
      .toSorted((a, b) => a.bound - b.bound)
    const total = buckets.at(-1)?.count ?? 0
    if (total <= 0) return undefined
    const rank = quantile * total
    let below = { bound: 0, count: 0 }
    for (const bucket of buckets) {
      if (bucket.count >= rank) {
        if (bucket.bound === Infinity) return below.bound
        const share = (rank - below.count) / (bucket.count - below.count || 1)
        return below.bound + share * (bucket.bound - below.bound)
      }
      below = bucket
    }
    return below.bound
  }

  /** Rate per second since an earlier moment. */
  rate(name: string, since: Metrics): number {
    const seconds = (this.atMs - since.atMs) / 1_000
    return seconds <= 0 ? 0 : Math.max(0, this.sum(name) - since.sum(name)) / seconds
  }
}

function parseSamples(text: string): Sample[] {
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const open = line.indexOf('{')
    const close = line.lastIndexOf('}')
    const nameEnd = open < 0 ? line.indexOf(' ') : open
    const value = Number(line.slice((open < 0 ? nameEnd : close) + 1).trim())
    if (nameEnd < 0 || Number.isNaN(value)) continue
    samples.push({
      name: line.slice(0, nameEnd),
      labels: open < 0 ? {} : parseLabels(line.slice(open + 1, close)),
      value,
    })
  }
  return samples
}

/** `store="shop",kind="search"`; in values `\"`, `\\` and `\n` are escaped. */
function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let at = 0
  for (;;) {
    const equals = text.indexOf('="', at)
    if (equals < 0) return labels
    let value = ''
    let i = equals + 2
    for (; i < text.length && text[i] !== '"'; i++) {
      if (text[i] === '\\') value += text[++i] === 'n' ? '\n' : (text[i] ?? '')
      else value += text[i]
    }
    labels[text.slice(at, equals)] = value
    // Past the closing quote and the comma.
    at = i + 2
  }
}
