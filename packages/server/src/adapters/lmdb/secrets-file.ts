import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from './data-folder.ts'
import type { Settings } from './settings.ts'

/** The setting in which older versions stored the key, so that every snapshot contained it. */
const ADDRESS_KEY = 'addressKey'
const KEY_BYTES = 32

/** Keys that are never shown and never part of snapshots. */
export interface Secrets {
  /** Hides client addresses in events. Anyone who has it can map hashes back to addresses. */
  readonly addressKey: string
  /**
   * Signs the cookie by which a browser that has logged in before is known
   * (domain/access/known-device.ts).
   */
  readonly deviceKey: string
}

/**
 * The keys of the installation, generated if there are none. They are in a separate file beside the
 * documents: a snapshot must not be enough to reverse the hashes.
 *
 * @throws Error with a one-line message if the file cannot be read
 */
export async function openSecrets(
  path: string,
  settings: Pick<Settings, 'get' | 'setAll'>,
): Promise<Secrets> {
  const given = existsSync(path) ? readSecrets(path) : {}
  const moved = settings.get(ADDRESS_KEY)
  const secrets = {
    addressKey: given.addressKey ?? (typeof moved === 'string' ? moved : newKey()),
    deviceKey: given.deviceKey ?? newKey(),
  }
  if (secrets.addressKey !== given.addressKey || secrets.deviceKey !== given.deviceKey) {
    const partial = `${path}.partial`
    writeFileSync(partial, `${JSON.stringify(secrets)}\n`, { mode: 0o600, flush: true })
    renameSync(partial, path)
    syncPath(dirname(path))
  }
  if (moved !== undefined) await settings.setAll(new Map([[ADDRESS_KEY, undefined]]))
  return secrets
}

/** @throws Error with a one-line message if the file cannot be read */
export function readSecrets(path: string): Partial<Secrets> {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(
      `Cannot read "${path}": ${(error as Error).message}. Remove it to generate new keys; all visitors then count as new`,
      { cause: error },
    )
  }
  const { addressKey, deviceKey } = Object(json) as Record<string, unknown>
  return {
    ...(typeof addressKey === 'string' ? { addressKey } : {}),
    ...(typeof deviceKey === 'string' ? { deviceKey } : {}),
  }
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}
