import { connect, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { MysqlConnection, PostgresConnection } from '@aisle/contract'
import type { SourceNetworks } from '../networks.ts'

type DatabaseConnection = PostgresConnection | MysqlConnection

/** Until a database accepts the connection. */
export const CONNECT_MS_MAX = 10_000
const STATEMENT_SECONDS_DEFAULT = 3_600

/**
 * A connection to an address that a source may have.
 *
 * @throws SourceError forbidden_address; the socket fails with it if a name has no such address
 */
export function guardedSocket(host: string, port: number, networks: SourceNetworks): Socket {
  networks.requireAllowed(host)
  const socket = connect({ host, port, lookup: networks.lookup, keepAlive: true })
  return socket.setNoDelay(true)
}

/** @returns `undefined` without TLS */
export function tlsOf({
  tls = 'verify',
  certificate_authority: ca,
}: DatabaseConnection): ConnectionOptions | undefined {
  if (tls === 'off') return undefined
  if (tls === 'require') return { rejectUnauthorized: false }
  return { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }
}

export function statementMsMax({ statement_timeout_seconds: seconds }: DatabaseConnection): number {
  return (seconds ?? STATEMENT_SECONDS_DEFAULT) * 1_000
}
