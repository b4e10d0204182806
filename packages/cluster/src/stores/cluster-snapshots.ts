import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import { ClusterError } from '../opensearch/cluster-error.ts'
import type { RepositorySnapshot, SnapshotRepository } from '../opensearch/snapshot-repository.ts'
import { compareSnapshotNames, isSnapshotName, newSnapshotName } from '@aisle/server/domain'
import type { Clock, Snapshot, SnapshotKeeper } from '@aisle/server/ports'
import { CLUSTER_FORMAT } from '../control/cluster-format.ts'
import { clusterFailure } from '../control/cluster-failure.ts'

export interface ClusterSnapshotsOptions {
  /** Undefined if none is configured. */
  readonly repository: SnapshotRepository | undefined
  /** The prefix of all index names of the installation. */
  readonly prefix: string
  /** Version of the service. */
  readonly version: string
  readonly clock: Clock
  /** Returns the current number of stores, and of documents in all of them. */
  readonly count: () => Promise<{ readonly stores: number; readonly documents: number }>
}

/** The metadata of each of our snapshots. */
interface About {
  /** Its name here. */
  readonly name: string
  readonly prefix: string
  readonly version: string
  readonly format: number
  readonly createdAt: string
  readonly stores: number
  readonly documents: number
}

/** The prefix of all snapshot names. */
const BEGINNING = 'snapshot-'
const POLL_MS = 250

/**
 * Snapshots of all indices of the installation, in a repository of the cluster. Several
 * installations may share one: each knows its own by their metadata.
 */
export class ClusterSnapshots implements SnapshotKeeper {
  readonly #options: ClusterSnapshotsOptions
  #isBusy = false

  constructor(options: ClusterSnapshotsOptions) {
    this.#options = options
  }

  async create(): Promise<Snapshot> {
    if (this.#isBusy) throw another()
    this.#isBusy = true
    try {
      return await this.#asked('make a snapshot', (repository) => this.#create(repository))
    } finally {
      this.#isBusy = false
    }
  }

  list(): Promise<Snapshot[]> {
    return this.#asked('list the snapshots', async (repository) => {
      const complete = (await this.#own(repository)).filter(({ state }) => state === 'SUCCESS')
      const snapshots: Snapshot[] = []
      for (const one of complete) snapshots.push(await this.#describe(repository, one))
      return snapshots
    })
  }

  verify(name: string): Promise<Snapshot> {
    return this.#asked('verify the snapshot', async (repository) => {
      const found = await this.#existing(repository, name)
      const { prefix } = this.#options
      const isWhole = await repository
        .restores(found.name, `${prefix}-verified-${found.name}`)
        .catch((error: unknown) => {
          if (!isDamage(error)) throw error
          throw damaged(name, error)
        })
      if (!isWhole) throw damaged(name)
      return this.#describe(repository, found)
    })
  }

  remove(name: string): Promise<void> {
    return this.#asked('delete the snapshot', async (repository) => {
      const found = await this.#existing(repository, name)
      if (!(await repository.remove(found.name))) throw notFound()
    })
  }

  async #create(repository: SnapshotRepository): Promise<Snapshot> {
    const { prefix, version, clock, count } = this.#options
    const there = await repository.list(BEGINNING)
    // Another node is creating one.
    if (there.some(({ state }) => state === 'IN_PROGRESS')) throw another()
    const taken = new Set(there.map((one) => one.name))
    const name = newSnapshotName(clock.now(), (one) => taken.has(inRepository(one)))
    const stored = inRepository(name)
    const about: About = {
      prefix,
      version,
      format: CLUSTER_FORMAT,
      name,
      createdAt: new Date(clock.now()).toISOString(),
      ...(await count()),
    }
    await repository.begin(stored, `${prefix}-*`, { aisle: about })
    for (;;) {
      const made = (await repository.list(stored)).find((one) => one.name === stored)
      if (made?.state === 'SUCCESS') return this.#describe(repository, made)
      if (made !== undefined && made.state !== 'IN_PROGRESS') {
        await repository.remove(stored)
        throw new ApiError('snapshot_failed', `Cannot create a snapshot: ${made.reason}`)
      }
      if (made === undefined) {
        throw new ApiError(
          'snapshot_failed',
          'Cannot create a snapshot: it was removed in the meantime',
        )
      }
      await sleep(POLL_MS)
    }
  }

  /** Newest first, complete or not. */
  async #own(repository: SnapshotRepository): Promise<RepositorySnapshot[]> {
    const all = await repository.list(BEGINNING)
    return all
      .filter((one) => aboutOf(one)?.prefix === this.#options.prefix)
      .toSorted((a, b) => compareSnapshotNames(aboutOf(a)!.name, aboutOf(b)!.name))
  }

  async #existing(repository: SnapshotRepository, name: string): Promise<RepositorySnapshot> {
    const own = isSnapshotName(name) ? await this.#own(repository) : []
    const found = own.find(({ name: one, state }) => {
      return one === inRepository(name) && state === 'SUCCESS'
    })
    if (found === undefined) throw notFound()
    return found
  }

  async #describe(repository: SnapshotRepository, one: RepositorySnapshot): Promise<Snapshot> {
    const { name, createdAt, version, format, stores, documents, prefix } = aboutOf(one)!
    let bytes = 0
    let eventBytes = 0
    for (const [index, size] of await repository.bytesOf(one.name)) {
      bytes += size
      if (index.startsWith(`${prefix}-events-`)) eventBytes += size
    }
    return {
      name,
      created_at: createdAt,
      folder: `${repository.name}/${one.name}`,
      format,
      version,
      stores,
      documents,
      bytes,
      event_bytes: eventBytes,
    }
  }

  async #asked<T>(what: string, use: (repository: SnapshotRepository) => Promise<T>): Promise<T> {
    const { repository } = this.#options
    if (repository === undefined) {
      throw new ApiError(
        'unavailable',
        `Cannot ${what}: set --opensearch-snapshots to a snapshot repository of the cluster`,
      )
    }
    try {
      return await use(repository)
    } catch (error) {
      if (error instanceof ClusterError && error.type === 'repository_missing_exception') {
        throw new ApiError(
          'unavailable',
          `Cannot ${what}: the cluster has no snapshot repository "${repository.name}"; register it, or choose another one with --opensearch-snapshots`,
          { cause: error },
        )
      }
      throw clusterFailure(error, what)
    }
  }
}

/** A repository requires lower case. */
function inRepository(name: string): string {
  return name.toLowerCase()
}

function aboutOf({ metadata }: RepositorySnapshot): About | undefined {
  return metadata['aisle'] as About | undefined
}

/** Messages of the cluster if files of a snapshot are missing or damaged. */
function isDamage(error: unknown): boolean {
  return error instanceof ClusterError && error.type.startsWith('snapshot_')
}

function damaged(name: string, cause?: unknown): ApiError {
  return new ApiError(
    'snapshot_failed',
    `The snapshot ${name} is damaged: the cluster cannot restore it`,
    {
      cause,
    },
  )
}

function another(): ApiError {
  return new ApiError('unavailable', 'Another snapshot is being created', { retryAfterSeconds: 10 })
}

function notFound(): ApiError {
  return new ApiError('snapshot_not_found', 'No snapshot has this name', { param: 'name' })
}
