import type { ClusterConnection } from '../opensearch/cluster-connection.ts'

/** A cluster that lists these words, whatever letters are asked for, and counts `docCount`. */
export function listing(words: string[], docCount = 100) {
  type Kind = 'search' | 'list' | 'state'
  const cluster = {
    words,
    /** What each request asked. */
    requests: [] as Kind[][],
    state: 1,
    change: () => void cluster.state++,
    /** Whether it answers after the time limit. */
    isSlow: false,
    connection: undefined as unknown as ClusterConnection,
  }
  const kindOf = ({ aggs }: { readonly aggs?: object }): Kind => {
    if (aggs === undefined) return 'search'
    return 'forms' in aggs ? 'list' : 'state'
  }
  const answer = (kind: Kind): object => {
    const buckets = cluster.words.map((word) => ({ key: `1a/${word}`, doc_count: 1 }))
    const writes = { count: 2, max: cluster.state, sum: cluster.state }
    const aggregations = { list: { forms: { buckets } }, state: { writes }, search: {} }[kind]
    const timed_out = cluster.isSlow && kind === 'state'
    return { took: 0, timed_out, hits: { total: { value: docCount }, hits: [] }, aggregations }
  }
  const request = async ({ lines }: { lines: object[] }): Promise<object> => {
    const kinds = lines.filter((_, at) => at % 2 === 1).map(kindOf)
    cluster.requests.push(kinds)
    return { responses: kinds.map(answer) }
  }
  cluster.connection = { request } as unknown as ClusterConnection
  return cluster
}
