import { RefusedError, UnreachableError, type Secret } from '@aisle/client'

/** Where to find a secret, for people who do not have it at hand. */
export const SECRET_SOURCES: Readonly<Record<Secret | 'signing', string>> = {
  admin: 'the service prints it at its first start',
  write: '`aisle store create` shows it once, `aisle key rotate <store> write` makes a new one',
  read: '`aisle store create` shows it, `aisle key rotate <store> read` makes a new one',
  signing: '`aisle key rotate <store> signing` makes one',
}

/** Suggests what to check next, if the message of an error does not. */
export function hintFor(error: unknown): string | undefined {
  if (error instanceof UnreachableError) {
    return 'Is the service running? `aisle serve` starts one; --url or AISLE_URL sets its address.'
  }
  if (!(error instanceof RefusedError)) return undefined
  if (error.code === 'invalid_credentials') {
    return error.message.includes('admin token')
      ? 'Check AISLE_ADMIN_TOKEN and AISLE_URL.'
      : 'Check the store (--store or AISLE_STORE), AISLE_READ_SECRET or AISLE_WRITE_SECRET, and AISLE_URL.'
  }
  if (error.code === 'forbidden' && error.message.includes('write secret')) {
    return 'AISLE_WRITE_SECRET has the read secret of the store.'
  }
  return undefined
}
