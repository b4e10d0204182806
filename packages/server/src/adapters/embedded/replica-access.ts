import type { AccessDirectory, SessionRecord, UserRecord } from '../../ports/access-directory.ts'
import type { Replica } from './replica.ts'

/** Users and sessions as a serving thread's replica has them. */
export class ReplicaAccess implements AccessDirectory {
  readonly #replica: Replica

  constructor(replica: Replica) {
    this.#replica = replica
  }

  user(login: string): UserRecord | undefined {
    return this.#replica.access().user(login)
  }

  users(): readonly UserRecord[] {
    return this.#replica.access().users()
  }

  session(digest: string): SessionRecord | undefined {
    return this.#replica.access().session(digest)
  }

  adminTokenDigest(): string {
    return this.#replica.access().adminTokenDigest()
  }

  slowedUntilMs(network: string): number {
    return this.#replica.access().slowedUntilMs(network)
  }

  sessionsOf(login: string): readonly SessionRecord[] {
    return this.#replica.access().sessionsOf(login)
  }
}
