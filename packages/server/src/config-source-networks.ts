import { isNetwork } from '@aisle/sources'
import { ConfigError } from './config-options.ts'

const NETWORKS_MAX = 50

/**
 * Parses the networks that sources may reach besides public addresses.
 *
 * @param text `10.1.0.0/16, 192.168.1.20`; undefined: none
 */
export function readSourceNetworks(text: string | undefined): readonly string[] {
  const parts = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length > NETWORKS_MAX) {
    throw new ConfigError(
      `source-networks must have at most ${NETWORKS_MAX} networks, received ${parts.length}`,
    )
  }
  const wrong = parts.find((part) => !isNetwork(part))
  if (wrong === undefined) return parts
  throw new ConfigError(
    `source-networks must be addresses or networks such as "10.1.0.0/16", received "${wrong}"`,
  )
}
