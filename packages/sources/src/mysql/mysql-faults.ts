import type { MysqlConnection } from '@aisle/contract'
import { SourceError, type SourceFault } from '../source-error.ts'

/** Numbers of errors of MySQL and MariaDB that say what to do. */
const FAULTS: Readonly<Record<number, SourceFault>> = {
  1044: 'unauthorized',
  1045: 'unauthorized',
  1142: 'unauthorized',
  1143: 'unauthorized',
  1698: 'unauthorized',
  // A statement that took too long: MariaDB, MySQL.
  1969: 'too_large',
  3024: 'too_large',
  // Too many connections; a server that shuts down; a connection that was killed.
  1040: 'unreachable',
  1053: 'unreachable',
  1203: 'unreachable',
  1927: 'unreachable',
}

/** What an error of the connection means to the person who configured the source. */
export function mysqlFault(
  error: unknown,
  { host, port = 3_306, database }: MysqlConnection,
  secrets: Readonly<Record<string, string>>,
): unknown {
  if (error instanceof SourceError || !(error instanceof Error)) return error
  const { errno = 0, sqlState } = error as Error & { errno?: number; sqlState?: string }
  const fault = FAULTS[errno] ?? (sqlState === undefined ? 'unreachable' : 'unreadable')
  const message = Object.values(secrets)
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), error.message)
  return new SourceError(fault, `Cannot read database "${database}" at ${host}:${port}: ${message}`)
}
