import type { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'

/** A snapshot in a repository of the cluster. */
export interface RepositorySnapshot {
  readonly name: string
  readonly state: 'SUCCESS' | 'IN_PROGRESS' | 'PARTIAL' | 'FAILED' | 'INCOMPATIBLE'
  /** The reason for a failure, as far as the cluster reports it. */
  readonly reason: string
  /** Metadata that was written at its creation. */
  readonly metadata: Readonly<Record<string, unknown>>
}

interface ListedSnapshot {
  readonly snapshot: string
  readonly state: RepositorySnapshot['state']
  readonly reason?: string
  readonly failures?: readonly { readonly reason: string }[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

interface ShardsOfRestore {
  readonly snapshot: { readonly shards: { readonly total: number; readonly successful: number } }
}

/**
 * Snapshots of indices in a repository that an operator has registered with the cluster. Each
 * method throws ClusterError; its type is `repository_missing_exception` if there is no repository.
 */
export class SnapshotRepository {
  readonly name: string
  readonly #cluster: ClusterConnection

  constructor(cluster: ClusterConnection, name: string) {
    this.#cluster = cluster
    this.name = name
  }

  /** Returns the snapshots whose names have a prefix. */
  async list(beginning: string): Promise<RepositorySnapshot[]> {
    const path = this.#path(`${beginning}*?ignore_unavailable=true`)
    const { snapshots } = (await this.#cluster.request({
      method: 'GET',
      path,
      repeatable: true,
    })) as { snapshots: ListedSnapshot[] }
    return snapshots.map(({ snapshot, state, reason, failures = [], metadata = {} }) => ({
      name: snapshot,
      state,
      reason: reason ?? failures[0]?.reason ?? '',
      metadata,
    }))
  }

  /** Begins a snapshot; `list` says when it is complete. */
  async begin(name: string, indices: string, metadata: object): Promise<void> {
    await this.#cluster.request({
      method: 'PUT',
      path: this.#path(`${name}?wait_for_completion=false`),
      body: { indices, include_global_state: false, metadata },
    })
  }

  /** Bytes of each index in a complete snapshot. */
  async bytesOf(name: string): Promise<ReadonlyMap<string, number>> {
    const { snapshots } = (await this.#cluster.request({
      method: 'GET',
      path: this.#path(`${name}/_status`),
      repeatable: true,
    })) as {
      snapshots: { indices: Record<string, { stats: { total: { size_in_bytes: number } } }> }[]
    }
    return new Map(
      Object.entries(snapshots[0]?.indices ?? {}).map(([index, { stats }]) => [
        index,
        stats.total.size_in_bytes,
      ]),
    )
  }

  /**
   * Restores a snapshot under other names and removes the copy, so that the cluster reads every
   * byte and compares its checksums.
   *
   * @param prefix of the names, not used by anything else
   * @returns whether every shard was restored
   */
  async restores(name: string, prefix: string): Promise<boolean> {
    try {
      const { snapshot } = (await this.#cluster.request({
        method: 'POST',
        path: this.#path(`${name}/_restore?wait_for_completion=true`),
        limitMs: RESTORE_MAX_MS,
        body: {
          indices: '*',
          include_global_state: false,
          include_aliases: false,
          rename_pattern: '(.+)',
          rename_replacement: `${prefix}-$1`,
          index_settings: { 'index.number_of_replicas': 0, 'index.auto_expand_replicas': false },
        },
      })) as ShardsOfRestore
      return snapshot.shards.successful === snapshot.shards.total
    } finally {
      await this.#cluster.request({
        method: 'DELETE',
        path: `/${prefix}-*?expand_wildcards=all`,
        repeatable: true,
      })
    }
  }

  /** @returns false if there is no snapshot with this name */
  async remove(name: string): Promise<boolean> {
    try {
      await this.#cluster.request({ method: 'DELETE', path: this.#path(name) })
      return true
    } catch (error) {
      if (error instanceof ClusterError && error.type === 'snapshot_missing_exception') return false
      throw error
    }
  }

  #path(rest: string): string {
    return `/_snapshot/${encodeURIComponent(this.name)}/${rest}`
  }
}

/** Timeout for reading one snapshot again. */
const RESTORE_MAX_MS = 3_600_000
