import type {
  ControlDocument,
  ControlVersion,
  StoredControl,
} from '../opensearch/control-document.ts'
import type { AccessChange, SessionRecord, UserRow } from '@aisle/server/domain'

/**
 * Users with their sessions as known to this node. A user and all sessions of that user are one
 * control document, so that they change together. A deleted user leaves an empty document, because
 * the other nodes must learn of it.
 */
export class AccessState {
  readonly #users = new Map<string, StoredUser>()
  readonly #logins = new Map<string, string>()

  users(): UserRow[] {
    return [...this.#users.values()].flatMap(({ user }) => user ?? [])
  }

  sessions(): SessionRecord[] {
    return [...this.#users.values()].flatMap(({ sessions }) => sessions)
  }

  /** Returns the documents that result from applying a change to the known ones. */
  after({ users = [], removedUsers = [], sessions = [], endedSessions = [] }: Changed): NextUser[] {
    const ended = new Set(endedSessions)
    const began = Map.groupBy(sessions, ({ login }) => login)
    const logins = new Set([
      ...removedUsers,
      ...users.map(({ login }) => login),
      ...began.keys(),
      ...endedSessions.flatMap((digest) => this.#logins.get(digest) ?? []),
    ])
    const put = new Map(users.map((user) => [user.login, user]))
    return [...logins].map((login) => {
      const known = this.#users.get(login)
      if (removedUsers.includes(login)) return { login, known, user: undefined, sessions: [] }
      const added = began.get(login) ?? []
      const isReplaced = (digest: string): boolean => added.some((one) => one.digest === digest)
      const kept = (known?.sessions ?? []).filter(
        ({ digest }) => !ended.has(digest) && !isReplaced(digest),
      )
      return { login, known, user: put.get(login) ?? known?.user, sessions: [...kept, ...added] }
    })
  }

  isNews(login: string, { version }: StoredUser): boolean {
    return version.seqNo > (this.#users.get(login)?.version.seqNo ?? -1)
  }

  /** Adopts a stored document. @returns the changes; empty if it is already known */
  take(login: string, stored: StoredUser): Changed {
    if (!this.isNews(login, stored)) return {}
    const known = this.#users.get(login)
    this.#users.set(login, stored)
    const digests = new Set(stored.sessions.map(({ digest }) => digest))
    const endedSessions = (known?.sessions ?? [])
      .map(({ digest }) => digest)
      .filter((digest) => !digests.has(digest))
    for (const digest of endedSessions) this.#logins.delete(digest)
    for (const digest of digests) this.#logins.set(digest, login)
    const { user, sessions } = stored
    return user === undefined
      ? { removedUsers: [login], endedSessions }
      : { users: [user], sessions, endedSessions }
  }
}

type Changed = Pick<AccessChange<UserRow>, 'users' | 'removedUsers' | 'sessions' | 'endedSessions'>

interface StoredUser {
  readonly version: ControlVersion
  /** Absent: deleted. */
  readonly user: UserRow | undefined
  readonly sessions: readonly SessionRecord[]
}

interface NextUser {
  readonly login: string
  readonly known: StoredUser | undefined
  readonly user: UserRow | undefined
  readonly sessions: readonly SessionRecord[]
}

export const USER_KIND = 'user'

export function userDocument({ login, user, sessions }: NextUser): ControlDocument {
  return { id: `${USER_KIND}:${login}`, kind: USER_KIND, json: JSON.stringify({ user, sessions }) }
}

export function storedUser({ id, json, version }: StoredControl): [string, StoredUser] {
  const { user, sessions } = JSON.parse(json) as Omit<StoredUser, 'version'>
  return [id.slice(USER_KIND.length + 1), { version, user, sessions }]
}
