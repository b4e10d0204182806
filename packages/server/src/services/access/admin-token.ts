import { digestOf, newAdminToken } from '../../domain/access/store-keys.ts'
import type { InstallationSettings } from '../../ports/host/installation-settings.ts'
import type { AdminTokenKeeper } from './access-control.ts'

export const ADMIN_DIGEST = 'adminTokenDigest'

export interface OpenedAdminToken extends AdminTokenKeeper {
  /** The token, if it was generated just now and must be shown once. */
  readonly newToken?: string
}

/**
 * Returns the admin token of this start: the configured one, else the one generated earlier (only
 * its digest is stored), else a new one. A configured token deletes the generated one: people may
 * have forgotten it, and it must not become valid again just because a variable is missing one
 * day.
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
      warn('The configured admin token replaces the generated one, which is no longer valid')
    }
    return { digest: digestOf(configured) }
  }
  if (typeof kept === 'string') return { digest: kept, save }
  const newToken = newAdminToken()
  const digest = digestOf(newToken)
  const first = (await settings.setFirst(ADMIN_DIGEST, digest)) as string
  // Another node of the cluster may have generated one at the same moment.
  return { digest: first, save, ...(first === digest ? { newToken } : {}) }
}
