import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Kinds of control documents with secrets in them: keys of stores, the signing secret in clear,
 * hashes of passwords, sessions, keys of the installation.
 */
export const SECRET_KINDS = ['settings', 'store', 'user'] as const

/**
 * Since this format of the control documents, secrets may be encrypted. Nodes of older formats
 * could not read them.
 */
export const SECRETS_FORMAT = 3
/** The kind that has the format in force, which older nodes must be able to read. */
const SETTINGS_KIND = 'settings'

/** A key of the nodes, 32 bytes; or `plain`: without encryption, as before there was a key. */
export type SecretsKey = Buffer | 'plain'

const PREFIX = 'aes-256-gcm:'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Separates the digest that names a key from other uses of the key. */
const KEY_NAME = 'aisle-secrets-key\n'
const KEY_NAME_CHARS = 16

/** The secrets of an installation cannot be read with the keys of this node. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError'
}

/**
 * Encrypts the JSON of control documents by AES-256-GCM (NIST SP 800-38D), so that the files, the
 * snapshots and the readers of the cluster do not have the secrets.
 *
 *     sealed := 'aes-256-gcm:' key name ':' base64url(nonce:12 ciphertext tag:16)
 *
 * The id of the document is authenticated too: no sealed text is valid in another document. The
 * nonce is random, which is safe for 2^32 writes under one key. The settings of the installation
 * keep their format outside, so that an older node says which version it needs:
 *
 *     settings := '{"format":' number ',"sealed":"' sealed '"}'
 */
export class SealedSecrets {
  readonly #keys = new Map<string, Buffer>()
  /** Undefined: writes plain text. */
  readonly #current: string | undefined

  #mayEncrypt: boolean

  /**
   * @param keys the first one encrypts; each decrypts. None: nothing is encrypted
   * @param mayEncrypt false: nothing is encrypted before `begin`
   */
  constructor(keys: readonly SecretsKey[] = [], mayEncrypt = true) {
    this.#mayEncrypt = mayEncrypt
    const names = keys.map((key) => {
      if (key === 'plain') return undefined
      const name = nameOf(key)
      this.#keys.set(name, key)
      return name
    })
    this.#current = names[0]
  }

  get areEncrypted(): boolean {
    return this.#current !== undefined
  }

  /** @param format of the control documents in force. @returns whether encryption begins now */
  begin(format: number): boolean {
    if (this.#mayEncrypt || format < SECRETS_FORMAT) return false
    this.#mayEncrypt = true
    return true
  }

  seal({ id, kind, json }: { readonly id: string; readonly kind: string; readonly json: string }) {
    // Without text the document is removed, which is not a secret.
    if (!this.#mayEncrypt || !isSecret(kind) || json === '') return json
    if (this.#current === undefined) return json
    const sealed = this.#encrypted(this.#current, id, json)
    if (kind !== SETTINGS_KIND) return sealed
    const { format = SECRETS_FORMAT } = JSON.parse(json) as { readonly format?: number }
    return JSON.stringify({ format, sealed })
  }

  #encrypted(current: string, id: string, json: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#keys.get(current)!, nonce)
    cipher.setAAD(Buffer.from(id))
    const bytes = [nonce, cipher.update(json, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return `${PREFIX}${current}:${Buffer.concat(bytes).toString('base64url')}`
  }

  /** @throws SecretsError */
  open({ id, json }: { readonly id: string; readonly json: string }): string {
    const sealed = sealedIn(json)
    if (sealed === undefined) return json
    const [name = '', text = ''] = sealed.slice(PREFIX.length).split(':')
    const key = this.#keys.get(name)
    if (key === undefined) {
      throw new SecretsError(
        this.#keys.size === 0
          ? 'Cannot read the secrets of this installation: they are encrypted. Set --secrets-key-file to the key of its nodes'
          : `Cannot read the secrets of this installation: no key in the file of --secrets-key-file has the name "${name.slice(0, KEY_NAME_CHARS)}"`,
      )
    }
    const bytes = Buffer.from(text, 'base64url')
    const nonce = bytes.subarray(0, NONCE_BYTES)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(id))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
      return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
    } catch (error) {
      throw new SecretsError(
        `Cannot read the control document "${id.slice(0, 100)}": it was not written with this key, or is damaged`,
        { cause: error },
      )
    }
  }

  /** Whether a stored document was written with another key than the current one. */
  isOutdated({ kind, json }: { readonly kind: string; readonly json: string }): boolean {
    if (!isSecret(kind) || json === '') return false
    const sealed = sealedIn(json)
    if (this.#current === undefined) return sealed !== undefined
    return sealed?.startsWith(`${PREFIX}${this.#current}:`) !== true
  }
}

function isSecret(kind: string): boolean {
  return (SECRET_KINDS as readonly string[]).includes(kind)
}

/** The sealed text of a stored document; undefined: it is plain. */
function sealedIn(json: string): string | undefined {
  if (json.startsWith(PREFIX)) return json
  if (!json.startsWith('{"format":')) return undefined
  const { sealed } = JSON.parse(json) as { readonly sealed?: unknown }
  return typeof sealed === 'string' ? sealed : undefined
}

/** Names a key without revealing it. */
function nameOf(key: Buffer): string {
  return createHash('sha256').update(KEY_NAME).update(key).digest('hex').slice(0, KEY_NAME_CHARS)
}
