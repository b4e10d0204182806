import { digestOf, newAdminToken } from '../../domain/access/store-keys.ts'
import type { InstallationSettings } from '../../ports/host/installation-settings.ts'
import type { AdminTokenKeeper } from './access-control.ts'

export const ADMIN_DIGEST = 'adminTokenDigest'

export interface OpenedAdminToken extends AdminTokenKeeper {
  /** Made just now, to be shown once. */
  readonly newToken?: string
}

/**
 * The admin token of this start: the configured one, else the one that was made earlier, of which
 * the digest is kept, else a new one. A configured token forgets the one that was made: that one
 * may be long forgotten by people too, and must not open again only because a variable is missing
 * one day.
 */
export async function openAdminToken(
  configured: string | undefined,
  settings: InstallationSettings,
  warn: (message: string) => void,
): Promise<OpenedAdminToken> {
  const save = (digest: string | undefined): Promise<void> =>
    settings.setAll(new Map([[ADMIN_DIGEST, digest]]))
  const kept = settings.get(ADMIN_DIGEST)
  if (configured !== undefined) {
    if (kept !== undefined) {
      await save(undefined)
      warn('The configured admin token replaces the one that was made; that one opens no more')
    }
    return { digest: digestOf(configured) }
  }
  if (typeof kept === 'string') return { digest: kept, save }
  const newToken = newAdminToken()
  const digest = digestOf(newToken)
  const first = (await settings.setFirst(ADMIN_DIGEST, digest)) as string
  // Another node of the cluster may have made one at the same moment.
  return { digest: first, save, ...(first === digest ? { newToken } : {}) }
}
