import type { PostgresConnection } from '@aisle/contract'
import { SourceError, type SourceFault } from '../source-error.ts'

/** Codes of PostgreSQL ("Appendix A. Error Codes") that say what to do. */
const FAULTS: Readonly<Record<string, SourceFault>> = {
  '28000': 'unauthorized',
  '28P01': 'unauthorized',
  '42501': 'unauthorized',
  // A statement that took too long, or was canceled by the administrator.
  '57014': 'too_large',
  // No free slot, connection, memory or disk; a slot in use; a server that starts or stops.
  '53000': 'unreachable',
  '53100': 'unreachable',
  '53200': 'unreachable',
  '53300': 'unreachable',
  '53400': 'unreachable',
  '55006': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
}

const HINTS: Readonly<Record<string, string>> = {
  '53400': ': raise max_replication_slots, or drop a slot that nobody uses',
}

/**
 * What an error of the connection means to the person who configured the source. Messages of the
 * server name users and tables; the password is in none of them, and is taken out if it is.
 */
export function postgresFault(
  error: unknown,
  { host, port = 5_432, database }: PostgresConnection,
  secrets: Readonly<Record<string, string>>,
): unknown {
  if (error instanceof SourceError || !(error instanceof Error)) return error
  const { code = '' } = error as Error & { readonly code?: string }
  const isFromServer = /^[\dA-Z]{5}$/.test(code)
  const fault = FAULTS[code] ?? (isFromServer ? 'unreadable' : 'unreachable')
  const where = `Cannot read database "${database}" at ${host}:${port}`
  const message = `${where}: ${withoutSecrets(error.message, secrets)}${HINTS[code] ?? ''}`
  return new SourceError(fault, message)
}

function withoutSecrets(text: string, secrets: Readonly<Record<string, string>>): string {
  return Object.values(secrets)
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}
