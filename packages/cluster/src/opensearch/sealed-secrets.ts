import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Kinds of control documents with secrets in them: keys of stores, the signing secret in clear,
 * hashes of passwords, sessions, keys of the installation.
 */
export const SECRET_KINDS = ['settings', 'store', 'user'] as const

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
 * nonce is random, which is safe for 2^32 writes under one key.
 */
export class SealedSecrets {
  readonly #keys = new Map<string, Buffer>()
  /** Undefined: writes plain text. */
  readonly #current: string | undefined

  /** @param keys the first one encrypts; each decrypts. None: nothing is encrypted */
  constructor(keys: readonly SecretsKey[] = []) {
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

  seal({ id, kind, json }: { readonly id: string; readonly kind: string; readonly json: string }) {
    // Without text the document is removed, which is no secret.
    if (this.#current === undefined || !isSecret(kind) || json === '') return json
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#keys.get(this.#current)!, nonce)
    cipher.setAAD(Buffer.from(id))
    const bytes = [nonce, cipher.update(json, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return `${PREFIX}${this.#current}:${Buffer.concat(bytes).toString('base64url')}`
  }

  /** @throws SecretsError */
  open({ id, json }: { readonly id: string; readonly json: string }): string {
    if (!json.startsWith(PREFIX)) return json
    const [name = '', text = ''] = json.slice(PREFIX.length).split(':')
    const key = this.#keys.get(name)
    if (key === undefined) {
      throw new SecretsError(
        this.#keys.size === 0
          ? 'Cannot read the secrets of this installation: they are encrypted. Name the key of its nodes with --secrets-key-file'
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
    if (this.#current === undefined) return json.startsWith(PREFIX)
    return !json.startsWith(`${PREFIX}${this.#current}:`)
  }
}

function isSecret(kind: string): boolean {
  return (SECRET_KINDS as readonly string[]).includes(kind)
}

/** Names a key without revealing it. */
function nameOf(key: Buffer): string {
  return createHash('sha256').update(KEY_NAME).update(key).digest('hex').slice(0, KEY_NAME_CHARS)
}
