import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts texts that must be sent to others, such as passwords of sources, with a key that is
 * derived from one of the installation. A snapshot has the texts, and not the key.
 */
export class SealedTexts {
  readonly #key: Uint8Array

  /** @param purpose texts of another purpose cannot be opened */
  constructor(installationKey: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', installationKey, '', purpose, 32))
  }

  /** @param context must be the same when it is opened */
  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** @returns undefined if it was sealed with another key, or in another context */
  open(sealed: string, context: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }
}
