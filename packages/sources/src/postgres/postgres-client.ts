import type { PostgresConnection } from '@aisle/contract'
import { Client, type ClientConfig } from 'pg'
import { CONNECT_MS_MAX, guardedSocket, statementMsMax, tlsOf } from '../database/connect.ts'
import type { ReaderOptions } from '../source-reader.ts'

/** How values are written, for COPY and for replication alike; and no statement writes. */
const SETTINGS = [
  'DateStyle=ISO',
  'IntervalStyle=iso_8601',
  'TimeZone=UTC',
  'bytea_output=hex',
  'extra_float_digits=1',
  'default_transaction_read_only=on',
]

/** Keeps values as their text. */
const TEXT_ONLY: ClientConfig['types'] = { getTypeParser: () => (text: string) => text }

/** A connection of a source. `isReplication` is for commands of replication. */
export async function connectPostgres(
  connection: PostgresConnection,
  { secrets, networks }: ReaderOptions,
  isReplication = false,
): Promise<Client> {
  const { host, port = 5_432, database, user } = connection
  const ssl = tlsOf(connection)
  const config: ClientConfig & { readonly replication?: 'database' } = {
    host,
    port,
    database,
    user,
    // A function, so that neither the environment nor a password file is read.
    password: () => secrets['password'] ?? '',
    ssl: ssl ?? false,
    stream: () => guardedStream(host, port, networks),
    connectionTimeoutMillis: CONNECT_MS_MAX,
    application_name: 'aisle-source',
    client_encoding: 'UTF8',
    options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
    types: TEXT_ONLY,
    ...(isReplication
      ? { replication: 'database' }
      : { statement_timeout: statementMsMax(connection) }),
  }
  const client = new Client(config)
  // Without a listener an error of an idle connection would end the process: the next query fails.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** `pg` calls `connect` on what it gets; the socket is connecting already, to a checked address. */
function guardedStream(
  host: string,
  port: number,
  networks: ReaderOptions['networks'],
): ReturnType<typeof guardedSocket> {
  const socket = guardedSocket(host, port, networks)
  socket.connect = () => socket
  return socket
}

/** Ends a connection at once, whatever it is doing. */
export function disconnect(client: Client | undefined): void {
  if (client === undefined) return
  const { stream } = (client as Client & { readonly connection: { readonly stream: Destroyable } })
    .connection
  stream.destroy()
}

interface Destroyable {
  destroy(): void
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function literal(text: string): string {
  // Without a backslash, whatever standard_conforming_strings says.
  return text.includes('\\')
    ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`
}
