import { HttpClient, until, type HttpAnswer } from '@aisle/testing'
import { answerOf } from './bench-side.ts'

const INDICES = 'bench-*,aisle-pool-*,aisle-store-*'
const FORGETTING_LIMIT_MS = 120_000
/** A million and a half documents take more than two minutes on two cores. */
const MERGING_LIMIT_MS = 3_600_000

/** Merges each index of a benchmark into one segment, without anything that may be dropped. */
export async function mergeAll(url: string): Promise<void> {
  await mayForget(url)
  const client = new HttpClient(url)
  const post = (path: string): Promise<HttpAnswer> =>
    answerOf(client, { method: 'POST', path: `/${INDICES}/${path}` })
  // A merge keeps what is not in a commit before it. The last one drops files of former segments.
  await post('_flush')
  const merge = '_forcemerge?max_num_segments=1&flush=true&wait_for_completion=false'
  const { task } = jsonOf(await post(merge)) as { task: string }
  const hasEnded = async (): Promise<boolean> => {
    const answer = await answerOf(client, { method: 'GET', path: `/_tasks/${task}` })
    return (jsonOf(answer) as { completed: boolean }).completed
  }
  await until('the end of a merge', hasEnded, { timeoutMs: MERGING_LIMIT_MS, pauseMs: 100 })
  await post('_refresh')
  client.close()
}

function jsonOf({ body }: HttpAnswer): unknown {
  return JSON.parse(body.toString())
}

/** Waits until no merge runs, so that it does not count as the work of others. */
export async function mergesEnded(url: string): Promise<void> {
  const path = '_nodes/stats/indices/merge?filter_path=nodes.*.indices.merges.current'
  const haveEnded = async (): Promise<boolean> => {
    const { nodes } = (await (await fetch(`${url}/${path}`)).json()) as MergeStatistics
    return Object.values(nodes).every(({ indices }) => indices.merges.current === 0)
  }
  await until('the end of merges', haveEnded, { timeoutMs: MERGING_LIMIT_MS, pauseMs: 100 })
}

interface MergeStatistics {
  readonly nodes: Readonly<
    Record<string, { readonly indices: { readonly merges: { readonly current: number } } }>
  >
}

/** Bytes of one copy of the indices whose names begin so. */
export async function bytesOf(
  url: string,
  sides: readonly { readonly index: string }[],
): Promise<number[]> {
  await fetch(`${url}/_flush`, { method: 'POST' })
  const answer = await fetch(`${url}/${INDICES}/_stats/store`)
  const { indices } = (await answer.json()) as {
    indices: Record<string, { primaries: { store: { size_in_bytes: number } } }>
  }
  return sides.map(({ index }) =>
    Object.entries(indices)
      .filter(([name]) => name === index || name.startsWith(`${index}-`))
      .reduce((sum, [, { primaries }]) => sum + primaries.store.size_in_bytes, 0),
  )
}

/**
 * Waits until merges drop the bodies of writes: for up to half a minute, the cluster keeps them for
 * copies that might need them.
 */
async function mayForget(url: string): Promise<void> {
  const isForgotten = async (): Promise<boolean> => {
    const { indices } = (await // Control documents are written all the time.
    (await fetch(`${url}/${INDICES}/_stats?level=shards`)).json()) as ShardStatistics
    const shards = Object.values(indices).flatMap((index) => Object.values(index.shards).flat())
    return shards.every(({ seq_no, retention_leases }) =>
      retention_leases.leases.every(({ retaining_seq_no }) => retaining_seq_no > seq_no.max_seq_no),
    )
  }
  await until('the leases', isForgotten, { timeoutMs: FORGETTING_LIMIT_MS, pauseMs: 500 })
}

interface ShardStatistics {
  readonly indices: Readonly<
    Record<
      string,
      {
        readonly shards: Readonly<
          Record<
            string,
            readonly {
              readonly seq_no: { readonly max_seq_no: number }
              readonly retention_leases: {
                readonly leases: readonly { readonly retaining_seq_no: number }[]
              }
            }[]
          >
        >
      }
    >
  >
}
