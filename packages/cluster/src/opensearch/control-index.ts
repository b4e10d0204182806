import type { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'
import { CONTROL_MAPPING } from './control-document.ts'
import { createIndex } from './create-index.ts'
import { SealedSecrets, SECRET_KINDS, SecretsError } from './sealed-secrets.ts'
import type {
  ControlQuery,
  ControlVersion,
  ControlWrite,
  StoredControl,
} from './control-document.ts'

export interface ControlIndexOptions {
  /** Absent: nothing is encrypted. */
  readonly secrets?: SealedSecrets
  /**
   * Called when another node has encrypted something with a key that this one does not have: what
   * this node knows is outdated from then on.
   */
  readonly onUnreadable?: (error: SecretsError) => void
}

/** Page size when all documents are read. */
const PAGE = 1_000
/** How long the primary may be away, for example while another copy is promoted. */
const SHARD_LIMIT = '10s'
/** Attempts at a write when no response arrives. */
const SENDS_MAX = 3
/** How long a change that is not shown may stay unseen by searches. */
const REFRESH_INTERVAL = '10s'

interface Hit {
  readonly _id: string
  readonly _seq_no: number
  readonly _primary_term: number
  readonly _source: Omit<StoredControl, 'id' | 'version'> & { readonly operation: string }
}

interface BulkItem {
  readonly status: number
  readonly _seq_no: number
  readonly _primary_term: number
  readonly error?: { readonly type: string; readonly reason: string }
}

/**
 * The control documents of all API nodes, in one index with one shard, so that all changes have one
 * order (`seqNo`). Each document changes by compare-and-set. There are no transactions: each of
 * several writes in one commit is done or refused separately, so data that must change together
 * belongs in one document.
 */
export class ControlIndex {
  readonly #cluster: ClusterConnection
  readonly #name: string
  readonly #secrets: SealedSecrets
  readonly #onUnreadable: (error: SecretsError) => void

  private constructor(
    cluster: ClusterConnection,
    name: string,
    { secrets = new SealedSecrets(), onUnreadable = () => undefined }: ControlIndexOptions,
  ) {
    this.#cluster = cluster
    this.#name = name
    this.#secrets = secrets
    this.#onUnreadable = onUnreadable
  }

  /** Creates the index if it is missing; several nodes may do so at the same time. */
  static async open(
    cluster: ClusterConnection,
    name: string,
    options: ControlIndexOptions = {},
  ): Promise<ControlIndex> {
    const settings = {
      number_of_shards: 1,
      // As many copies as there are nodes, at most three.
      auto_expand_replicas: '0-2',
      // With segment replication a refresh guarantees nothing about the replicas.
      'replication.type': 'DOCUMENT',
    }
    await createIndex(cluster, name, { settings: { index: settings }, mappings: CONTROL_MAPPING })
    await refreshLess(cluster, name)
    return new ControlIndex(cluster, name, options)
  }

  /**
   * Returns the document as of the newest acknowledged write, even if searches do not see that yet.
   */
  async get(id: string): Promise<StoredControl | undefined> {
    const hit = (await this.#read([id])).get(id)
    return hit === undefined ? undefined : this.#opened(hit)
  }

  /** Returns several documents; absent ones are left out. */
  async getAll(ids: readonly string[]): Promise<StoredControl[]> {
    return [...(await this.#read(ids)).values()].map((hit) => this.#opened(hit))
  }

  /**
   * Writes each document if it is as expected. Resolves when the writes are on the disks of all
   * copies and visible to every search.
   *
   * @param isShown false: only `get` and `getAll` see them at once, and searches within 10 s. That
   *   costs the cluster half as much
   * @returns the new version of each write, `removed`, or `conflict`: another state is stored; ours
   *   came before it only if a response was lost
   * @throws ClusterError: any of the writes may have been done
   */
  async commit(
    writes: readonly ControlWrite[],
    isShown = true,
  ): Promise<(ControlVersion | 'removed' | 'conflict')[]> {
    if (writes.length === 0) return []
    const operation = crypto.randomUUID()
    for (let sends = 1; ; sends++) {
      try {
        const items = await this.#send(writes, operation, isShown)
        return await this.#recognised(writes, items, operation)
      } catch (error) {
        const isLost = error instanceof ClusterError && error.kind === 'unreachable'
        if (!isLost || sends === SENDS_MAX) throw error
      }
    }
  }

  async find(query: ControlQuery): Promise<StoredControl[]> {
    const { kind, keys = [], fromNumber, beforeNumber, fromMs, toMs, order, limit } = query
    const range = (field: string, gte?: number, lt?: number): object[] =>
      gte === undefined && lt === undefined ? [] : [{ range: { [field]: { gte, lt } } }]
    const hits = await this.#search(
      [
        { term: { kind } },
        ...keys.map((key) => ({ term: { keys: key } })),
        ...range('number', fromNumber, beforeNumber),
        ...range('atMs', fromMs, toMs),
      ],
      { number: order === 'ascending' ? 'asc' : 'desc' },
      limit,
    )
    return hits.map((hit) => this.#opened(hit))
  }

  /**
   * Returns all documents of a kind that have these keys, in the order of their last changes. One
   * that changes meanwhile may be there twice; the later one is newer.
   */
  all(kind: string, keys: readonly string[] = []): Promise<StoredControl[]> {
    const having = keys.map((key) => ({ term: { keys: key } }))
    return this.#since(-1, [{ term: { kind } }, ...having])
  }

  /**
   * Returns documents that were changed after this one, in the order of the changes. Removed ones
   * leave no trace. A change may become visible somewhat later than a following one: see
   * ControlFollower.
   */
  since(seqNo: number): Promise<StoredControl[]> {
    return this.#since(seqNo, [])
  }

  /**
   * Writes secrets again that have another key, or none. One that another node writes meanwhile
   * has the key of that node.
   *
   * @returns how many were written
   */
  async renewSecrets(): Promise<number> {
    const hits = await this.#hitsSince(-1, [{ terms: { kind: SECRET_KINDS } }])
    const outdated = hits.filter(({ _source }) => this.#secrets.isOutdated(_source))
    const writes = outdated.map((hit): ControlWrite => {
      const { version, ...put } = this.#opened(hit)
      return { put, expected: version }
    })
    const outcomes = await this.commit(writes)
    return outcomes.filter((outcome) => outcome !== 'conflict').length
  }

  /** @throws SecretsError */
  #opened(hit: Hit): StoredControl {
    try {
      const { _id: id, _source } = hit
      return { ...fromHit(hit), json: this.#secrets.open({ id, json: _source.json }) }
    } catch (error) {
      if (error instanceof SecretsError) this.#onUnreadable(error)
      throw error
    }
  }

  async #since(seqNo: number, filter: readonly object[]): Promise<StoredControl[]> {
    return (await this.#hitsSince(seqNo, filter)).map((hit) => this.#opened(hit))
  }

  async #hitsSince(seqNo: number, filter: readonly object[]): Promise<Hit[]> {
    const found: Hit[] = []
    for (;;) {
      const after = found.at(-1)?._seq_no ?? seqNo
      const page = await this.#search(
        [...filter, { range: { _seq_no: { gt: after } } }],
        { _seq_no: 'asc' },
        PAGE,
      )
      found.push(...page)
      if (page.length < PAGE) return found
    }
  }

  async #search(filter: readonly object[], sort: object, size: number): Promise<Hit[]> {
    const { hits } = (await this.#cluster.request({
      method: 'POST',
      path: `/${this.#name}/_search`,
      body: {
        query: { bool: { filter } },
        sort: [sort],
        size,
        seq_no_primary_term: true,
        track_total_hits: false,
      },
      repeatable: true,
      // A partial response would look complete.
      flawOf: ({ _shards }: { _shards: { failed: number } }) =>
        _shards.failed > 0 ? 'a shard did not answer' : undefined,
    })) as { hits: { hits: Hit[] } }
    return hits.hits
  }

  async #send(
    writes: readonly ControlWrite[],
    operation: string,
    isShown: boolean,
  ): Promise<(ControlVersion | 'removed' | 'conflict')[]> {
    const lines = writes.flatMap((write): object[] => {
      const { expected } = write
      const condition =
        typeof expected === 'object'
          ? { if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm }
          : {}
      if ('remove' in write) return [{ delete: { _id: write.remove, ...condition } }]
      const { id, ...source } = { ...write.put, json: this.#secrets.seal(write.put) }
      const action = expected === 'absent' ? 'create' : 'index'
      return [{ [action]: { _id: id, ...condition } }, { ...source, operation }]
    })
    const path = `/${this.#name}/_bulk?refresh=${isShown}&timeout=${SHARD_LIMIT}`
    const { items } = (await this.#cluster.request({ method: 'POST', path, lines })) as {
      items: Record<string, BulkItem>[]
    }
    return items.map((item) => {
      const [[action, answer]] = Object.entries(item) as [[string, BulkItem]]
      const { status, error } = answer
      if (status === 409) return 'conflict'
      if (action === 'delete' && status === 404) return 'removed'
      if (error !== undefined) {
        const kind = status === 429 || status === 503 || status === 403 ? 'busy' : 'refused'
        throw new ClusterError(kind, `${path}: ${error.reason}`, { status, type: error.type })
      }
      return action === 'delete'
        ? 'removed'
        : { seqNo: answer._seq_no, primaryTerm: answer._primary_term }
    })
  }

  /**
   * The conflict may be with our own write: the first response was lost, or the primary died after
   * the write and the cluster repeated it on the next one.
   */
  async #recognised(
    writes: readonly ControlWrite[],
    items: readonly (ControlVersion | 'removed' | 'conflict')[],
    operation: string,
  ): Promise<(ControlVersion | 'removed' | 'conflict')[]> {
    const ids = writes.flatMap((write, at) =>
      'put' in write && items[at] === 'conflict' ? [write.put.id] : [],
    )
    const stored = await this.#read(ids)
    return items.map((item, at) => {
      const write = writes[at]!
      if (item !== 'conflict' || !('put' in write)) return item
      const found = stored.get(write.put.id)
      return found?._source.operation === operation ? fromHit(found).version : 'conflict'
    })
  }

  async #read(ids: readonly string[]): Promise<Map<string, Hit>> {
    if (ids.length === 0) return new Map()
    // A replica may not yet have the state that made the primary refuse a write.
    const { docs } = (await this.#cluster.request({
      method: 'POST',
      path: `/${this.#name}/_mget?preference=_primary`,
      body: { ids },
      repeatable: true,
      flawOf: ({ docs: got }: { docs: { error?: object }[] }) =>
        got.some(({ error }) => error !== undefined) ? 'no copy can be read' : undefined,
    })) as { docs: (Hit & { found: boolean })[] }
    return new Map(docs.filter(({ found }) => found).map((hit) => [hit._id, hit]))
  }
}

function fromHit({ _id, _seq_no, _primary_term, _source }: Hit): StoredControl {
  const { operation: _, ...document } = _source
  return { id: _id, ...document, version: { seqNo: _seq_no, primaryTerm: _primary_term } }
}

/** For the index of an older version too. */
async function refreshLess(cluster: ClusterConnection, name: string): Promise<void> {
  const body = { index: { refresh_interval: REFRESH_INTERVAL } }
  try {
    await cluster.request({ method: 'PUT', path: `/${name}/_settings`, body, repeatable: true })
  } catch (error) {
    // A full cluster refuses it. Without it searches see changes earlier.
    if (!(error instanceof ClusterError)) throw error
  }
}
