import { ApiError } from '@aisle/contract'
import type { SourcePorts } from './source-ports.ts'
import type { SourceConfig } from './source-record.ts'

/**
 * Refuses addresses that would be refused when the source runs. A name is resolved then, and again
 * with every connection.
 *
 * @throws ApiError invalid_parameter
 */
export function requireReachable(
  { sources }: Pick<SourcePorts, 'sources'>,
  { connection, webhook }: SourceConfig,
): void {
  const places = [
    'url' in connection
      ? (['connection.url', new URL(connection.url).hostname] as const)
      : (['connection.host', connection.host] as const),
    ...(webhook === undefined ? [] : [['alerts.webhook', new URL(webhook).hostname] as const]),
  ]
  for (const [param, host] of places) {
    try {
      sources.requireAllowed(host)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new ApiError('invalid_parameter', error.message, { param, cause: error })
    }
  }
}
