import type { ControlIndex } from '../opensearch/control-index.ts'
import type { ControlVersion } from '../opensearch/control-document.ts'

const LEASE_KIND = 'lease'

/** A job that this node holds. */
export interface Lease {
  /** @returns false if another node has taken it: the job must stop */
  renew(): Promise<boolean>
  /** Releases it. */
  end(): Promise<void>
}

export interface LeasesOptions {
  readonly nodeId: string
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number
}

/**
 * Leases for jobs that one node at a time runs. A lease is a control document that its holder
 * rewrites periodically; it is free when it was released, or when the node that wants it has seen
 * no change for its whole duration. So clocks need not agree, and a node that has just started
 * waits that long.
 *
 * A holder that was frozen may continue for a moment after it has lost a lease, so a job must make
 * its changes by compare-and-set, or be idempotent.
 */
export class Leases {
  readonly #index: ControlIndex
  readonly #options: LeasesOptions
  /** The states last seen, and since when. */
  readonly #seen = new Map<string, { readonly seqNo: number; readonly sinceMs: number }>()

  constructor(index: ControlIndex, options: LeasesOptions) {
    this.#index = index
    this.#options = options
  }

  /** @returns undefined while another node holds it @throws ClusterError */
  async take(job: string, lastsMs: number): Promise<Lease | undefined> {
    const id = `${LEASE_KIND}:${job}`
    const stored = await this.#index.get(id)
    if (
      stored !== undefined &&
      stored.json !== '' &&
      !this.#isStale(job, stored.version, lastsMs)
    ) {
      return undefined
    }
    let version = await this.#write(id, this.#options.nodeId, stored?.version ?? 'absent')
    if (version === undefined) return undefined
    return {
      renew: async () => {
        if (version === undefined) return false
        version = await this.#write(id, this.#options.nodeId, version)
        return version !== undefined
      },
      end: async () => {
        if (version !== undefined) await this.#write(id, '', version)
        version = undefined
      },
    }
  }

  #isStale(job: string, { seqNo }: ControlVersion, lastsMs: number): boolean {
    const nowMs = this.#options.nowMs()
    const seen = this.#seen.get(job)
    if (seen?.seqNo === seqNo) return nowMs - seen.sinceMs >= lastsMs
    this.#seen.set(job, { seqNo, sinceMs: nowMs })
    return false
  }

  /** @param holder empty: nobody @returns undefined if another node was faster */
  async #write(
    id: string,
    holder: string,
    expected: ControlVersion | 'absent',
  ): Promise<ControlVersion | undefined> {
    const put = { id, kind: LEASE_KIND, json: holder }
    const [outcome] = await this.#index.commit([{ put, expected }])
    return typeof outcome === 'object' ? outcome : undefined
  }
}
