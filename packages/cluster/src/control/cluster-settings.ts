import { randomBytes } from 'node:crypto'
import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import { digestOf, newFirstRunSecret } from '@aisle/server/domain'
import type { InstallationSettings } from '@aisle/server/ports'
import { KnownDocuments } from './known-documents.ts'
import type { DocumentKind } from './known-documents.ts'

type Values = Readonly<Record<string, unknown>>

const SETTINGS: DocumentKind<Values> = {
  kind: 'settings',
  change: 'change the settings of the installation',
  read: (json) => JSON.parse(json) as Values,
  write: (values) => JSON.stringify(values),
}
const NAME = 'installation'
const KEY_BYTES = 32
const FIRST_RUN_SECRET = 'firstRunSecret'
const FIRST_OWNER = 'firstOwner'

/** Who is being made the first owner, with which secret. */
interface Claim {
  readonly secretDigest: string
  readonly login: string
}

/** Facts about the installation, in one control document of all nodes. */
export class ClusterSettings implements InstallationSettings {
  readonly #documents: KnownDocuments<Values>
  readonly #follower: ControlFollower
  #onChange: () => void = () => undefined

  private constructor(documents: KnownDocuments<Values>, follower: ControlFollower) {
    this.#documents = documents
    this.#follower = follower
  }

  /** @param onFailure the cluster did not say what others have changed; it is asked again */
  static async open(
    index: ControlIndex,
    onFailure: (error: unknown) => void,
  ): Promise<ClusterSettings> {
    const documents = new KnownDocuments(index, SETTINGS)
    const follower = new ControlFollower(index, await documents.load(), {
      onChanges: (changes) => {
        const before = documents.get(NAME)
        for (const change of changes) documents.take(change)
        if (documents.get(NAME) !== before) settings.#onChange()
      },
      onFailure,
    })
    const settings = new ClusterSettings(documents, follower)
    follower.start()
    return settings
  }

  get(name: string): unknown {
    return this.#documents.get(NAME)?.[name]
  }

  setAll(values: ReadonlyMap<string, unknown>): Promise<void> {
    // JSON leaves out what is undefined.
    return this.#documents.change(NAME, (before) => ({ ...before, ...Object.fromEntries(values) }))
  }

  async setFirst(name: string, value: unknown): Promise<unknown> {
    await this.#documents.change(NAME, (before = {}) =>
      before[name] === undefined ? { ...before, [name]: value } : before,
    )
    return this.get(name)
  }

  /** Calls back when another node has changed something. */
  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  /** A key of the installation, made by the node that needs it first. */
  async key(name: 'addressKey' | 'deviceKey'): Promise<string> {
    const known = this.get(name)
    const made = randomBytes(KEY_BYTES).toString('base64url')
    return (known ?? (await this.setFirst(name, made))) as string
  }

  /** The secret of the link for the first owner: the same on all nodes, until there is one. */
  async firstRunSecret(): Promise<string> {
    return (await this.setFirst(FIRST_RUN_SECRET, newFirstRunSecret())) as string
  }

  /**
   * Of all who have the link and use it at the same moment, on whichever node, one may go on: the
   * first login that was asked for. It may try again.
   */
  async claimFirstOwner(login: string): Promise<boolean> {
    let isOurs = false
    // Another node may have made the link a moment ago.
    await this.#documents.newest(NAME)
    await this.#documents.change(NAME, (before = {}) => {
      const secret = before[FIRST_RUN_SECRET] as string | undefined
      const secretDigest = digestOf(secret ?? '')
      const claim = before[FIRST_OWNER] as Claim | undefined
      const isTaken = claim?.secretDigest === secretDigest
      isOurs = secret !== undefined && (!isTaken || claim.login === login)
      return isOurs && !isTaken ? { ...before, [FIRST_OWNER]: { secretDigest, login } } : before
    })
    return isOurs
  }

  /** There are users: the link opens no more. */
  async endFirstRun(): Promise<void> {
    if (this.get(FIRST_RUN_SECRET) === undefined) return
    await this.setAll(new Map([[FIRST_RUN_SECRET, undefined]]))
  }

  close(): void {
    this.#follower.close()
  }
}
